// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/hamiltonian_gossip.h"

#include <cstdint>
#include <vector>

#include "collective/hamiltonian_cycles.h"
#include "collective/precondition.h"

namespace flitcast {
namespace {

/// Round `round` on one cycle: every node passes on the chunk that came from so far behind it, and,
/// if there are steps left in this direction, the one from so far ahead.
void add_steps(Schedule& schedule, const HamiltonianCycle& cycle, std::size_t round,
               std::size_t first_chunk) {
  const std::size_t nodes = cycle.nodes.size();
  const auto chunk_of = [&](std::size_t position) {
    return ChunkId{static_cast<std::uint32_t>(first_chunk + index(cycle.nodes[position % nodes]))};
  };
  const bool backward = round < (nodes - 1) / 2;
  for (std::size_t i = 0; i < nodes; ++i) {
    const NodeId next = cycle.nodes[(i + 1) % nodes];
    const NodeId previous = cycle.nodes[(i + nodes - 1) % nodes];
    schedule.add(cycle.nodes[i], next, chunk_of(i + nodes - round), cycle.forward[i]);
    if (backward) schedule.add(cycle.nodes[i], previous, chunk_of(i + round), cycle.backward[i]);
  }
}

}  // namespace

Plan hamiltonian_gossip(const Grid& torus) {
  require_torus(torus, "gossip on Hamiltonian cycles");
  require_gossip_sends(torus, torus.dimensions());
  const std::size_t nodes = torus.node_count();
  Plan plan{{}, {nodes / 2, false, gossip_sends(nodes, torus.dimensions()), 0}};
  plan.schedule.reserve(*plan.claim.transmissions);
  const std::vector<HamiltonianCycle> cycles = hamiltonian_cycles(torus);
  for (std::size_t round = 0; round < plan.claim.rounds; ++round) {
    plan.schedule.begin_round();
    for (std::size_t c = 0; c < cycles.size(); ++c) {
      add_steps(plan.schedule, cycles[c], round, c * nodes);
    }
  }
  return plan;
}

}  // namespace flitcast
