// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bit_set.h"
#include "clos/selection.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// S1, the linear control algorithm: pass by pass, take the middle switch that leaves the fewest
/// output switches unserved, the smallest of several.
///
/// Without a pass limit a request is blocked only if no route exists. With m of Theorem 3, its x as
/// the limit, and every live connection on at most x middle switches, no request is blocked.
/// passes(): those over the candidates, the one that found the request blocked included.
/// Time: O(passes * candidates * ceil(r2 / 64)); see linear_work() for the hardware's count.
/// Source: CS838 lecture notes (1999), "A linear control algorithm"; Yang and Masson, IEEE
/// Transactions on Computers 40 (1991). The lecture's loop does not end when no candidate serves
/// anything more; here that is what blocked means. It leaves open which of several minima to take.
class LinearControl : public Strategy {
 public:
  /// @param output_switches  r2.
  /// @param pass_limit       Most middle switches of a route; 0: as many as it takes.
  explicit LinearControl(std::size_t output_switches, std::size_t pass_limit = 0)
      : pass_limit_(pass_limit), rest_(output_switches), served_(output_switches) {}

  void select(const ControlRequest& request, Selection& selection) override;

 private:
  template <std::size_t kWords>
  void run(const ControlRequest& request, Selection& selection);

  std::size_t pass_limit_;
  BitSet rest_;    // Wanted, not served yet.
  BitSet served_;  // By the middle switch just selected.
};

/// Bit operations of the passes to this route (not a blocked one): the sum over passes of
/// candidates times output switches not served yet. With c candidates, fan-out r', no output switch
/// in more than n2 - 1 of the destination sets, and q = c / (n2 - 1) > 1, at most c r' q / (q - 1):
/// linear in the network's size (derived: a pass leaves at most the average, 1 / q, of the rest).
std::uint64_t linear_work(const ControlRequest& request, const Selection& selection);

}  // namespace flitcast::clos
