// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "network/inspection.h"
#include "network/network.h"

namespace flitcast {

/// Who waits for whom in a network between two cycles? Returns a circle of input VCs, each of which
/// waits for the next and the last for the first, or nothing if every flit can still move.
///
/// Exact, not a time-out: a VC is blocked only if all of what it could wait for is held by blocked
/// VCs, and no flit or credit on a link can change that. So it never reports a deadlock that is
/// none. A deadlock among few packets is found while the rest of the network still runs, at the
/// latest when nothing more arrives at the VCs of the circle. What is waited for differs by router:
/// flit_waits.h (wormhole, virtual cut-through, multicast), packet_waits.h (store-and-forward).
///
/// Missed: circles through routers with pins, which count as moving, and through nodes that wait
/// for a packet before they send one. Of a circle of packets that leave by several branches only
/// one branch of each is shown. Time: a visit to every VC and to every VC that it could wait for.
std::vector<BlockedVc> find_deadlock(const Inspection& network);

}  // namespace flitcast
