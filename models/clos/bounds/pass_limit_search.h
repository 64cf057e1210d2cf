// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "clos/bounds/bounds.h"

namespace flitcast::clos {

/// What the bounds share: m(x) = taken x + largest(x) + 1 middle switches suffice with pass
/// limit x, because at most `taken` x links of the input switch are taken, and of the other
/// middle switches at most largest(x) can have destination sets of which every x meet in the
/// request.
struct PassLimits {
  std::uint64_t taken = 0;  ///< Links of the input switch taken per unit of x.
  std::uint64_t least = 0;  ///< largest(x) is never below this.
  std::uint64_t most = 1;   ///< x = 1 .. most; 0 is taken as 1.
};

/// Size of the largest family for x; must not increase with x. kTooLarge where it does not fit.
using LargestFamily = std::function<std::uint64_t(std::uint64_t x)>;

/// The smallest m(x), and the smallest x that attains it.
///
/// Calls `largest` for few x: doubles x while taken x alone leaves hope for a smaller m, then
/// bisects and leaves out the intervals that cannot hold the minimum. With equal n1 and n2 that is
/// O(log r) calls. std::overflow_error if no m(x) fits in 64 bits, or if an x beyond kMostPassLimit
/// would have to be tried.
Bound best_pass_limit(const PassLimits& limits, const LargestFamily& largest);

}  // namespace flitcast::clos
