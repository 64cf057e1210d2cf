// SPDX-License-Identifier: Apache-2.0
#include "topology/grid.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "support/test_catch.h"
#include "topology/adjacency.h"

using namespace flitcast;

namespace {

// The input port to which an output is linked, if any.
std::optional<Endpoint> behind(const Topology& topology, std::uint32_t router, PortId output) {
  const std::uint32_t channel = Adjacency(topology).leaving(RouterId{router}, output);
  if (channel == Adjacency::kNone) return std::nullopt;
  return topology.channels()[channel].to;
}

Endpoint input(std::uint32_t router, PortId port) { return {RouterId{router}, port}; }

}  // namespace

TEST_CASE("node numbers run through dimension 0 first", "[topology]") {
  const Grid grid = mesh({4, 3, 2});
  CHECK(grid.node_count() == 24);
  const NodeId node{2 + 4 * (1 + 3 * 1)};
  CHECK(grid.coordinate(node, 0) == 2);
  CHECK(grid.coordinate(node, 1) == 1);
  CHECK(grid.coordinate(node, 2) == 1);
  CHECK(grid.node_grid() == std::vector<std::size_t>{4, 3, 2});
  CHECK(index(grid.local()) == 6);
}

TEST_CASE("port 2i raises coordinate i and port 2i + 1 lowers it", "[topology]") {
  const Grid grid = mesh({4, 3});  // Node 5 is at (1, 1).
  CHECK(behind(grid, 5, Grid::plus(0)) == input(6, Grid::minus(0)));
  CHECK(behind(grid, 5, Grid::minus(0)) == input(4, Grid::plus(0)));
  CHECK(behind(grid, 5, Grid::plus(1)) == input(9, Grid::minus(1)));
  CHECK(behind(grid, 5, Grid::minus(1)) == input(1, Grid::plus(1)));
}

TEST_CASE("a mesh ends at its borders and a torus goes round them", "[topology]") {
  CHECK_FALSE(behind(mesh({4, 3}), 3, Grid::plus(0)));
  CHECK_FALSE(behind(mesh({4, 3}), 0, Grid::minus(1)));
  CHECK(behind(torus({4, 3}), 3, Grid::plus(0)) == input(0, Grid::minus(0)));
  CHECK(behind(torus({4, 3}), 1, Grid::minus(1)) == input(9, Grid::plus(1)));
}

TEST_CASE("each dimension wraps or not by itself", "[topology]") {
  const Grid cylinder("cylinder", {{4, true}, {3, false}});
  CHECK(behind(cylinder, 3, Grid::plus(0)) == input(0, Grid::minus(0)));
  CHECK_FALSE(behind(cylinder, 9, Grid::plus(1)));
  CHECK_FALSE(cylinder.bisection_channels());
}

TEST_CASE("a wrapped dimension of size 2 has two parallel links, one of size 1 has none",
          "[topology]") {
  const Grid pair = torus({2, 1});
  CHECK(pair.channels().size() == 4);
  CHECK(behind(pair, 0, Grid::plus(0)) == input(1, Grid::minus(0)));
  CHECK(behind(pair, 0, Grid::minus(0)) == input(1, Grid::plus(0)));
  CHECK_FALSE(behind(pair, 0, Grid::plus(1)));
  CHECK(mesh({2}).channels().size() == 2);
  CHECK(ring(1).channels().empty());
}

TEST_CASE("the number of channels is that of the grid's lines", "[topology]") {
  CHECK(mesh({5, 3}).channels().size() == 2 * (4 * 3 + 5 * 2));
  CHECK(torus({5, 3}).channels().size() == 2 * (5 * 3 + 5 * 3));
  CHECK(ring(7).channels().size() == 14);
}

TEST_CASE("a grid is named by its kind and sizes", "[topology]") {
  CHECK(mesh({8, 8}).name() == "mesh 8x8");
  CHECK(torus({4, 3, 2}).name() == "torus 4x3x2");
  CHECK(ring(5).name() == "ring 5");
}

TEST_CASE("grids outside the limits are refused", "[topology]") {
  CHECK_THROWS_AS(mesh({}), std::invalid_argument);
  CHECK_THROWS_AS(mesh({4, 0}), std::invalid_argument);
  CHECK_THROWS_AS(mesh({5000, 5000}), std::invalid_argument);
  CHECK_THROWS_AS(mesh(std::vector<std::size_t>(17, 1)), std::invalid_argument);
  CHECK_THROWS_AS(torus(std::vector<std::size_t>(9, 2)), std::invalid_argument);
  CHECK(mesh(std::vector<std::size_t>(16, 1)).node_count() == 1);
  CHECK(torus(std::vector<std::size_t>(8, 2)).node_count() == 256);
}
