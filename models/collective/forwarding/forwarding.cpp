// SPDX-License-Identifier: Apache-2.0
#include "collective/forwarding/forwarding.h"

#include <algorithm>
#include <limits>
#include <string>

#include "collective/dimension_order_rule.h"
#include "collective/forwarding/binomial_multicast.h"
#include "collective/forwarding/hamiltonian_forwarding_table.h"
#include "collective/hamiltonian_cycles.h"
#include "collective/precondition.h"
#include "collective/require_source.h"
#include "collective/require_torus.h"

namespace flitcast {
namespace {

using Injection = RouterForwarding::Injection;

std::vector<Injection> one_for_all(const Topology& topology, NodeId source) {
  const auto others = static_cast<std::uint32_t>(topology.node_count() - 1);
  if (others == 0) return {};
  return {{source, 0, 0, others, ChunkId{0}}};
}

// The eccentricity of the source.
std::size_t tree_depth(const Grid& grid, NodeId source) {
  std::size_t depth = 0;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    depth +=
        std::max(line_reach(grid, source, Grid::plus(d)), line_reach(grid, source, Grid::minus(d)));
  }
  return depth;
}

void require_fitting(const Grid& torus) {
  require_torus(torus, "gossip on Hamiltonian cycles");
  // A packet that is to serve half of the others carries one more at its origin.
  constexpr std::size_t kMostNodes = 2 * (std::numeric_limits<std::uint16_t>::max() - 1U) + 1;
  if (torus.node_count() > kMostNodes) {
    throw PreconditionError(
        PreconditionError::Subject::kTopology,
        "the hop counter of a packet is too short for the cycles of " + torus.name(),
        "use at most " + std::to_string(kMostNodes) + " nodes");
  }
  const std::size_t directions = 2 * torus.dimensions();
  if (torus.node_ports() == directions) return;
  throw PreconditionError(PreconditionError::Subject::kPorts,
                          "gossip in the routers of " + torus.name() +
                              " needs nodes with a port for each direction, not with " +
                              std::to_string(torus.node_ports()),
                          "use " + std::to_string(directions) + " ports");
}

// Of one node's chunk on its way round a cycle. The origin counts as served when it starts.
Injection one_way(NodeId node, PortId output, std::size_t steps, std::size_t chunk) {
  return {node, index(output), static_cast<std::uint16_t>(steps + 1),
          static_cast<std::uint32_t>(steps), ChunkId{static_cast<std::uint32_t>(chunk)}};
}

}  // namespace

RouterForwarding dimension_order_forwarding(const Grid& grid, NodeId source, StopRule rule,
                                            std::size_t virtual_channels) {
  require_source(grid, source);
  return {std::make_unique<DimensionOrderMulticast>(grid, rule, virtual_channels),
          one_for_all(grid, source), tree_depth(grid, source)};
}

RouterForwarding binomial_forwarding(const Hypercube& cube, NodeId source,
                                     std::size_t virtual_channels) {
  require_source(cube, source);
  return {std::make_unique<BinomialMulticast>(cube, virtual_channels), one_for_all(cube, source),
          cube.dimension()};
}

RouterForwarding hamiltonian_forwarding(const Grid& torus, std::size_t virtual_channels) {
  require_fitting(torus);
  const std::vector<HamiltonianCycle> cycles = hamiltonian_cycles(torus);
  const std::size_t nodes = torus.node_count();
  RouterForwarding forwarding{std::make_unique<ForwardingTable>(
                                  hamiltonian_forwarding_table(torus, cycles, virtual_channels)),
                              {},
                              nodes / 2};
  for (std::size_t c = 0; c < cycles.size(); ++c) {
    for (std::size_t i = 0; i < nodes; ++i) {
      const NodeId node = cycles[c].nodes[i];
      const std::size_t chunk = index(node) + nodes * c;
      forwarding.injections.push_back(one_way(node, cycles[c].forward[i], nodes / 2, chunk));
      forwarding.injections.push_back(one_way(node, cycles[c].backward[i], (nodes - 1) / 2, chunk));
    }
  }
  return forwarding;
}

}  // namespace flitcast
