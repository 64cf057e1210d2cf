// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "network/deadlock_search.h"

namespace flitcast {

/// find_deadlock() among StoreForwardCores.
///
/// A stored packet waits for every copy in a queue: for a credit of any of the VCs that the copy
/// may take. A credit comes when any packet of the VC behind leaves, since a queue lets packets
/// pass that cannot. So a VC is blocked when it is full of blocked packets; a packet that arrives,
/// whose copies have yet to join their queues, or that leaves counts as moving.
std::vector<BlockedVc> circle_of_packets(const Inspection& network);

}  // namespace flitcast
