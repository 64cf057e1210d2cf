// SPDX-License-Identifier: Apache-2.0
#include "network/deadlock_search.h"

#include <fmt/format.h>

#include "network/flit_waits.h"
#include "network/packet_waits.h"

namespace flitcast {

std::vector<BlockedVc> find_deadlock(const Inspection& network) {
  const bool keeps_packets = network.fabric().params().router.store_and_forward;
  return keeps_packets ? circle_of_packets(network) : circle_of_flits(network);
}

std::string to_text(const std::vector<BlockedVc>& circle) {
  std::string text;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const BlockedVc& vc = circle[i];
    text += fmt::format("  router {} port {} VC {}: packet {}.{} to node {}, waits for{}\n",
                        index(vc.router), index(vc.input), index(vc.vc), index(vc.packet) >> 32,
                        index(vc.packet) & 0xffffffff, index(vc.destination),
                        i + 1 == circle.size() ? " the first" : "");
  }
  return text;
}

}  // namespace flitcast
