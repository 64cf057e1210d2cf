// SPDX-License-Identifier: Apache-2.0
#include "routing/fault_avoidance.h"

#include "routing/analysis/route_enumerator.h"

namespace flitcast {

std::vector<std::pair<NodeId, NodeId>> pairs_over_faults(const Faulty& topology,
                                                         const Routing& routing,
                                                         std::size_t virtual_channels) {
  RouteEnumerator packets(topology.whole(), routing, virtual_channels);
  const auto meets_fault = [&](NodeId source, NodeId destination) {
    bool meets = false;
    for (unsigned ties = 0; ties < 1U << routing.tie_dimensions() && !meets; ++ties) {
      packets.start({destination, static_cast<std::uint8_t>(ties)});
      packets.enumerate(packets.injected(source), [&](const PacketState&, const PacketState& to) {
        meets = meets || topology.failed()[to.channel];
        return !meets;
      });
    }
    return meets;
  };
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (const NodeId source : topology.nodes()) {
    for (const NodeId destination : topology.nodes()) {
      if (meets_fault(topology.number_in_whole(source), topology.number_in_whole(destination))) {
        pairs.emplace_back(source, destination);
      }
      if (pairs.size() == kEnoughPairs) return pairs;
    }
  }
  return pairs;
}

}  // namespace flitcast
