// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/route.h"

namespace flitcast::clos {

/// The answer of a strategy: a route for the request, or that the request is blocked.
///
/// The caller reuses it for all requests, so that filling it allocates nothing.
class Selection : public Route {
 public:
  /// @param output_switches  r2.
  explicit Selection(std::size_t output_switches) : Route(output_switches) {}

  void clear() {
    Route::clear();
    blocked_ = false;
    passes_ = 0;
    clocks_ = 0;
  }
  /// Removes all legs and marks the request as blocked.
  void block() {
    Route::clear();
    blocked_ = true;
  }
  /// Passes over the candidates, including the one that found the request blocked; one for each
  /// middle switch of the route if the strategy sets no larger number.
  void set_passes(std::size_t passes) { passes_ = passes; }
  /// Clocks of the hardware until the last leg, or the block, was known.
  void set_clocks(std::uint64_t clocks) { clocks_ = clocks; }

  bool blocked() const { return blocked_; }
  std::size_t passes() const { return std::max(passes_, size()); }
  /// 0: a strategy in software.
  std::uint64_t clocks() const { return clocks_; }

 private:
  bool blocked_ = false;
  std::size_t passes_ = 0;
  std::uint64_t clocks_ = 0;
};

/// The input of a strategy or a hardware controller: a request and the state of the middle
/// switches.
struct SelectionRequest {
  const BitSet& wanted;      ///< I, output switches (r2); not empty.
  const BitSet& candidates;  ///< Available middle switches (m) that may be taken.
  const BitMatrix& busy;     ///< Row j is the destination set M_j: m rows of r2 columns.
};

/// Chooses the middle switches of a multicast.
///
/// Theorem 1: middle switches j1 .. jx can carry I if and only if I & M_j1 & ... & M_jx is empty.
/// Without a pass limit every strategy of the catalog finds a route if there is one. Equal requests
/// (and, for random choices, equal histories) get equal answers.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Replaces the contents of `selection`. `busy` is not changed: the caller commits. Passes of S1
  /// are scans of the candidates, including the one that finds a request blocked; S3 counts those
  /// of S1, in both runs if there are two; other strategies count the middle switches selected, 0
  /// if blocked.
  virtual void select(const SelectionRequest& request, Selection& selection) = 0;
};

}  // namespace flitcast::clos
