// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "conformance/check.h"

namespace flitcast::conformance {

/// Plays the schedule of a row of the broadcast-and-gossip table on the cycle-accurate network of
/// its switching, with the row's times, and returns where it is not as it must be: everyone holds
/// the right bytes after exactly the analytic time. Times that no network can have (has_network())
/// are raised to the least that one can.
std::vector<Difference> differences_on_network(const Row& row);

}  // namespace flitcast::conformance
