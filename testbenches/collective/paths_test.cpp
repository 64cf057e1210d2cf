// SPDX-License-Identifier: Apache-2.0
#include "collective/paths.h"

#include <algorithm>

#include "support/test_catch.h"
#include "topology/adjacency.h"

using namespace flitcast;

namespace {

using Outputs = std::vector<unsigned>;
using Sizes = std::vector<std::size_t>;

Outputs outputs(const std::vector<PortId>& path) {
  Outputs outputs;
  for (const PortId port : path) outputs.push_back(index(port));
  return outputs;
}

/// The node at which a path ends, from the topology's channels alone.
NodeId follow(const Topology& topology, NodeId from, const std::vector<PortId>& path) {
  const Adjacency adjacency(topology);
  RouterId at{index(from)};
  for (const PortId output : path) {
    const std::uint32_t channel = adjacency.leaving(at, output);
    REQUIRE(channel != Adjacency::kNone);
    at = topology.channels()[channel].to.router;
  }
  return NodeId{index(at)};
}

/// The distance of two nodes; a wrapped dimension counts the shorter way round.
std::size_t distance(const Grid& grid, NodeId a, NodeId b) {
  std::size_t sum = 0;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    const auto [low, high] = std::minmax({grid.coordinate(a, d), grid.coordinate(b, d)});
    const std::size_t inside = high - low;
    sum += grid.wraps(d) ? std::min(inside, grid.size(d) - inside) : inside;
  }
  return sum;
}

std::vector<Grid> grids() {
  std::vector<Grid> grids;
  for (const Sizes& sizes : {Sizes{1}, {2}, {5}, {1, 4}, {2, 3}, {4, 4}, {5, 2}, {3, 1, 4}}) {
    grids.push_back(mesh(sizes));
    grids.push_back(torus(sizes));
  }
  grids.emplace_back("grid", std::vector<GridDimension>{{4, true}, {3, false}});
  return grids;
}

}  // namespace

TEST_CASE("dimension-order paths lead to their destination by the fewest hops", "[collective]") {
  const bool descending = GENERATE(false, true);
  const std::uint8_t minus_ties = GENERATE(as<std::uint8_t>{}, 0, 1, 2, 255);
  for (const Grid& grid : grids()) {
    for (std::uint32_t from = 0; from < grid.node_count(); ++from) {
      for (std::uint32_t to = 0; to < grid.node_count(); ++to) {
        INFO(grid.name() << " " << from << " -> " << to);
        const std::vector<PortId> path =
            dimension_order_path(grid, NodeId{from}, NodeId{to}, descending, minus_ties);
        CHECK(follow(grid, NodeId{from}, path) == NodeId{to});
        CHECK(path.size() == distance(grid, NodeId{from}, NodeId{to}));
        CHECK(std::is_sorted(path.begin(), path.end(), [descending](PortId a, PortId b) {
          return descending ? index(a) / 2 > index(b) / 2 : index(a) / 2 < index(b) / 2;
        }));
      }
    }
  }
}

TEST_CASE("half way round a path goes up unless its dimension's bit is set", "[collective]") {
  const Grid grid = torus({4, 6});
  const NodeId from{1};
  const NodeId to{3 + 4 * 3};
  CHECK(outputs(dimension_order_path(grid, from, to)) == Outputs{0, 0, 2, 2, 2});
  CHECK(outputs(dimension_order_path(grid, from, to, false, 1)) == Outputs{1, 1, 2, 2, 2});
  CHECK(outputs(dimension_order_path(grid, from, to, true, 2)) == Outputs{3, 3, 3, 0, 0});
  CHECK(outputs(dimension_order_path(torus({2}), NodeId{0}, NodeId{1})) == Outputs{0});
  CHECK(outputs(dimension_order_path(torus({2}), NodeId{1}, NodeId{0})) == Outputs{0});
  CHECK(outputs(dimension_order_path(torus({2}), NodeId{1}, NodeId{0}, false, 1)) == Outputs{1});
}

TEST_CASE("a neighbour is where the channel of an output leads", "[collective]") {
  for (const Grid& grid : grids()) {
    INFO(grid.name());
    for (const Channel& channel : grid.channels()) {
      CHECK(index(neighbour(grid, NodeId{index(channel.from.router)}, channel.from.port)) ==
            index(channel.to.router));
    }
  }
}

TEST_CASE("places are counted round wrapped dimensions, either way", "[collective]") {
  const Grid grid = torus({5, 3});
  CHECK(shifted(grid, NodeId{7}, 0, 2) == NodeId{9});    // (2,1) -> (4,1)
  CHECK(shifted(grid, NodeId{7}, 0, 3) == NodeId{5});    // -> (0,1)
  CHECK(shifted(grid, NodeId{7}, 0, -13) == NodeId{9});  // -13 = 2 mod 5
  CHECK(shifted(grid, NodeId{7}, 1, -2) == NodeId{12});  // -> (2,2)
  CHECK(shifted(grid, NodeId{7}, 1, 300) == NodeId{7});
  CHECK(shifted(mesh({5, 3}), NodeId{7}, 1, -1) == NodeId{2});
}

TEST_CASE("hops are appended up or down, and none for none", "[collective]") {
  std::vector<PortId> path{PortId{9}};
  append_hops(path, 1, 2);
  append_hops(path, 0, 0);
  append_hops(path, 2, -1);
  CHECK(outputs(path) == Outputs{9, 2, 2, 5});
}

TEST_CASE("e-cube paths cross the differing bits from the top", "[collective]") {
  const Hypercube cube(5);
  CHECK(outputs(e_cube_path(cube, NodeId{19}, NodeId{12})) == Outputs{4, 3, 2, 1, 0});
  CHECK(outputs(e_cube_path(cube, NodeId{0}, NodeId{20})) == Outputs{4, 2});
  CHECK(e_cube_path(cube, NodeId{3}, NodeId{3}).empty());
  for (std::uint32_t from = 0; from < 32; ++from) {
    for (std::uint32_t to = 0; to < 32; ++to) {
      CHECK(follow(cube, NodeId{from}, e_cube_path(cube, NodeId{from}, NodeId{to})) == NodeId{to});
    }
  }
}

TEST_CASE("the opposite of a port is the input behind it", "[collective]") {
  CHECK(opposite(Grid::plus(2)) == Grid::minus(2));
  CHECK(opposite(Grid::minus(0)) == Grid::plus(0));
}
