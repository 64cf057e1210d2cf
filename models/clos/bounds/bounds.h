// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "clos/structure.h"

namespace flitcast::clos {

/// A number of middle switches that suffices, and the limit on middle switches per connection (on
/// passes of the control algorithm) that it is proved with.
struct Bound {
  std::uint64_t m = 0;
  std::uint64_t x = 0;  ///< The smallest that attains m.
};

/// floor(c r^(1/x)): the largest v with v^x <= c^x r, exactly, for x >= 1. Most sets, of elements
/// 0 .. r - 1 with no element in more than c of them, such that any x of them meet (Theorem 2).
std::uint64_t scaled_root(std::uint64_t c, std::uint64_t r, std::uint64_t x);

/// Theorem 3: v(m, n, r) is nonblocking in the wide sense under strategy S1 with pass limit x.
Bound theorem3(std::uint64_t n, std::uint64_t r);

}  // namespace flitcast::clos
