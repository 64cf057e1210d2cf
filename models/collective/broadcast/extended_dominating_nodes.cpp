// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/extended_dominating_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "collective/broadcast/builders.h"
#include "collective/catalog.h"
#include "collective/paths.h"
#include "collective/precondition.h"

namespace flitcast {

namespace {

std::vector<std::size_t> every(const std::vector<std::size_t>& lines, std::size_t period,
                               std::size_t offset) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = offset; i < lines.size(); i += period) chosen.push_back(lines[i]);
  return chosen;
}

template <class Visit>
void for_each_tile(const Lattice& lattice, const DominatingPattern& pattern, const Visit& visit) {
  for (std::size_t y = 0; y < lattice.rows.size(); y += pattern.height) {
    for (std::size_t x = 0; x < lattice.columns.size(); x += pattern.width) visit(x, y);
  }
}

}  // namespace

Lattice whole_mesh(const Grid& mesh) {
  return {mesh.size(0), numbers(mesh.size(0)), numbers(mesh.size(1))};
}

std::vector<Lattice> dominating_classes(const Lattice& lattice) {
  return {{lattice.mesh_width, every(lattice.columns, 4, 1), every(lattice.rows, 8, 0)},
          {lattice.mesh_width, every(lattice.columns, 4, 2), every(lattice.rows, 8, 7)}};
}

DominatingPattern block_pattern() {
  return {4,
          4,
          {{{1, 0}, {{{0, 0}, {2, 0}, {1, 1}}}},
           {{3, 1}, {{{3, 0}, {3, 2}, {2, 1}}}},
           {{0, 2}, {{{0, 1}, {0, 3}, {1, 2}}}},
           {{2, 3}, {{{1, 3}, {3, 3}, {2, 2}}}}}};
}

DominatingPattern block_pair_pattern() {
  return {4,
          8,
          {{{1, 0}, {{{0, 2}, {3, 1}, {1, 4}}}},    // alpha
           {{2, 7}, {{{0, 6}, {3, 5}, {2, 3}}}}}};  // beta
}

DominatingPattern half_block_pattern() {
  return {4, 2, {{{1, 0}, {{{0, 0}, {3, 0}, {1, 1}}}}, {{2, 1}, {{{3, 1}, {0, 1}, {2, 0}}}}}};
}

std::vector<NodeId> heads(const Lattice& lattice, const DominatingPattern& pattern) {
  std::vector<NodeId> nodes;
  for_each_tile(lattice, pattern, [&](std::size_t x, std::size_t y) {
    for (const DominatingPattern::Head& head : pattern.heads) {
      nodes.push_back(lattice.node(x + head.place.x, y + head.place.y));
    }
  });
  return nodes;
}

void inform_from_heads(BroadcastBuilder& broadcast, const Lattice& lattice,
                       const DominatingPattern& pattern) {
  for_each_tile(lattice, pattern, [&](std::size_t x, std::size_t y) {
    for (const DominatingPattern::Head& head : pattern.heads) {
      const NodeId from = lattice.node(x + head.place.x, y + head.place.y);
      for (const DominatingPattern::Place& place : head.informs) {
        broadcast.send(from, lattice.node(x + place.x, y + place.y));
      }
    }
  });
}

namespace {

using Nodes = std::vector<NodeId>;
using Rounds = std::vector<std::vector<NodePair>>;

// With one more target, a target of the helper would send away from the source, perhaps in the
// source's row.
constexpr std::size_t kMostForHelper = 3;

/// The number of targets on one side of a node that can be served in `rounds` rounds: (3^rounds -
/// 1) / 2.
std::size_t capacity(std::size_t rounds) {
  std::size_t targets = 0;
  for (std::size_t r = 0; r < rounds; ++r) targets = 3 * targets + 1;
  return targets;
}

/// The targets by their position relative to the source's column.
struct View {
  Nodes longer;               // The side with more targets, nearest first.
  Nodes shorter;              // The other side, nearest first.
  std::optional<NodeId> own;  // The target in the source's column.
};

View view_from(const Grid& mesh, NodeId source, const Nodes& targets) {
  const std::size_t column = mesh.coordinate(source, 0);
  const auto distance = [&](NodeId node) {
    const std::size_t other = mesh.coordinate(node, 0);
    return other < column ? column - other : other - column;
  };
  View view;
  for (const NodeId target : targets) {
    if (target == source) continue;
    if (distance(target) == 0) {
      view.own = target;
    } else {
      (mesh.coordinate(target, 0) < column ? view.shorter : view.longer).push_back(target);
    }
  }
  sort_by(view.shorter, distance);
  sort_by(view.longer, distance);
  if (view.longer.size() < view.shorter.size()) std::swap(view.longer, view.shorter);
  return view;
}

/// Removes the first nodes from a list and returns them.
Nodes take_first(Nodes& nodes, std::size_t count) {
  const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(count);
  Nodes first(nodes.begin(), end);
  nodes.erase(nodes.begin(), end);
  return first;
}

/// Adds messages, from the given round on, that serve the targets on one side of an informed node,
/// nearest first.
void serve(Rounds& rounds, NodeId owner, Nodes targets, std::size_t round) {
  for (; !targets.empty(); ++round) {
    Nodes beyond = std::move(targets);
    targets = take_first(beyond, std::min(capacity(rounds.size() - round - 1), beyond.size() - 1));
    Nodes back = take_first(beyond, beyond.size() / 2);
    const NodeId middle = take_first(beyond, 1).front();
    std::reverse(back.begin(), back.end());
    rounds[round].push_back({owner, middle});
    serve(rounds, middle, back, round + 1);
    serve(rounds, middle, beyond, round + 1);
  }
}

}  // namespace

