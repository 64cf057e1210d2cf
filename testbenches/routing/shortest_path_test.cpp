// SPDX-License-Identifier: Apache-2.0
#include "routing/shortest_path.h"

#include <stdexcept>

#include "routing/walk.h"
#include "support/test_catch.h"
#include "topology/adjacency.h"
#include "topology/examples.h"
#include "topology/graph.h"
#include "topology/grid.h"

using namespace flitcast;

TEST_CASE("the ways are shortest on every topology", "[routing]") {
  for (const auto& topology : example_topologies()) {
    INFO(topology->name());
    const Adjacency adjacency(*topology);
    const ShortestPath routing(*topology, 1);
    std::size_t hops = 0;
    for (const NodeId from : topology->nodes()) {
      for (const NodeId to : topology->nodes()) {
        hops += walk(*topology, adjacency, routing, from, to).hops.size();
      }
    }
    const auto pairs = static_cast<double>(topology->node_count() * topology->node_count());
    CHECK(measure(*topology).mean_distance_with_self == Approx(static_cast<double>(hops) / pairs));
  }
}

TEST_CASE("among shortest ways the lowest output wins", "[routing]") {
  const Grid grid = mesh({3, 3});
  const ShortestPath routing(grid, 2);
  const Route route = routing.route({RouterId{0}, grid.local(), VcId{0}, NodeId{8}, 0});
  CHECK(route.output == Grid::plus(0));
  CHECK(route.vcs == 0b11);
}

TEST_CASE("tables that are too large and unreachable nodes are refused", "[routing]") {
  // The table would have 2^30 entries.
  CHECK_THROWS_AS(ShortestPath(mesh({256, 128}), 1), std::invalid_argument);
  const Graph oneway("oneway", 2, {{RouterId{0}, RouterId{1}}}, {RouterId{0}, RouterId{1}});
  CHECK_THROWS_AS(ShortestPath(oneway, 1), std::invalid_argument);
}
