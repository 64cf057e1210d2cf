// SPDX-License-Identifier: Apache-2.0
#include "routing/dimension_order.h"

#include <algorithm>
#include <stdexcept>

#include "routing/walk.h"
#include "support/test_catch.h"
#include "topology/adjacency.h"

using namespace flitcast;

namespace {

using Ports = std::vector<int>;

Ports ports_of(const Grid& grid, const DimensionOrder::Params& params, std::uint32_t from,
               std::uint32_t to, std::uint8_t ties = 0) {
  const DimensionOrder routing(grid, params);
  Ports ports;
  for (const Hop& hop : walk(grid, Adjacency(grid), routing, NodeId{from}, NodeId{to}, ties).hops) {
    ports.push_back(index(hop.output));
  }
  return ports;
}

DimensionOrder::Params descending() {
  DimensionOrder::Params params;
  params.descending = true;
  return params;
}

}  // namespace

TEST_CASE("ascending order finishes dimension 0 first, descending the last", "[routing]") {
  CHECK(ports_of(mesh({4, 4}), {}, 0, 9) == Ports{0, 2, 2});
  CHECK(ports_of(mesh({4, 4}), descending(), 0, 9) == Ports{2, 2, 0});
  CHECK(ports_of(mesh({4, 4}), {}, 15, 2) == Ports{1, 3, 3, 3});
  CHECK(ports_of(mesh({2, 2, 2}), {}, 7, 0) == Ports{1, 3, 5});
  CHECK(ports_of(mesh({2, 2, 2}), descending(), 7, 0) == Ports{5, 3, 1});
}

TEST_CASE("in a torus the shorter way round is taken", "[routing]") {
  CHECK(ports_of(torus({5}), {}, 0, 2) == Ports{0, 0});
  CHECK(ports_of(torus({5}), {}, 0, 3) == Ports{1, 1});
  CHECK(ports_of(torus({5, 5}), {}, 24, 0) == Ports{0, 2});
  CHECK(ports_of(torus({3}), {}, 0, 2) == Ports{1});
}

TEST_CASE("at half way round the tie bit of the dimension chooses, 1 for minus", "[routing]") {
  const Grid grid = torus({4, 4});  // Nodes 0 and 10 are two steps apart in both dimensions.
  CHECK(ports_of(grid, {}, 0, 10, 0b00) == Ports{0, 0, 2, 2});
  CHECK(ports_of(grid, {}, 0, 10, 0b01) == Ports{1, 1, 2, 2});
  CHECK(ports_of(grid, {}, 0, 10, 0b10) == Ports{0, 0, 3, 3});
  CHECK(ports_of(torus({2}), {}, 0, 1, 0) == Ports{0});
  CHECK(ports_of(torus({2}), {}, 0, 1, 1) == Ports{1});
}

TEST_CASE("ties without a coin go to plus, whatever the bits", "[routing]") {
  DimensionOrder::Params params;
  params.tie_by_coin = false;
  CHECK(ports_of(torus({4, 4}), params, 0, 10, 0xFF) == Ports{0, 0, 2, 2});
  CHECK(DimensionOrder(torus({4, 4}), params).tie_dimensions() == 0);
}

TEST_CASE("coins are asked for up to the last dimension that wraps with an even size",
          "[routing]") {
  CHECK(DimensionOrder(torus({4, 4}), {}).tie_dimensions() == 2);
  CHECK(DimensionOrder(torus({4, 5}), {}).tie_dimensions() == 1);
  CHECK(DimensionOrder(torus({3, 2}), {}).tie_dimensions() == 2);
  CHECK(DimensionOrder(torus({3, 1}), {}).tie_dimensions() == 0);
  CHECK(DimensionOrder(mesh({4, 4}), {}).tie_dimensions() == 0);
}

TEST_CASE("dimension-order ways are shortest ways", "[routing]") {
  for (const Grid& grid : {mesh({5, 4}), torus({5, 4}), torus({2, 3, 4}), ring(7), mesh({1, 3}),
                           Grid("cylinder", {{5, true}, {4, false}})}) {
    INFO(grid.name());
    const Adjacency adjacency(grid);
    const DimensionOrder routing(grid, {});
    std::size_t longer = 0;
    std::size_t longest = 0;
    for (const NodeId from : grid.nodes()) {
      const auto distances = distances_to_routers(RouterId{index(from)}, grid, adjacency);
      for (const NodeId to : grid.nodes()) {
        const Walk option = walk(grid, adjacency, routing, from, to);
        longer += option.hops.size() != distances[index(to)];
        longest = std::max(longest, option.hops.size());
      }
    }
    CHECK(longer == 0);
    CHECK(measure(grid).diameter == longest);
  }
}

TEST_CASE("VC counts that the rule cannot work with are refused", "[routing]") {
  DimensionOrder::Params params;
  params.virtual_channels = 1;
  CHECK_THROWS_AS(DimensionOrder(torus({3}), params), std::invalid_argument);
  CHECK_NOTHROW(DimensionOrder(mesh({3}), params));
  params.classes = VcClasses::kNone;
  CHECK_NOTHROW(DimensionOrder(torus({8}), params));
  params.virtual_channels = 33;
  CHECK_THROWS_AS(DimensionOrder(mesh({3}), params), std::invalid_argument);
  params.virtual_channels = 0;
  CHECK_THROWS_AS(DimensionOrder(mesh({3}), params), std::invalid_argument);
}
