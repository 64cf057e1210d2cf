// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "collective/schedule.h"
#include "collective/step_machine.h"
#include "topology/topology.h"

namespace flitcast {

/// The sentence about a send at fault: "round 3: node 5 sends chunk 0 to node 7 but does not hold
/// it". `round` counts from 1. Of a missing receipt (Fault::kUnserved) only the receiver and the
/// chunk of `send` are named. `shared` is the channel of a Fault::kLinkShared.
std::string describe(Fault fault, std::size_t round, const Send& send, const Channel* shared);

}  // namespace flitcast
