// SPDX-License-Identifier: Apache-2.0
#include "topology/distances.h"

#include <cstddef>

namespace flitcast {

std::vector<std::uint32_t> distances_to_routers(RouterId start, const Topology& topology,
                                                const Adjacency& adjacency) {
  std::vector<std::uint32_t> distance(topology.router_count(), kUnreached);
  std::vector<RouterId> reached{start};
  distance[index(start)] = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const RouterId router = reached[next];
    for (std::size_t port = 0; port < topology.output_count(router); ++port) {
      const std::uint32_t channel =
          adjacency.leaving(router, PortId{static_cast<std::uint16_t>(port)});
      if (channel == Adjacency::kNone) continue;
      const RouterId neighbour = topology.channels()[channel].to.router;
      if (distance[index(neighbour)] != kUnreached) continue;
      distance[index(neighbour)] = distance[index(router)] + 1;
      reached.push_back(neighbour);
    }
  }
  return distance;
}

}  // namespace flitcast
