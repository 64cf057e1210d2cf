// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/trail_checks.h"
#include "collective/gossip/trail_gossip.h"
#include "support/test_catch.h"

using namespace flitcast;

TEST_CASE("going straight on follows a ring of the torus", "[collective]") {
  const Grid grid = torus({4, 3});
  const auto straight = [](NodeId, PortId input) { return opposite(input); };
  const Trail column = follow(grid, {NodeId{1}, Grid::plus(1)}, straight);
  CHECK(column ==
        Trail{{NodeId{1}, Grid::plus(1)}, {NodeId{5}, Grid::plus(1)}, {NodeId{9}, Grid::plus(1)}});
  CHECK(is_closed(grid, column));
}

TEST_CASE("a trail ends where it leaves its start by the first output, not where it comes by",
          "[collective]") {
  const Grid grid = torus({3, 3});
  // The rule turns from each dimension into the other: a staircase that visits nodes once or twice.
  const auto turn = [](NodeId node, PortId input) {
    if (index(node) == 0) return opposite(input);
    return input == Grid::minus(0) ? Grid::plus(1) : Grid::plus(0);
  };
  const Trail trail = follow(grid, {NodeId{0}, Grid::plus(0)}, turn);
  CHECK(is_closed(grid, trail));
  CHECK(are_edge_disjoint(grid, {trail}));
  CHECK(visits(grid, trail)[0] == 2);
}
