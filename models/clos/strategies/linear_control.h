// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "clos/selection.h"
#include "clos/strategies/remainder.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// S1, the linear control algorithm: pass by pass take the middle switch that leaves the fewest
/// output switches unserved, the smallest of several.
///
/// Without a pass limit a request is blocked only if no route exists. With m of Theorem 3, its x as
/// the limit, and every live connection on at most x middle switches, no request is blocked.
/// Time: O(passes * candidates * ceil(r2 / 64)), nothing allocated; linear_work() is the
/// hardware's. Source: CS838 lecture notes (1999), "A linear routing control algorithm" and
/// Strategy 1; Yang and Masson, IEEE Transactions on Computers 40 (1991). As printed, the loop
/// never ends when no candidate serves any of the rest: here that is what blocked means. Which of
/// several minima to take is left open there.
class LinearControl : public Strategy {
 public:
  /// @param output_switches  r2.
  /// @param pass_limit       Most middle switches of a route; 0: as many as it takes.
  explicit LinearControl(std::size_t output_switches, std::size_t pass_limit = 0)
      : pass_limit_(pass_limit), rest_(output_switches) {}

  void select(const ControlRequest& request, Selection& selection) override;

 private:
  template <std::size_t kWords>
  void run(const ControlRequest& request, Selection& selection);

  std::size_t pass_limit_;
  Remainder rest_;
};

/// Bit operations of the passes that found this route, 0 if blocked: the sum over passes of
/// candidates times output switches not served yet. With c candidates, no output switch of the
/// request in more than n2 - 1 of their destination sets, and q = c / (n2 - 1) > 1, at most
/// c r' q / (q - 1), linear in candidates and fan-out r' (derived: the least residual is at most
/// the mean, and the mean is at most 1 / q of the rest).
std::uint64_t linear_work(const ControlRequest& request, const Selection& selection);

}  // namespace flitcast::clos
