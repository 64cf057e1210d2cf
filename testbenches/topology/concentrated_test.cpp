// SPDX-License-Identifier: Apache-2.0
#include "topology/concentrated.h"

#include <set>
#include <stdexcept>

#include "support/test_catch.h"
#include "topology/butterfly.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

TEST_CASE("the nodes of a tile share a router, which has its place in the grid of tiles",
          "[topology]") {
  const Concentrated cmesh = concentrated_mesh({4, 3}, {2, 3});
  CHECK(cmesh.name() == "cmesh 4x3 with 2x3 nodes each");
  CHECK(cmesh.node_grid() == std::vector<std::size_t>{8, 9});
  for (std::uint32_t y = 0; y < 9; ++y) {
    for (std::uint32_t x = 0; x < 8; ++x) {
      const Attachment at = cmesh.attachment(NodeId{x + 8 * y});
      CHECK(index(at.injection.router) == x / 2 + 4 * (y / 3));
      CHECK(index(at.injection.port) == 4 + x % 2 + 2 * (y % 3));
      CHECK(at.ejection == at.injection);
    }
  }
}

TEST_CASE("the channels of a concentrated network are those of its core", "[topology]") {
  const Concentrated cmesh = concentrated_mesh({4, 3}, {2, 2});
  const Grid core = mesh({4, 3});
  REQUIRE(cmesh.channels().size() == core.channels().size());
  for (std::size_t c = 0; c < core.channels().size(); ++c) {
    CHECK(cmesh.channels()[c].from == core.channels()[c].from);
    CHECK(cmesh.channels()[c].to == core.channels()[c].to);
  }
}

TEST_CASE("routers of a generalised hypercube are linked if one coordinate differs", "[topology]") {
  const GeneralisedHypercube cube({3, 2, 4});
  std::set<std::pair<std::uint32_t, std::uint32_t>> linked;
  for (const Channel& channel : cube.channels()) {
    linked.emplace(index(channel.from.router), index(channel.to.router));
  }
  CHECK(linked.size() == cube.channels().size());
  for (std::uint32_t a = 0; a < 24; ++a) {
    for (std::uint32_t b = 0; b < 24; ++b) {
      const int differing =
          (a % 3 != b % 3 ? 1 : 0) + (a / 3 % 2 != b / 3 % 2 ? 1 : 0) + (a / 6 != b / 6 ? 1 : 0);
      CHECK((linked.count({a, b}) == 1) == (differing == 1));
    }
  }
}

TEST_CASE("output q of a dimension leads q + 1 further in a generalised hypercube", "[topology]") {
  const GeneralisedHypercube cube({3, 4});
  for (const Channel& channel : cube.channels()) {
    const std::uint32_t from = index(channel.from.router);
    const std::uint32_t port = index(channel.from.port);
    const std::uint32_t to = port < 2 ? from / 3 * 3 + (from % 3 + port + 1) % 3
                                      : (from / 3 + port - 2 + 1) % 4 * 3 + from % 3;
    CHECK(index(channel.to.router) == to);
  }
}

TEST_CASE("a crossbar is one router without links", "[topology]") {
  const Concentrated crossbar = full_crossbar(5);
  CHECK(crossbar.router_count() == 1);
  CHECK(crossbar.node_count() == 5);
  CHECK(crossbar.channels().empty());
  CHECK(crossbar.output_count(RouterId{0}) == 5);
}

TEST_CASE("what cannot be concentrated is refused", "[topology]") {
  const auto core = std::make_shared<Grid>(mesh({2, 2}));
  const auto fly = std::make_shared<Butterfly>(2, 1);
  CHECK_THROWS_AS(Concentrated("x", core, {2}), std::invalid_argument);
  CHECK_THROWS_AS(Concentrated("x", core, {2, 0}), std::invalid_argument);
  CHECK_THROWS_AS(Concentrated("x", core, {12, 12}), std::invalid_argument);
  CHECK_THROWS_AS(Concentrated("x", fly, {2}), std::invalid_argument);
  CHECK_THROWS_AS(GeneralisedHypercube({}), std::invalid_argument);
  CHECK_THROWS_AS(GeneralisedHypercube({3, 0}), std::invalid_argument);
  CHECK_THROWS_AS(GeneralisedHypercube({129}), std::invalid_argument);
  CHECK_THROWS_AS(full_crossbar(129), std::invalid_argument);
}
