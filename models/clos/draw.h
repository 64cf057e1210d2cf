// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/random.h"

namespace flitcast::clos {

/// Uniform in 0 .. bound - 1 (bound >= 1) from the upper half of the next number; the bias is below
/// bound / 2^32. The golden traces of this room are written with this one, not with below().
inline std::uint32_t draw(Random& random, std::uint32_t bound) {
  return static_cast<std::uint32_t>((random.next() >> 32) * bound >> 32);
}

}  // namespace flitcast::clos
