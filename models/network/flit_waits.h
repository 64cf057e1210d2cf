// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "network/deadlock_search.h"

namespace flitcast {

/// find_deadlock() among WormholeCores or MulticastCores.
///
/// The front flit of an input VC waits for every branch of its packet by which it has yet to leave:
/// for a credit of the VC that the branch holds, or for the release of any of the VCs that it may
/// ask for. A VC that is empty in the middle of a packet waits for the next flit. Where copies
/// leave each on its own, a branch can send a tail, and so release its VC, or hand over a flit
/// while another branch of the packet is blocked for ever: then it is not the packet that the
/// others wait for.
std::vector<BlockedVc> circle_of_flits(const Inspection& network);

}  // namespace flitcast
