// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "conformance/check.h"
#include "support/collective_network.h"

namespace flitcast::conformance {

/// Raises times that no network can have (has_network()) to the least possible values.
/// Throws std::invalid_argument for flits or messages of size 0.
CostModel feasible(CostModel cost);

/// Plays the schedule in a separate process.
NetworkOutcome play_apart(const ScheduleToPlay& what);

/// Plays the schedule of a row of the broadcast-and-gossip table on the cycle-accurate network of
/// its switching, with the row's times, and returns the deviations: every node must hold the right
/// bytes after exactly the analytic time, with feasible() times.
std::vector<Difference> differences_on_network(const Row& row);

}  // namespace flitcast::conformance
