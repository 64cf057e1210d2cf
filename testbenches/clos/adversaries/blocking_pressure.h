// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "clos/network_state.h"

namespace flitcast::clos {

/// The distance of a state from blocking: the pair of an input and an output switch, both with an
/// idle port, that has the most unusable middle switches (blocking.h). The first of equal pairs.
struct Pressure {
  std::uint32_t unusable = 0;  ///< m: a request for this pair is blocked.
  std::uint32_t input_switch = 0;
  std::uint32_t output_switch = 0;
};

/// Time: O(r1 m r2 / 64) words and at most r1 m r2 steps. All zero if no input or no output is
/// idle.
Pressure blocking_pressure(const NetworkState& state);

}  // namespace flitcast::clos
