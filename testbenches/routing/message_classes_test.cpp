// SPDX-License-Identifier: Apache-2.0
#include "routing/message_classes.h"

#include <stdexcept>

#include "routing/analysis/deadlock.h"
#include "routing/dimension_order.h"
#include "routing/o1turn.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

std::unique_ptr<Routing> torus_routing(const Grid& grid, VcClasses classes, std::size_t vcs) {
  DimensionOrder::Params params;
  params.classes = classes;
  params.virtual_channels = vcs;
  return std::make_unique<DimensionOrder>(grid, params);
}

}  // namespace

TEST_CASE("the dependencies of C classes are those of one class, C times, and no others",
          "[routing]") {
  const Grid grid = torus({4, 5});
  const std::size_t classes = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{4});
  const DependencyCheck one =
      check_dependencies(grid, *torus_routing(grid, VcClasses::kDateline, 4), 4);
  const MessageClasses routing(torus_routing(grid, VcClasses::kDateline, 4), classes, classes * 4);
  const DependencyCheck all = check_dependencies(grid, routing, classes * 4);
  CHECK(all.acyclic());
  CHECK(all.channels == classes * one.channels);
  CHECK(all.dependencies == classes * one.dependencies);
}

TEST_CASE("classes do not make safe what is not: the cycle of a class is found", "[routing]") {
  const Grid grid = torus({5});
  const MessageClasses routing(torus_routing(grid, VcClasses::kNone, 2), 2, 4);
  const DependencyCheck check = check_dependencies(grid, routing, 4);
  REQUIRE(!check.acyclic());
  for (const VirtualChannel& channel : check.cycle) {
    CHECK(index(channel.vc) / 2 == index(check.cycle.front().vc) / 2);
  }
}

TEST_CASE("a packet takes the way of its class's routing, in the VCs of its class", "[routing]") {
  const Grid grid = mesh({3, 3});
  const O1Turn one(grid, VcClasses::kNone, 2);
  const MessageClasses routing(std::make_unique<O1Turn>(grid, VcClasses::kNone, 2), 3, 6);
  CHECK(routing.tie_dimensions() == one.tie_dimensions());
  CHECK(routing.message_classes() == 3);
  CHECK(routing.injection_vcs(NodeId{0}, NodeId{8}) == 0b111111);
  for (std::uint8_t vc = 0; vc < 6; ++vc) {
    for (const std::uint8_t ties : {std::uint8_t{0}, std::uint8_t{4}}) {
      RouteRequest request{RouterId{0}, PortId{4}, VcId{vc}, NodeId{8}, ties, 0};
      const Route split = routing.route(request);
      request.vc = VcId{static_cast<std::uint8_t>(vc % 2)};
      const Route whole = one.route(request);
      CHECK(split.output == whole.output);
      CHECK(split.vcs == whole.vcs << (vc / 2 * 2));
    }
  }
}

TEST_CASE("message classes refuse what cannot be split evenly", "[routing]") {
  const Grid grid = mesh({2});
  const auto make = [&](std::size_t classes, std::size_t vcs) {
    MessageClasses(torus_routing(grid, VcClasses::kNone, 1), classes, vcs);
  };
  CHECK_NOTHROW(make(2, 2));
  CHECK_THROWS_AS(make(0, 2), std::invalid_argument);
  CHECK_THROWS_AS(make(2, 3), std::invalid_argument);
  CHECK_THROWS_AS(make(2, 0), std::invalid_argument);
  CHECK_THROWS_AS(make(2, 64), std::invalid_argument);
  CHECK_THROWS_AS(MessageClasses(nullptr, 2, 2), std::invalid_argument);
  CHECK_THROWS_AS(
      MessageClasses(
          std::make_unique<MessageClasses>(torus_routing(grid, VcClasses::kNone, 1), 2, 2), 1, 2),
      std::invalid_argument);
}

TEST_CASE("classes of a range have the dependencies of its VCs, however many share it",
          "[routing]") {
  const Grid grid = torus({4, 3});
  const auto make = [&](std::size_t vcs) { return torus_routing(grid, VcClasses::kDateline, vcs); };
  const MessageClasses routing({{1, 2}, {3, 4}, {1, 2}}, make);
  const DependencyCheck all = check_dependencies(grid, routing, 7);
  const DependencyCheck two = check_dependencies(grid, *make(2), 2);
  const DependencyCheck four = check_dependencies(grid, *make(4), 4);
  CHECK(all.acyclic());
  CHECK(all.channels == two.channels + four.channels);
  CHECK(all.dependencies == two.dependencies + four.dependencies);
  CHECK(routing.message_classes() == 3);
  CHECK(routing.class_vcs(0) == 0b0000110);
  CHECK(routing.class_vcs(1) == 0b1111000);
  CHECK(routing.class_vcs(2) == routing.class_vcs(0));
}

TEST_CASE("message classes refuse ranges that overlap in part, are empty or beyond all ports",
          "[routing]") {
  const Grid grid = mesh({2});
  const auto make = [&](const std::vector<VcRange>& ranges) {
    MessageClasses(ranges,
                   [&](std::size_t vcs) { return torus_routing(grid, VcClasses::kNone, vcs); });
  };
  CHECK_NOTHROW(make({{0, 2}, {2, 1}, {0, 2}}));
  CHECK_THROWS_AS(make({{0, 2}, {1, 2}}), std::invalid_argument);
  CHECK_THROWS_AS(make({{0, 2}, {0, 1}}), std::invalid_argument);
  CHECK_THROWS_AS(make({{0, 0}}), std::invalid_argument);
  CHECK_THROWS_AS(make({{30, 3}}), std::invalid_argument);
  CHECK_THROWS_AS(make({}), std::invalid_argument);
  CHECK_THROWS_AS(make(std::vector<VcRange>(33, VcRange{0, 1})), std::invalid_argument);
  CHECK_NOTHROW(make(std::vector<VcRange>(32, VcRange{0, 1})));
}

TEST_CASE("a routing that was made for more VCs than its class has does not leave it",
          "[routing]") {
  const Grid grid = mesh({2});
  const MessageClasses routing(torus_routing(grid, VcClasses::kNone, 4), 2, 4);
  CHECK_THROWS_AS(routing.injection_vcs(NodeId{0}, NodeId{1}), std::logic_error);
}
