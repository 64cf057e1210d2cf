// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "collective/catalog.h"
#include "collective/cost.h"
#include "collective/precondition.h"
#include "topology/hypercube.h"

namespace flitcast {

namespace {

/// One-to-all broadcast on the complete graph by doubling, store-and-forward and one-port.
///
/// Nodes are ranked from the source on, rank = (node - source) mod p. In round k = 1, 2, .. every
/// rank r < 2^(k-1) sends to rank r + 2^(k-1), if it exists, so that the number of informed nodes
/// doubles.
///
/// Cost: ceil(log2 p) rounds and p - 1 sends for p nodes; both are minimal.
/// A source that is not a node throws PreconditionError.
/// Source: CS838 lecture notes (1999), section 11, "EREW PRAM", which says that the algorithm works
/// on the one-port complete network; the ranks, for p other than powers of two, are flitcast's.
Plan doubling_broadcast(const Complete& network, NodeId source) {
  require(source_exists(network, source));
  const std::size_t nodes = network.node_count();
  const auto node = [nodes, source](std::size_t rank) {
    return NodeId{static_cast<std::uint32_t>((index(source) + rank) % nodes)};
  };
  Plan plan{{}, {ceil_log(2, nodes), false, nodes - 1, 0}};
  for (std::size_t informed = 1; informed < nodes; informed *= 2) {
    // To the rank that is higher by `informed`.
    const PortId output{static_cast<std::uint16_t>(informed - 1)};
    plan.schedule.begin_round();
    for (std::size_t rank = 0; rank < informed && rank + informed < nodes; ++rank) {
      plan.schedule.add(node(rank), node(rank + informed), ChunkId{0}, output);
    }
  }
  return plan;
}

}  // namespace

CollectiveEntry doubling_collective() {
  return broadcast_entry<Complete, doubling_broadcast, Switching::kStoreAndForward, 1>(
      "doubling", "Complete graphs, one port: the informed set doubles.");
}

}  // namespace flitcast
