// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/route.h"

namespace flitcast::clos {

/// What a strategy decides on, and what a hardware controller is given: a request and the state of
/// the middle switches as far as it matters.
struct ControlRequest {
  const BitSet& wanted;      ///< I, output switches (r2); not empty.
  const BitSet& candidates;  ///< Available middle switches (m) that may be taken.
  const BitMatrix& busy;     ///< Row j is the destination set M_j: m rows of r2 columns.
};

/// Which middle switches carry a multicast?
///
/// Theorem 1: middle switches j1 .. jx can carry I if and only if I & M_j1 & ... & M_jx is empty.
/// Without a pass limit every strategy of the catalog finds a route if there is one. Equal requests
/// (and, for random choices, equal histories) get equal answers.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Replaces the contents of `selection`. `busy` is not changed: committing is the caller's.
  /// Passes of S1 are scans of the candidates, the one that finds a request blocked included, and
  /// so where S3 asks S1, twice if need be; of other strategies the middle switches selected, none
  /// if blocked.
  virtual void select(const ControlRequest& request, Selection& selection) = 0;
};

}  // namespace flitcast::clos
