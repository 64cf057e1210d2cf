// SPDX-License-Identifier: Apache-2.0
#include "topology/complete.h"

#include <string>

#include "topology/catalog.h"

namespace flitcast {

Complete::Complete(std::size_t nodes) : Topology("complete " + std::to_string(nodes)) {
  require_buildable(nodes, nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    const RouterId router = add_router(nodes, nodes);
    const PortId last{static_cast<std::uint16_t>(nodes - 1)};
    add_node({{router, last}, {router, last}});
    for (std::size_t port = 0; port + 1 < nodes; ++port) {
      const RouterId neighbour{static_cast<std::uint32_t>((node + port + 1) % nodes)};
      // Counted from the neighbour, this router is nodes - port - 1 ahead.
      add_channel({{router, to_id<PortId>(port)},
                   {neighbour, PortId{static_cast<std::uint16_t>(nodes - port - 2)}}});
    }
  }
}

std::optional<std::size_t> Complete::bisection_channels() const {
  return 2 * (node_count() / 2) * ((node_count() + 1) / 2);
}

TopologyEntry complete_topology() {
  return {{"complete",
           "Every router is linked to every other.",
           {Param::integer("nodes", "nodes", "Routers, each with a node.", 1, Complete::kMaxNodes)},
           [](const Section& section) -> std::unique_ptr<Topology> {
             return std::make_unique<Complete>(section.count("nodes"));
           },
           {"nodes: 1", "nodes: 2", "nodes: 3", "nodes: 4", "nodes: 5", "nodes: 8"}}};
}

}  // namespace flitcast
