// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/deadlock.h"
#include "routing/dimension_order.h"
#include "routing/walk.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr auto kRules = {VcClasses::kDallySeitzFixed, VcClasses::kDallySeitz, VcClasses::kDateline};

DimensionOrder with(const Grid& grid, VcClasses classes, std::size_t vcs = 2) {
  DimensionOrder::Params params;
  params.classes = classes;
  params.virtual_channels = vcs;
  return DimensionOrder(grid, params);
}

// With two VCs, the class of each hop: 0 lower, 1 upper.
std::vector<int> classes_in_flight(const Grid& grid, VcClasses rule, std::uint32_t from,
                                   std::uint32_t to) {
  std::vector<int> classes;
  const Walk option = walk(grid, Adjacency(grid), with(grid, rule), NodeId{from}, NodeId{to});
  for (const Hop& hop : option.hops) {
    REQUIRE((hop.vcs == 1 || hop.vcs == 2));
    classes.push_back(hop.vcs == 2 ? 1 : 0);
  }
  return classes;
}

using Classes = std::vector<int>;

}  // namespace

TEST_CASE("fixed classes: upper through the whole dimension if the way wraps", "[routing]") {
  const auto rule = VcClasses::kDallySeitzFixed;
  CHECK(classes_in_flight(ring(8), rule, 6, 1) == Classes{1, 1, 1});
  CHECK(classes_in_flight(ring(8), rule, 1, 6) == Classes{1, 1, 1});
  CHECK(classes_in_flight(ring(8), rule, 2, 5) == Classes{0, 0, 0});
  CHECK(classes_in_flight(ring(8), rule, 5, 2) == Classes{0, 0, 0});
}

TEST_CASE("Dally-Seitz classes: upper up to the wrap-around hop, lower behind it", "[routing]") {
  const auto rule = VcClasses::kDallySeitz;
  CHECK(classes_in_flight(ring(8), rule, 6, 1) == Classes{1, 1, 0});
  CHECK(classes_in_flight(ring(8), rule, 1, 6) == Classes{1, 1, 0});
  CHECK(classes_in_flight(ring(8), rule, 2, 5) == Classes{0, 0, 0});
}

TEST_CASE("dateline classes: lower before the wrap-around hop, upper from it on", "[routing]") {
  const auto rule = VcClasses::kDateline;
  CHECK(classes_in_flight(ring(8), rule, 6, 1) == Classes{0, 1, 1});
  CHECK(classes_in_flight(ring(8), rule, 1, 6) == Classes{0, 1, 1});
  CHECK(classes_in_flight(ring(8), rule, 2, 5) == Classes{0, 0, 0});
}

TEST_CASE("each dimension starts with a class of its own", "[routing]") {
  const Grid grid = torus({4, 8});  // The path from (3, 1) to (0, 3) wraps in dimension 0 only.
  for (const VcClasses rule : kRules) {
    CHECK(classes_in_flight(grid, rule, 3 + 4 * 1, 0 + 4 * 3) == Classes{1, 0, 0});
  }
}

TEST_CASE("the lower half is the first V - V/2 VCs, the upper the last V/2", "[routing]") {
  const Grid grid = ring(8);
  const RouteRequest wraps{RouterId{7}, grid.local(), VcId{0}, NodeId{1}, 0};
  const RouteRequest stays{RouterId{1}, grid.local(), VcId{0}, NodeId{2}, 0};
  for (const VcClasses rule : kRules) {
    CHECK(with(grid, rule, 4).route(stays).vcs == 0b0011);
    CHECK(with(grid, rule, 4).route(wraps).vcs == 0b1100);
    CHECK(with(grid, rule, 5).route(stays).vcs == 0b00111);
    CHECK(with(grid, rule, 5).route(wraps).vcs == 0b11000);
    CHECK(with(grid, rule, 32).route(wraps).vcs == 0xFFFF0000);
  }
}

TEST_CASE("injection, ejection and unwrapped dimensions use all VCs", "[routing]") {
  const Grid grid("cylinder", {{8, true}, {4, false}});
  const DimensionOrder routing = with(grid, VcClasses::kDateline, 4);
  CHECK(routing.injection_vcs(NodeId{0}, NodeId{9}) == 0b1111);
  CHECK(routing.route({RouterId{3}, Grid::plus(0), VcId{0}, NodeId{3}, 0}).vcs == 0b1111);
  CHECK(routing.route({RouterId{3}, grid.local(), VcId{0}, NodeId{11}, 0}).vcs == 0b1111);
}

TEST_CASE("every rule makes tori of all shapes free of deadlock", "[routing]") {
  for (const VcClasses rule : kRules) {
    for (std::size_t size = 1; size <= 9; ++size) {
      for (const Grid& grid : {ring(size), torus({size, 3}), torus({4, size})}) {
        for (const std::size_t vcs : {2, 3, 4}) {
          INFO(grid.name() << " with " << vcs << " VCs, rule " << static_cast<int>(rule));
          CHECK(check_dependencies(grid, with(grid, rule, vcs), vcs).acyclic());
        }
      }
    }
    CHECK(check_dependencies(torus({4, 2, 5}), with(torus({4, 2, 5}), rule), 2).acyclic());
  }
}

TEST_CASE("without classes a wrapped dimension deadlocks from size 4 on, however many VCs",
          "[routing]") {
  for (std::size_t size = 1; size <= 8; ++size) {
    for (const std::size_t vcs : {1, 4}) {
      INFO("size " << size);
      const Grid grid = torus({size, 2});
      CHECK(check_dependencies(grid, with(grid, VcClasses::kNone, vcs), vcs).acyclic() ==
            (size <= 3));
    }
  }
}
