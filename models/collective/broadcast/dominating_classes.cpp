// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/dominating_classes.h"

#include <numeric>

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
  Lattice whole{mesh.size(0), std::vector<std::size_t>(mesh.size(0)),
                std::vector<std::size_t>(mesh.size(1))};
  std::iota(whole.columns.begin(), whole.columns.end(), 0);
  std::iota(whole.rows.begin(), whole.rows.end(), 0);
  return whole;
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

}  // namespace flitcast
