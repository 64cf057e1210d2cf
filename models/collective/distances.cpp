// SPDX-License-Identifier: Apache-2.0
#include "collective/distances.h"

#include <cstddef>
#include <string>

#include "collective/precondition.h"

namespace flitcast {
namespace {

constexpr std::uint32_t kUnreached = ~std::uint32_t{0};

std::vector<std::uint32_t> distances_to_routers(RouterId start, const Topology& topology,
                                                const Adjacency& adjacency) {
  std::vector<std::uint32_t> distance(topology.router_count(), kUnreached);
  std::vector<RouterId> reached{start};
  distance[index(start)] = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const RouterId router = reached[next];
    for (std::size_t output = 0; output < topology.output_count(router); ++output) {
      const std::uint32_t channel = adjacency.leaving(router, PortId(output));
      if (channel == Adjacency::kNone) continue;
      const RouterId neighbour = topology.channels()[channel].to.router;
      if (distance[index(neighbour)] != kUnreached) continue;
      distance[index(neighbour)] = distance[index(router)] + 1;
      reached.push_back(neighbour);
    }
  }
  return distance;
}

}  // namespace

std::vector<std::uint32_t> distances_from(NodeId source, const Topology& topology,
                                          const Adjacency& adjacency) {
  const RouterId start = topology.attachment(source).injection.router;
  const auto to_routers = distances_to_routers(start, topology, adjacency);
  std::vector<std::uint32_t> to_nodes;
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    to_nodes.push_back(to_routers[index(topology.attachment(NodeId{node}).ejection.router)]);
    if (to_nodes.back() != kUnreached) continue;
    throw PreconditionError(PreconditionError::Subject::kTopology,
                            "no way leads from node " + std::to_string(index(source)) +
                                " to node " + std::to_string(node) + " of " + topology.name(),
                            "use a connected network");
  }
  return to_nodes;
}

}  // namespace flitcast
