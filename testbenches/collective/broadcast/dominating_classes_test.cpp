// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "collective/broadcast/extended_dominating_nodes.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

std::set<NodeId> all_heads(const std::vector<Lattice>& lattices, const DominatingPattern& pattern) {
  std::set<NodeId> nodes;
  for (const Lattice& lattice : lattices) {
    for (const NodeId node : heads(lattice, pattern)) CHECK(nodes.insert(node).second);
  }
  return nodes;
}

}  // namespace

TEST_CASE("the heads of a pattern inform every other place of the tile once", "[collective]") {
  for (const DominatingPattern& pattern : {block_pattern(), half_block_pattern()}) {
    std::set<std::pair<std::size_t, std::size_t>> places;
    for (const DominatingPattern::Head& head : pattern.heads) {
      CHECK(places.insert({head.place.x, head.place.y}).second);
      for (const DominatingPattern::Place& place : head.informs) {
        CHECK(place.x < pattern.width);
        CHECK(place.y < pattern.height);
        CHECK(places.insert({place.x, place.y}).second);
      }
    }
    CHECK(places.size() == pattern.width * pattern.height);
  }
}

TEST_CASE("in a block the heads are next to those that they inform", "[collective]") {
  for (const DominatingPattern::Head& head : block_pattern().heads) {
    for (const DominatingPattern::Place& place : head.informs) {
      const auto apart = [](std::size_t a, std::size_t b) {
        return std::max(a, b) - std::min(a, b);
      };
      CHECK(apart(head.place.x, place.x) + apart(head.place.y, place.y) == 1);
    }
  }
}

TEST_CASE("alpha and beta are the heads of the block pairs", "[collective]") {
  const Lattice whole = whole_mesh(mesh({16, 16}));
  std::set<NodeId> classes;
  for (const Lattice& lattice : dominating_classes(whole)) {
    CHECK(lattice.columns.size() == 4);
    CHECK(lattice.rows.size() == 2);
    for (std::size_t x = 0; x < 4; ++x) {
      for (std::size_t y = 0; y < 2; ++y) classes.insert(lattice.node(x, y));
    }
  }
  CHECK(classes == all_heads({whole}, block_pair_pattern()));
}

TEST_CASE("a pair of blocks informs just the dominating sets of its blocks", "[collective]") {
  const Grid grid = mesh({4, 8});
  const Lattice whole = whole_mesh(grid);
  std::set<NodeId> informed = all_heads({whole}, block_pair_pattern());
  BroadcastBuilder broadcast(grid, NodeId{1});
  broadcast.begin_round();
  inform_from_heads(broadcast, whole, block_pair_pattern());
  const Schedule schedule = broadcast.finish();
  for (std::size_t i = 0; i < schedule.size(); ++i) informed.insert(schedule.message(i).to);
  CHECK(schedule.size() == 6);
  CHECK(informed == all_heads({whole}, block_pattern()));
}

TEST_CASE("the start of the 16x16 mesh has the four nodes of the specification", "[collective]") {
  const std::vector<Lattice> classes = dominating_classes(whole_mesh(mesh({16, 16})));
  const auto node = [](std::uint32_t x, std::uint32_t y) { return NodeId{x + 16 * y}; };
  CHECK(all_heads(classes, half_block_pattern()) ==
        std::set<NodeId>{node(5, 0), node(9, 8), node(6, 7), node(10, 15)});
}

TEST_CASE("the start of the 64x64 mesh has 16 nodes in columns of their own", "[collective]") {
  const Grid grid = mesh({64, 64});
  std::set<std::size_t> columns;
  for (const NodeId node : all_heads(dominating_classes(whole_mesh(grid)), block_pair_pattern())) {
    CHECK(columns.insert(grid.coordinate(node, 0)).second);
  }
  CHECK(columns.size() == 16);
}
