// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "clos/network_state.h"

namespace flitcast::clos {

/// True if any input of an input switch is in no connection. O(n).
bool has_idle_port(const NetworkState& state, std::uint32_t input_switch);

/// Middle switches that cannot carry anything from input switch i to output switch k: the busy
/// links of i, and of the others those whose link B(j, k) is busy. O(m).
std::uint32_t unusable(const NetworkState& state, std::uint32_t input_switch,
                       std::uint32_t output_switch);

/// Returns true if some valid request has no route in this state. O(r1 m r2 / 64) at worst.
///
/// Derived; checked by exhaustive search over all requests: by Theorem 1 a request can be routed
/// exactly if no member k of I is in M_j for all available j. So a single bad k blocks any request
/// that contains it, and the state blocks if and only if for some input switch with an idle port
/// and some output switch with an idle port all m middle switches are unusable.
bool blocks(const NetworkState& state);

}  // namespace flitcast::clos
