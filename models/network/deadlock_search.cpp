// SPDX-License-Identifier: Apache-2.0
#include "network/deadlock_search.h"

#include "network/flit_waits.h"
#include "network/packet_waits.h"

namespace flitcast {

std::vector<BlockedVc> find_deadlock(const Inspection& network) {
  const bool keeps_packets = network.fabric().params().router.store_and_forward;
  return keeps_packets ? circle_of_packets(network) : circle_of_flits(network);
}

}  // namespace flitcast