Rounds column_start(const Grid& mesh, NodeId source, const Nodes& targets, std::size_t rounds) {
  View view = view_from(mesh, source, targets);
  const std::size_t most = capacity(rounds);
  const std::size_t excess = view.longer.size() > most ? view.longer.size() - most : 0;
  if (rounds == 0 || view.shorter.size() > most || excess > kMostForHelper ||
      excess > capacity(rounds - 1)) {
    throw std::invalid_argument("too many targets on one side of the source for so few rounds");
  }
  Rounds messages(rounds);
  const bool is_top = mesh.coordinate(source, 1) + 1 == mesh.size(1);
  if (excess > 0 && !view.own) view.own = shifted(mesh, source, 1, is_top ? -1 : 1);
  if (view.own) {
    messages[0].push_back({source, *view.own});
    serve(messages, *view.own, take_first(view.longer, excess), 1);
  }
  serve(messages, source, view.longer, 0);
  serve(messages, source, view.shorter, 0);
  return messages;
}

namespace {

/// Returns the k of the mesh M(4^k,4^k).
std::size_t levels_of(const Grid& grid) {
  if (grid.dimensions() == 2 && !grid.wraps(0) && !grid.wraps(1) && grid.size(0) == grid.size(1)) {
    for (std::size_t k = 1, size = 4; k <= 3; ++k, size *= 4) {
      if (grid.size(0) == size) return k;
    }
  }
  throw *violated(
      "extended dominating nodes are defined on M(4^k,4^k), k = 1, 2, 3, only, not on " +
          grid.name(),
      use_one_of("mesh", {{4, 4}, {16, 16}, {64, 64}}));
}

/// A round after the start, in which the pattern informs each of the lattices.
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

/// The nodes that inform others in the stage.
std::vector<NodeId> heads(const Stage& stage) {
  return concatenated(stage.lattices,
                      [&](const Lattice& lattice) { return heads(lattice, stage.pattern); });
}

constexpr const char* kLevel = "level {} of {} nodes";

}  // namespace

Plan extended_dominating_nodes_broadcast(const Grid& grid, NodeId source) {
  const std::size_t levels = levels_of(grid);
  require(source_exists(grid, source));
  const std::size_t rounds = 2 * levels + 1;
  const std::vector<Stage> stages = stages_of(grid, levels);
  BroadcastBuilder broadcast(grid, source);
  std::size_t level = stages.size();
  const std::vector<NodeId> targets = heads(stages.front());
  broadcast.begin_phase(fmt::format(kLevel, level, targets.size()));
  for (const auto& messages : column_start(grid, source, targets, rounds - stages.size())) {
    broadcast.begin_round();
    for (const NodePair& message : messages) broadcast.send(message.from, message.to);
  }
  for (const Stage& stage : stages) {
    broadcast.begin_phase(fmt::format(kLevel, --level, 3 * heads(stage).size()));
    broadcast.begin_round();
    for (const Lattice& lattice : stage.lattices) {
      inform_from_heads(broadcast, lattice, stage.pattern);
    }
  }
  return {broadcast.finish(),
          {rounds, false, grid.node_count() - 1, 0},
          {{"broadcast.edn.rounds", "2k + 1", rounds}}};
}

CollectiveEntry extended_dominating_nodes_collective() {
  return broadcast_entry<Grid, extended_dominating_nodes_broadcast, Switching::kWormhole,
                         kAllPorts>("extended_dominating_nodes",
                                    "Meshes 4x4, 16x16 and 64x64, wormhole, all ports.");
}

}  // namespace flitcast
