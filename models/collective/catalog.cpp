// SPDX-License-Identifier: Apache-2.0
#include "collective/catalog.h"

#include <algorithm>
#include <utility>

namespace flitcast {

bool CollectiveEntry::carries_out(Operation operation) const {
  return std::find(operations.begin(), operations.end(), operation) != operations.end();
}

bool CollectiveEntry::is_on_ranks(Operation operation) const {
  return std::find(on_ranks.begin(), on_ranks.end(), operation) != on_ranks.end();
}

Precondition with_all_ports(const CollectiveContext& context) {
  if (context.ports == kAllPorts) return {};
  return violated("the algorithm sends through all channels of a node at once",
                  "write node.ports: all, or choose an algorithm for nodes with one port",
                  PreconditionError::Subject::kPorts);
}

Collective one_to_all(const CollectiveContext& context, const Discipline& discipline, Plan plan) {
  Demand demand{context.operation, context.topology.node_count(), context.source};
  demand.receivers = context.receivers;
  return {std::move(demand), discipline, std::move(plan)};
}

Collective gossip_of(const CollectiveContext& context, std::size_t chunks, Plan plan) {
  return {{Operation::kGossip, context.topology.node_count(), NodeId{}, chunks},
          {Switching::kStoreAndForward, kAllPorts},
          std::move(plan)};
}

Param forwarding_param() {
  return Param::choice(
      "forwarding",
      "The parts that pass chunks on: nodes, with a start-up for every send, or routers "
      "that copy packets by rules of their own; routing.kind does not matter then.",
      {"nodes", "routers"});
}

CollectiveEntry doubling_collective();
CollectiveEntry flooding_collective();
CollectiveEntry binomial_tree_collective();
CollectiveEntry dimension_order_collective();
CollectiveEntry double_tree_collective();
CollectiveEntry ho_kao_collective();
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
CollectiveEntry umesh_collective();
CollectiveEntry ucube_collective();
CollectiveEntry separate_unicasts_collective();
CollectiveEntry dual_path_collective();
CollectiveEntry multi_path_collective();
CollectiveEntry column_path_collective();
CollectiveEntry xy_tree_collective();
CollectiveEntry multicast_rounds_collective();
CollectiveEntry unicast_rounds_collective();
CollectiveEntry binomial_collective();
CollectiveEntry scatter_all_gather_collective();
CollectiveEntry pipelined_chain_collective();
CollectiveEntry pipelined_tree_collective();
CollectiveEntry two_trees_collective();
CollectiveEntry hierarchical_collective();
CollectiveEntry ring_collective();
CollectiveEntry grid_ring_collective();
CollectiveEntry bruck_collective();
CollectiveEntry recursive_halving_collective();
CollectiveEntry rabenseifner_collective();
CollectiveEntry shift_exchange_collective();
CollectiveEntry pairwise_exchange_collective();
CollectiveEntry dissemination_collective();
CollectiveEntry hillis_steele_collective();

Catalog<CollectiveEntry>& collectives() {
  static Catalog<CollectiveEntry> catalog{
      doubling_collective(),
      flooding_collective(),
      binomial_tree_collective(),
      dimension_order_collective(),
      double_tree_collective(),
      ho_kao_collective(),
      recursive_doubling_collective(),
      chain_halving_collective(),
      recursive_tiling_collective(),
      extended_dominating_nodes_collective(),
      dilated_diagonal_collective(),
      cube_classes_collective(),
      hamiltonian_cycles_collective(),
      zigzag_cycles_collective(),
      zigzag_trails_collective(),
      disjoint_trees_collective(),
      cube_colouring_collective(),
      reduction_tree_collective(),
      multicast_rounds_collective(),
      umesh_collective(),
      ucube_collective(),
      separate_unicasts_collective(),
      dual_path_collective(),
      multi_path_collective(),
      column_path_collective(),
      xy_tree_collective(),
      unicast_rounds_collective(),
      binomial_collective(),
      scatter_all_gather_collective(),
      pipelined_chain_collective(),
      pipelined_tree_collective(),
      two_trees_collective(),
      hierarchical_collective(),
      ring_collective(),
      grid_ring_collective(),
      bruck_collective(),
      recursive_halving_collective(),
      rabenseifner_collective(),
      shift_exchange_collective(),
      pairwise_exchange_collective(),
      dissemination_collective(),
      hillis_steele_collective(),
  };
  return catalog;
}

}  // namespace flitcast
