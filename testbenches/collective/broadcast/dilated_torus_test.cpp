// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "collective/broadcast/dilated_diagonal.h"
#include "collective/paths.h"
#include "support/test_catch.h"

using namespace flitcast;

TEST_CASE("the longer side of a dilated torus is a multiple of the shorter", "[collective]") {
  const Grid tall = torus({4, 11});
  const Grid wide = torus({7, 3});
  const Grid square = torus({5, 5});
  CHECK(DilatedTorus(tall, NodeId{0}).size(0) == 4);
  CHECK(DilatedTorus(tall, NodeId{0}).size(1) == 8);
  CHECK(DilatedTorus(wide, NodeId{0}).size(0) == 6);
  CHECK(DilatedTorus(wide, NodeId{0}).size(1) == 3);
  CHECK(DilatedTorus(square, NodeId{0}).longer() == 1);
  CHECK(DilatedTorus(wide, NodeId{0}).longer() == 0);
  CHECK_FALSE(DilatedTorus(square, NodeId{0}).has_extra());
  CHECK(DilatedTorus(wide, NodeId{0}).has_extra());
}

TEST_CASE("places of a dilated torus and the rows above them are all nodes of the torus",
          "[collective]") {
  for (std::size_t rows = 3; rows < 20; ++rows) {
    const Grid grid = torus({3, rows});
    const DilatedTorus dilated(grid, NodeId{5});
    std::set<NodeId> nodes;
    for (std::int64_t row = 0; row < dilated.size(1); ++row) {
      for (std::int64_t column = 0; column < 3; ++column) {
        const NodeId node = dilated.node(column, row);
        CHECK(nodes.insert(node).second);
        if (!dilated.extra_above(row)) continue;
        CHECK(nodes.insert(shifted(grid, node, 1, 1)).second);
      }
    }
    INFO(grid.name());
    CHECK(nodes.size() == grid.node_count());
  }
}

TEST_CASE("places of a dilated torus count from the origin, round and round", "[collective]") {
  const Grid grid = torus({7, 3});  // 6 x 3: column 6 is extra.
  const DilatedTorus dilated(grid, NodeId{8});
  CHECK(dilated.node(0, 0) == NodeId{8});
  CHECK(dilated.node(-6, 3) == NodeId{8});
  // Place 5 lies floor(5 * 7 / 6) = 5 columns above the origin.
  CHECK(dilated.node(-1, 0) == NodeId{13});
  CHECK(dilated.node(0, -2) == NodeId{15});
  CHECK(dilated.extra_above(-1));
}
