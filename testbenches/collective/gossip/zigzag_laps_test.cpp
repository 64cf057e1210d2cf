// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collective/gossip/trail_checks.h"
#include "collective/gossip/trail_gossip.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Sizes = std::vector<std::size_t>;

std::vector<Trail> laps_on(const Sizes& sizes) {
  Sizes axes;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) axes.push_back(axis);
  return zigzag_laps(torus(sizes), axes);
}

// By node: the number of times that dimension 0 enters it.
Sizes entries_by_axis_1(const Grid& grid, const std::vector<Trail>& trails) {
  Sizes entered(grid.node_count());
  for (const Trail& trail : trails) {
    for (const TrailPosition& position : trail) {
      if (position.output == Grid::plus(0))
        ++entered[index(neighbour(grid, position.node, position.output))];
    }
  }
  return entered;
}

void check_trails(const Sizes& sizes, std::size_t count, std::size_t length) {
  const Grid grid = torus(sizes);
  const std::vector<Trail> trails = laps_on(sizes);
  INFO(grid.name());
  CHECK(trails.size() == count);
  CHECK(are_edge_disjoint(grid, trails));
  CHECK(entries_by_axis_1(grid, trails) == Sizes(grid.node_count(), 1));
  for (const Trail& trail : trails) {
    CHECK(is_closed(grid, trail));
    CHECK(trail.size() == length);
  }
}

void check_d_trails(const Sizes& sizes) {
  const std::size_t nodes = torus(sizes).node_count();
  check_trails(sizes, sizes.size(), nodes / sizes.size() + nodes / sizes[0]);
}

}  // namespace

TEST_CASE("an even second size of two gives two trails of P/2 + n_2 positions", "[collective]") {
  for (std::size_t n1 = 3; n1 <= 11; ++n1) {
    for (std::size_t n2 = 4; n2 <= 11; n2 += 2) check_d_trails({n1, n2});
  }
}

TEST_CASE("an odd second size of two gives one trail of P + 2 n_2 positions", "[collective]") {
  for (std::size_t n1 = 3; n1 <= 11; ++n1) {
    for (std::size_t n2 = 3; n2 <= 11; n2 += 2) check_trails({n1, n2}, 1, n2 * (n1 + 2));
  }
}

TEST_CASE("three and four dimensions give d trails of P/d + P/n_1 positions", "[collective]") {
  for (std::size_t n1 = 3; n1 <= 7; ++n1) {
    check_d_trails({n1, 3, 3});
    check_d_trails({n1, 3, 6});
    check_d_trails({n1, 6, 12});
  }
  check_d_trails({4, 9, 9});
  check_d_trails({3, 21, 21});
  check_d_trails({4, 4, 4, 4});
  check_d_trails({4, 4, 12, 8});
}

TEST_CASE("in two dimensions all nodes of a column forward alike", "[collective]") {
  const Grid grid = torus({5, 6});  // Axis 1 leads from column to column.
  for (const Trail& trail : zigzag_laps(grid, {0, 1})) {
    PortId entered_by = trail.back().output;
    for (const TrailPosition& position : trail) {
      const bool zigzag = grid.coordinate(position.node, 0) < 2;
      // The rule is L -> B and T -> R in the first two columns, L -> R in the others.
      const PortId expected = zigzag && entered_by == Grid::plus(0) ? Grid::plus(1) : Grid::plus(0);
      CHECK(position.output == expected);
      entered_by = position.output;
    }
  }
}

TEST_CASE("in three dimensions the zigzag of every n_2/3-th lap turns into the third",
          "[collective]") {
  const std::vector<Trail> trails = laps_on({4, 6, 6});
  std::vector<unsigned> first_two_laps;
  for (std::size_t i = 0; i < 14; ++i) {
    first_two_laps.push_back(index(trails[1][i].output) / 2 + 1);
  }
  CHECK(first_two_laps == std::vector<unsigned>{2, 1, 2, 1, 2, 1, 1, 2, 1, 2, 1, 3, 1, 1});
  CHECK(trails[1][0].node == NodeId{4});  // (0, 1, 0)
}

TEST_CASE("in four dimensions a lap turns into the fourth when the first three are full",
          "[collective]") {
  const Trail trail = laps_on({4, 4, 12, 8}).front();
  Sizes moves(4);
  for (const TrailPosition& position : trail) ++moves[index(position.output) / 2];
  // All of the 12 * 8 laps are zigzags; each lap fills a plane, and 12 of them fill three
  // dimensions.
  CHECK(moves == Sizes{96 * 4, 96 * 3 - 8, 96, 8});
}
