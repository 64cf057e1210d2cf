// SPDX-License-Identifier: Apache-2.0
#include "collective/catalog.h"

#include <utility>

namespace flitcast {

Precondition with_all_ports(const CollectiveContext& context) {
  if (context.ports == kAllPorts) return {};
  return violated("the algorithm sends through all channels of a node at once",
                  "write node.ports: all, or choose an algorithm for nodes with one port",
                  PreconditionError::Subject::kPorts);
}

Collective one_to_all(const CollectiveContext& context, const Discipline& discipline, Plan plan,
                      std::size_t chunks) {
  Demand demand{context.operation, context.topology.node_count(), context.source, chunks};
  demand.receivers = context.receivers;
  return {std::move(demand), discipline, std::move(plan)};
}

Param forwarding_param() {
  return Param::choice(
      "forwarding",
      "The parts that pass chunks on: nodes, with a start-up for every send, or routers "
      "that copy packets by rules of their own; routing.kind does not matter then.",
      {"nodes", "routers"});
}

Param at_once_param() {
  return Param::integer("at_once", "reductions",
                        "Reductions at a time, to the source and the nodes after it; each node "
                        "begins with another.",
                        1, kMaxVirtualChannels)
      .defaults_to(1);
}

CollectiveEntry doubling_collective();
CollectiveEntry flooding_collective();
CollectiveEntry binomial_tree_collective();
CollectiveEntry dimension_order_collective();
std::vector<CollectiveEntry> double_tree_collectives();
CollectiveEntry recursive_doubling_collective();
CollectiveEntry chain_halving_collective();
CollectiveEntry recursive_tiling_collective();
CollectiveEntry extended_dominating_nodes_collective();
CollectiveEntry dilated_diagonal_collective();
CollectiveEntry cube_classes_collective();
CollectiveEntry hamiltonian_cycles_collective();
CollectiveEntry zigzag_cycles_collective();
CollectiveEntry zigzag_trails_collective();
CollectiveEntry disjoint_trees_collective();
CollectiveEntry cube_colouring_collective();
CollectiveEntry reduction_tree_collective();
CollectiveEntry switch_tree_collective();
std::vector<CollectiveEntry> chain_multicast_collectives();
std::vector<CollectiveEntry> copied_multicast_collectives();
CollectiveEntry multicast_rounds_collective();
CollectiveEntry unicast_rounds_collective();
CollectiveEntry binomial_collective();
std::vector<CollectiveEntry> cut_broadcast_collectives();
std::vector<CollectiveEntry> pipelined_tree_collectives();
CollectiveEntry hierarchical_collective();
std::vector<CollectiveEntry> grid_collectives();
CollectiveEntry bruck_collective();
std::vector<CollectiveEntry> halving_collectives();
std::vector<CollectiveEntry> exchange_collectives();

Catalog<CollectiveEntry>& collectives() {
  static Catalog<CollectiveEntry> catalog = catalog_of<CollectiveEntry>({
      {doubling_collective()},
      {flooding_collective()},
      {binomial_tree_collective()},
      {dimension_order_collective()},
      double_tree_collectives(),
      {recursive_doubling_collective()},
      {chain_halving_collective()},
      {recursive_tiling_collective()},
      {extended_dominating_nodes_collective()},
      {dilated_diagonal_collective()},
      {cube_classes_collective()},
      {hamiltonian_cycles_collective()},
      {zigzag_cycles_collective()},
      {zigzag_trails_collective()},
      {disjoint_trees_collective()},
      {cube_colouring_collective()},
      {reduction_tree_collective()},
      {switch_tree_collective()},
      {multicast_rounds_collective()},
      chain_multicast_collectives(),
      copied_multicast_collectives(),
      {unicast_rounds_collective()},
      {binomial_collective()},
      cut_broadcast_collectives(),
      pipelined_tree_collectives(),
      {hierarchical_collective()},
      grid_collectives(),
      {bruck_collective()},
      halving_collectives(),
      exchange_collectives(),
  });
  return catalog;
}

}  // namespace flitcast
