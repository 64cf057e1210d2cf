// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "collective/catalog.h"
#include "collective/forwarding/forwarding.h"
#include "collective/hamiltonian_cycles.h"
#include "collective/precondition.h"
#include "topology/grid.h"

namespace flitcast {

namespace {

/// Adds the messages of a round on one cycle: every node passes on the chunk of the node `round`
/// places behind it and, while backward steps are left, the chunk of the node `round` places ahead.
void add_steps(Schedule& schedule, const HamiltonianCycle& cycle, std::size_t round,
               std::size_t first_chunk) {
  const std::size_t nodes = cycle.nodes.size();
  const auto chunk_of = [&](std::size_t position) {
    return to_id<ChunkId>(first_chunk + index(cycle.nodes[position % nodes]));
  };
  const bool backward = round < (nodes - 1) / 2;
  for (std::size_t i = 0; i < nodes; ++i) {
    const NodeId next = cycle.nodes[(i + 1) % nodes];
    const NodeId previous = cycle.nodes[(i + nodes - 1) % nodes];
    schedule.add(cycle.nodes[i], next, chunk_of(i + nodes - round), cycle.forward[i]);
    if (backward) schedule.add(cycle.nodes[i], previous, chunk_of(i + round), cycle.backward[i]);
  }
}

/// Optimal gossip (AAB) of d chunks a node on a d-dimensional torus, store-and-forward, all-port,
/// full-duplex.
///
/// Chunk c of a node travels in both directions along Hamiltonian cycle c (see
/// hamiltonian_cycles.h), one node a round: forward ceil((P-1) / 2) steps and backward
/// floor((P-1) / 2) steps on P nodes. A node forwards a received chunk in the next round.
///
/// Cost: ceil((P-1) / 2) rounds, which is minimal for d chunks, and d P (P-1) sends, without
/// duplicates. Chunks of node v: v + P c, c = 0 .. d - 1.
/// Throws PreconditionError as hamiltonian_cycles() does, and beyond kMostSends (two dimensions:
/// 11585 nodes).
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori", introduction, where the
/// time is given as P / 2.
Plan hamiltonian_gossip(const Grid& torus) {
  require(on_torus(torus, "gossip on Hamiltonian cycles"));
  require(few_enough_gossip_sends(torus, torus.dimensions()));
  const std::size_t nodes = torus.node_count();
  Plan plan{{}, {nodes / 2, false, gossip_sends(nodes, torus.dimensions()), 0}};
  plan.theorems = {{"gossip.hamiltonian", "P/2", (nodes + 1) / 2}};
  plan.schedule.reserve(*plan.claim.transmissions);
  const std::vector<HamiltonianCycle> cycles = hamiltonian_cycles(torus);
  plan.schedule.begin_phase("forward and backward");
  for (std::size_t round = 0; round < plan.claim.rounds; ++round) {
    if (round == (nodes - 1) / 2) plan.schedule.begin_phase("forward only");
    plan.schedule.begin_round();
    for (std::size_t c = 0; c < cycles.size(); ++c) {
      add_steps(plan.schedule, cycles[c], round, c * nodes);
    }
  }
  return plan;
}

Collective make_hamiltonian_gossip(const Section&, const CollectiveContext& context) {
  const auto& torus = family_of<Grid>(context);
  require(with_all_ports(context));
  return one_to_all(context, {}, hamiltonian_gossip(torus), torus.dimensions());
}

RouterForwarding forward_hamiltonian_gossip(const Section&, const CollectiveContext& context,
                                            std::size_t virtual_channels) {
  return hamiltonian_forwarding(family_of<Grid>(context), virtual_channels);
}

}  // namespace

CollectiveEntry hamiltonian_cycles_collective() {
  return {{"hamiltonian_cycles",
           "Tori: as many chunks a node as dimensions, round edge-disjoint Hamiltonian cycles.",
           {forwarding_param()},
           make_hamiltonian_gossip},
          {Operation::kGossip},
          true,
          forward_hamiltonian_gossip};
}

}  // namespace flitcast
