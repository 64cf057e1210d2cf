// SPDX-License-Identifier: Apache-2.0
#include "topology/adjacency.h"

#include <stdexcept>

namespace flitcast {

Adjacency::Adjacency(const Topology& topology) {
  std::size_t outputs = 0;
  for (const RouterId router : topology.routers()) {
    first_.push_back(outputs);
    outputs += topology.output_count(router);
  }
  channels_.assign(outputs, kNone);
  for (std::uint32_t c = 0; c < topology.channels().size(); ++c) {
    const Endpoint from = topology.channels()[c].from;
    if (index(from.port) >= topology.output_count(from.router)) {
      throw std::invalid_argument("a channel leaves by an output that its router does not have");
    }
    std::uint32_t& place = channels_[first_[index(from.router)] + index(from.port)];
    if (place != kNone) throw std::invalid_argument("two channels leave by the same output");
    place = c;
  }
}

std::vector<std::uint32_t> distances_to_routers(RouterId start, const Topology& topology,
                                                const Adjacency& adjacency) {
  std::vector<std::uint32_t> distance(topology.router_count(), kUnreached);
  std::vector<RouterId> reached{start};
  distance[index(start)] = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const RouterId router = reached[next];
    for (std::size_t port = 0; port < topology.output_count(router); ++port) {
      const std::uint32_t channel = adjacency.leaving(router, to_id<PortId>(port));
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
