// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "conformance/check.h"
#include "support/collective_network.h"

namespace flitcast::conformance {

/// Times that no network can have (has_network()) raised to the least that one can. Throws
/// std::invalid_argument for flits or messages of nothing.
CostModel feasible(CostModel cost);

/// Plays in a process of its own.
NetworkOutcome play_apart(const ScheduleToPlay& what);

/// Plays the schedule of a row of the broadcast-and-gossip table on the cycle-accurate network of
/// its switching, with the row's times, and returns where it is not as it must be: everyone holds
/// the right bytes after exactly the analytic time, with feasible() times.
std::vector<Difference> differences_on_network(const Row& row);

}  // namespace flitcast::conformance
