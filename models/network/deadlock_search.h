// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/inspection.h"

namespace flitcast {

/// An input virtual channel whose packet can never move again.
struct BlockedVc {
  RouterId router{};
  PortId input{};
  VcId vc{};
  PacketId packet{};
  NodeId destination{};
};

/// Who waits for whom in a network at rest? Returns a circle of input VCs, each of which waits for
/// the next and the last for the first, or nothing if every flit can still move.
///
/// Exact, not a time-out: a VC is blocked only if all of what it could wait for (a credit of the VC
/// it holds, or any of the VCs its route allows) is held by blocked VCs, and no flit or credit on a
/// link can change that. A deadlock among few packets is found while the rest of the network still
/// runs. Routers with pins count as moving; in networks that keep packets whole or multicast
/// nothing is found yet. Time: a visit to every VC.
std::vector<BlockedVc> find_deadlock(const Inspection& network);

/// One line per VC: "router 0 port 1 VC 0: packet 3.17 to node 2, waits for".
std::string to_text(const std::vector<BlockedVc>& circle);

}  // namespace flitcast
