// SPDX-License-Identifier: Apache-2.0
#include "routing/two_phase.h"

#include <map>

#include "routing/analysis/deadlock.h"
#include "routing/catalog.h"
#include "routing/dimension_order.h"
#include "routing/walk.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

std::unique_ptr<Routing> made(const char* kind, const Topology& topology, std::size_t vcs,
                              bool unsafe = false) {
  return make_routing(Section::of("routing", {{"kind", kind}}), {topology, vcs, unsafe});
}

std::vector<unsigned> routers_of(const Walk& walk) {
  std::vector<unsigned> routers;
  for (const Hop& hop : walk.hops) routers.push_back(index(hop.router));
  return routers;
}

}  // namespace

TEST_CASE("a packet goes to what its source has drawn and on from there, in dimension order",
          "[routing]") {
  const Grid grid = mesh({4, 4});
  const Adjacency adjacency(grid);
  const bool shared = GENERATE(false, true);
  const std::size_t vcs = shared ? 1 : 4;
  const auto routing = made("valiant", grid, vcs, shared);
  DimensionOrder::Params params;
  params.virtual_channels = vcs;
  params.classes = VcClasses::kNone;
  const DimensionOrder order(grid, params);
  for (std::uint32_t from = 0; from < 16; ++from) {
    for (std::uint32_t by = 0; by < 16; ++by) {
      const NodeId to{(from * 5 + by * 3) % 16};
      const Walk whole = walk(grid, adjacency, *routing, NodeId{from}, to, 0, 1000, {by, 0});
      const Walk first = walk(grid, adjacency, order, NodeId{from}, NodeId{by});
      const Walk second = walk(grid, adjacency, order, NodeId{by}, to);
      std::vector<unsigned> expected = routers_of(first);
      for (const unsigned router : routers_of(second)) expected.push_back(router);
      REQUIRE(routers_of(whole) == expected);
      for (std::size_t hop = 0; hop < whole.hops.size() && !shared; ++hop) {
        REQUIRE(whole.hops[hop].vcs == (hop < first.hops.size() ? 0b0011U : 0b1100U));
      }
    }
  }
}

TEST_CASE("ROMM draws every node of the smallest box once, and its ways are minimal", "[routing]") {
  const Grid grid = mesh({4, 3, 2});
  const auto routing = made("romm", grid, 2);
  const Adjacency adjacency(grid);
  for (std::uint32_t from = 0; from < 24; ++from) {
    for (std::uint32_t to = 0; to < 24; ++to) {
      std::map<unsigned, int> drawn;
      const std::uint32_t choices = routing->choices(NodeId{from}, NodeId{to});
      std::size_t distance = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        const auto a = grid.coordinate(NodeId{from}, d);
        const auto b = grid.coordinate(NodeId{to}, d);
        distance += a < b ? b - a : a - b;
      }
      for (std::uint32_t c = 0; c < choices; ++c) {
        ++drawn[routing->choice(NodeId{from}, NodeId{to}, c)];
        REQUIRE(walk(grid, adjacency, *routing, NodeId{from}, NodeId{to}, 0, 1000, {c, 0})
                    .hops.size() == distance);
      }
      REQUIRE(drawn.size() == choices);
    }
  }
  CHECK(routing->choices(NodeId{0}, NodeId{23}) == 24);
  CHECK(routing->choices(NodeId{5}, NodeId{5}) == 1);
}

TEST_CASE("on hypercubes ROMM changes only bits that differ", "[routing]") {
  const Hypercube cube(5);
  const auto routing = made("romm", cube, 2);
  for (std::uint32_t to = 0; to < 32; ++to) {
    std::map<unsigned, int> drawn;
    const std::uint32_t choices = routing->choices(NodeId{9}, NodeId{to});
    for (std::uint32_t c = 0; c < choices; ++c) {
      const unsigned by = routing->choice(NodeId{9}, NodeId{to}, c);
      ++drawn[by];
      REQUIRE(((by ^ 9U) & ~(9U ^ to)) == 0);
    }
    REQUIRE(drawn.size() == choices);
  }
}

TEST_CASE("Y-X-Y keeps to its column until the row that it has drawn", "[routing]") {
  const Grid grid = mesh({4, 4});
  const auto routing = made("y_x_y", grid, 2);
  const Adjacency adjacency(grid);
  const Walk option = walk(grid, adjacency, *routing, NodeId{1}, NodeId{7}, 0, 1000, {3, 0});
  CHECK(routers_of(option) == std::vector<unsigned>{1, 5, 9, 13, 14, 15, 11});
  CHECK(routing->choices(NodeId{5}, NodeId{5}) == 1);
}

TEST_CASE("phases that share a virtual channel wait in cycles", "[routing]") {
  const Grid grid = mesh({4, 4});
  for (const char* kind : {"valiant", "romm", "y_x_y"}) {
    INFO(kind);
    CHECK_THROWS_AS(made(kind, grid, 1), ConfigError);
    CHECK_FALSE(check_dependencies(grid, *made(kind, grid, 1, true), 1).acyclic());
    CHECK(check_dependencies(grid, *made(kind, grid, 2), 2).acyclic());
  }
}
