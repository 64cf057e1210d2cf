// SPDX-License-Identifier: Apache-2.0
#include "collective/distances.h"

#include <string>

#include "collective/precondition.h"
#include "topology/distances.h"

namespace flitcast {

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
