// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/strategies/remainder.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// S2: as few middle switches as possible. Of several smallest sets it takes the one whose rising
/// indices come first in lexicographic order; they serve in that order.
///
/// Theorem 3 covers it as it covers S1, whose routes are never shorter.
/// Time: minimum set cover is NP-hard, and the search is exact: in the worst case it tries all sets
/// of up to x of c candidates, x the minimum; tails that cannot serve the rest are cut off. Random
/// states of 100 middle switches and 64 output switches take 30 us with half of the links busy
/// (x = 3), seconds with four fifths busy (x = 7). By Theorem 1 a request that nothing can carry
/// is found without any search.
/// Source: CS838 lecture notes (1999), Strategy 2, which leaves the choice among minima open.
class MinimumSet : public Strategy {
 public:
  /// @param middle_switches  m.
  /// @param output_switches  r2.
  /// @param pass_limit       Most middle switches of a route; 0: as many as it takes.
  MinimumSet(std::size_t middle_switches, std::size_t output_switches, std::size_t pass_limit);

  void select(const ControlRequest& request, Selection& selection) override;

 private:
  void list_useful(const ControlRequest& request);
  bool dominated(const SetWord* residual) const;
  void intersect_tails();
  /// Finds `left` useful candidates, from number `from` on, that serve rests_[depth] together.
  bool search(std::size_t depth, std::size_t from, std::size_t left);

  std::size_t pass_limit_;
  std::vector<std::size_t> useful_;  // Middle switches that a first minimum can contain, rising.
  BitMatrix residuals_;              // Row i: M_j & I of the useful candidate i.
  BitMatrix tails_;                  // Row i: intersection of the residuals i, i + 1, ...
  std::vector<BitSet> rests_;        // By depth: not served by the candidates chosen so far.
  std::vector<std::size_t> chosen_;  // By depth: a number into useful_.
  Remainder route_rest_;
};

}  // namespace flitcast::clos
