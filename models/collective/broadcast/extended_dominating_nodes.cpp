// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/extended_dominating_nodes.h"

#include <cstddef>
#include <vector>

#include "collective/broadcast/broadcast_builder.h"
#include "collective/broadcast/column_start.h"
#include "collective/broadcast/dominating_classes.h"
#include "collective/precondition.h"
#include "collective/require_source.h"
#include "collective/require_torus.h"

namespace flitcast {

namespace {

/// The k of M(4^k,4^k).
std::size_t levels_of(const Grid& grid) {
  if (grid.dimensions() == 2 && !grid.wraps(0) && !grid.wraps(1) && grid.size(0) == grid.size(1)) {
    for (std::size_t k = 1, size = 4; k <= 3; ++k, size *= 4) {
      if (grid.size(0) == size) return k;
    }
  }
  throw PreconditionError(
      PreconditionError::Subject::kTopology,
      "extended dominating nodes are defined on M(4^k,4^k), k = 1, 2, 3, only, not on " +
          grid.name(),
      use_one_of("mesh", {{4, 4}, {16, 16}, {64, 64}}));
}

/// A round after the start: each of the lattices is informed by the pattern.
struct Stage {
  std::vector<Lattice> lattices;
  DominatingPattern pattern;
};

std::vector<Stage> stages_of(const Grid& mesh, std::size_t levels) {
  const Lattice whole = whole_mesh(mesh);
  const Stage blocks{{whole}, block_pattern()};
  if (levels == 1) return {blocks};
  const Stage dominating_sets{{whole}, block_pair_pattern()};
  const std::vector<Lattice> classes = dominating_classes(whole);
  if (levels == 2) return {{classes, half_block_pattern()}, dominating_sets, blocks};
  return {{classes, block_pair_pattern()}, {classes, block_pattern()}, dominating_sets, blocks};
}

void start(BroadcastBuilder& broadcast, const Grid& mesh, NodeId source, const Stage& first,
           std::size_t rounds) {
  std::vector<NodeId> targets;
  for (const Lattice& lattice : first.lattices) {
    const std::vector<NodeId> nodes = heads(lattice, first.pattern);
    targets.insert(targets.end(), nodes.begin(), nodes.end());
  }
  for (const std::vector<Message>& messages : column_start(mesh, source, targets, rounds)) {
    broadcast.begin_round();
    for (const Message& message : messages) broadcast.send(message.from, message.to);
  }
}

}  // namespace

Plan extended_dominating_nodes_broadcast(const Grid& grid, NodeId source) {
  const std::size_t levels = levels_of(grid);
  require_source(grid, source);
  Plan plan;
  plan.claim.rounds = 2 * levels + 1;
  plan.claim.transmissions = grid.node_count() - 1;
  plan.claim.duplicates = 0;

  const std::vector<Stage> stages = stages_of(grid, levels);
  BroadcastBuilder broadcast(grid, source);
  start(broadcast, grid, source, stages.front(), plan.claim.rounds - stages.size());
  for (const Stage& stage : stages) {
    broadcast.begin_round();
    for (const Lattice& lattice : stage.lattices) {
      inform_from_heads(broadcast, lattice, stage.pattern);
    }
  }
  plan.schedule = broadcast.finish();
  return plan;
}

}  // namespace flitcast
