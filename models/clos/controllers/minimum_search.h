// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>

#include "clos/strategy.h"

namespace flitcast::clos {

/// The middle switch with the fewest output switches left over, among those looked at so far.
struct Choice {
  static constexpr std::size_t kInfinity = std::numeric_limits<std::size_t>::max();

  std::size_t middle = 0;
  std::size_t left = kInfinity;  ///< |M_j & U|; at the start more than any count.

  bool none() const { return left == kInfinity; }
  /// The comparator, a strict "<": of equal counts the one looked at first stays.
  void consider(std::size_t j, std::size_t count) {
    if (count < left) *this = {j, count};
  }
};

/// One pass of the control algorithm in hardware: which available middle switch j has the least
/// |M_j & U|, U being the unsatisfied part of the request? This is the only question on which the
/// controller designs differ, in clocks and in gates; all of them answer the smallest such j.
///
/// A pass is given as a ControlRequest: U as `wanted`, the available middle switches as
/// `candidates`, and the destination sets as `busy`. It must not change during the pass. Middle
/// switches that are not available are looked at and masked: the time of a pass is always the same,
/// but for the pruning of SeqCounter.
/// S_j = M_j & U at all times, so no design stores the sets S_j of the lecture.
class MinimumSearch {
 public:
  virtual ~MinimumSearch() = default;

  /// Clears the registers for a new pass, in the edge before its first clock.
  virtual void begin() = 0;
  /// A clock of the scan; false if the scan is over, and this clock is free for UPDATE.
  virtual bool scan(const ControlRequest& pass) = 0;
  /// What the logic shows in the UPDATE clock, when the scan is over.
  virtual Choice choice(const ControlRequest& pass) const = 0;
};

}  // namespace flitcast::clos
