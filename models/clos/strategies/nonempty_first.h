// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "base/bit_set.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// S3 and S3m: an empty middle switch (M_j = {}) only if it must be. `inner` (S1 for S3, S2 for
/// S3m) decides over the nonempty candidates; if it finds the request blocked, over all of them,
/// where an empty one carries everything alone. The passes of both decisions count.
///
/// Theorem 3 does not cover it: no limit on the middle switches of a connection follows (derived).
/// Source: CS838 lecture notes (1999), Strategy 3.
class NonemptyFirst : public Strategy {
 public:
  /// @param middle_switches  m.
  NonemptyFirst(std::size_t middle_switches, std::unique_ptr<Strategy> inner);

  void select(const ControlRequest& request, Selection& selection) override;

 private:
  std::unique_ptr<Strategy> inner_;
  BitSet nonempty_;
};

}  // namespace flitcast::clos
