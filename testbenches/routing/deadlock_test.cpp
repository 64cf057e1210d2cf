// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/deadlock.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

#include "routing/dimension_order.h"
#include "routing/e_cube.h"
#include "routing/shortest_path.h"
#include "routing/walk.h"
#include "support/test_catch.h"
#include "topology/graph.h"

using namespace flitcast;

namespace {

struct Counts {
  std::size_t channels;
  std::size_t dependencies;
  bool acyclic;
};

void check_counts(const Grid& grid, VcClasses classes, const Counts& expected) {
  DimensionOrder::Params params;
  params.tie_by_coin = false;
  params.classes = classes;
  params.virtual_channels = classes == VcClasses::kNone ? 1 : 2;
  const DependencyCheck check =
      check_dependencies(grid, DimensionOrder(grid, params), params.virtual_channels);
  INFO(grid.name() << ", rule " << static_cast<int>(classes));
  CHECK(check.channels == expected.channels);
  CHECK(check.dependencies == expected.dependencies);
  CHECK(check.acyclic() == expected.acyclic);
}

using Step = std::tuple<std::uint32_t, std::uint16_t, std::uint8_t>;  // Router, output, VC.

// All pairs of channels that some packet crosses one after the other, by definition, with one VC.
std::set<std::pair<Step, Step>> steps_of_all_packets(const Topology& topology,
                                                     const Routing& routing) {
  const Adjacency adjacency(topology);
  std::set<std::pair<Step, Step>> pairs;
  for (const NodeId from : topology.nodes()) {
    for (const NodeId to : topology.nodes()) {
      const Walk option = walk(topology, adjacency, routing, from, to);
      for (std::size_t h = 1; h < option.hops.size(); ++h) {
        const auto step = [](const Hop& hop) {
          return Step{index(hop.router), index(hop.output), index(hop.vc)};
        };
        pairs.emplace(step(option.hops[h - 1]), step(option.hops[h]));
      }
    }
  }
  return pairs;
}

// A routing on two routers with a node each; the first router returns a given route.
class ScriptedStart : public Routing {
 public:
  explicit ScriptedStart(Route first) : first_(first) {}
  Route route(const RouteRequest& request) const override {
    if (index(request.router) == index(request.destination)) return {PortId{1}, 1};
    return first_;
  }
  VcSet injection_vcs(NodeId, NodeId) const override { return 1; }

 private:
  Route first_;
};

// A routing on a one-way cycle: packets enter by VCs 0 and 1; a packet in VC 0 continues in VC 2, a
// packet in VC 1 in VC 0 or 1. Paths have at most two links, so only VC 1 closes the cycle.
class CycleOnVc1 : public Routing {
 public:
  Route route(const RouteRequest& request) const override {
    const PortId link{0};
    const PortId local{1};
    if (index(request.router) == index(request.destination)) return {local, 0b111};
    if (request.input == local) return {link, 0b011};
    return {link, request.vc == VcId{0} ? VcSet{0b100} : VcSet{0b011}};
  }
  VcSet injection_vcs(NodeId, NodeId) const override { return 1; }
};

// A routing on a one-way cycle whose only option says that packets do not wait for it.
class OnlyWithSpace : public AdaptiveRouting {
 public:
  explicit OnlyWithSpace(bool at_once)
      : AdaptiveRouting(OutputSelection::kFreeCredits), at_once_(at_once) {}
  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override {
    const bool arrived = index(request.router) == index(request.destination);
    alternatives.add({PortId{static_cast<std::uint16_t>(arrived ? 1 : 0)}, 0, 1, 0, false});
    if (at_once_) alternatives.decide_at_once();
  }
  VcSet injection_vcs(NodeId, NodeId) const override { return 1; }

 private:
  const bool at_once_;
};

Graph one_way_cycle() {
  const RouterId a{0};
  const RouterId b{1};
  const RouterId c{2};
  return {"cycle", 3, {{a, b}, {b, c}, {c, a}}, {a, b, c}};
}

}  // namespace

TEST_CASE("meshes have the dependencies of XY routing", "[routing]") {
  check_counts(mesh({3, 3}), VcClasses::kNone, {24, 28, true});
  check_counts(mesh({4, 4}), VcClasses::kNone, {48, 68, true});
}

TEST_CASE("tori have the dependencies of each class rule", "[routing]") {
  for (const VcClasses rule : {VcClasses::kNone, VcClasses::kDateline, VcClasses::kDallySeitz}) {
    check_counts(torus({3}), rule, {6, 0, true});
    check_counts(torus({3, 3}), rule, {36, 36, true});
  }
  check_counts(torus({4}), VcClasses::kNone, {8, 4, false});
  check_counts(torus({4, 4}), VcClasses::kNone, {64, 96, false});
  check_counts(torus({5}), VcClasses::kNone, {10, 10, false});
  check_counts(torus({5, 5}), VcClasses::kNone, {100, 200, false});
  for (const VcClasses rule : {VcClasses::kDateline, VcClasses::kDallySeitz}) {
    check_counts(torus({4}), rule, {9, 4, true});
    check_counts(torus({4, 4}), rule, {72, 104, true});
    check_counts(torus({5}), rule, {12, 10, true});
    check_counts(torus({5, 5}), rule, {120, 220, true});
  }
}

TEST_CASE("hypercubes have the dependencies of e-cube routing", "[routing]") {
  const auto check = [](std::size_t n) {
    return check_dependencies(Hypercube(n),
                              ECube(Hypercube(n), ECube::Order::kMostSignificantFirst, 1), 1);
  };
  CHECK(check(3).channels == 24);
  CHECK(check(3).dependencies == 24);
  CHECK(check(4).channels == 64);
  CHECK(check(4).dependencies == 96);
  CHECK(check(4).acyclic());
}

TEST_CASE("each of two parallel links counts as a channel", "[routing]") {
  const Grid pair = torus({2});
  const DimensionOrder routing(pair, {});
  CHECK(check_dependencies(pair, routing, 2).channels == 4);
  DimensionOrder::Params params;
  params.classes = VcClasses::kNone;
  params.virtual_channels = 1;
  const DimensionOrder plain(pair, params);
  CHECK(check_dependencies(pair, plain, 1).channels == 4);
}

TEST_CASE("every choice of tie bits is explored", "[routing]") {
  const Grid grid = ring(4);
  DimensionOrder::Params params;
  params.classes = VcClasses::kNone;
  params.virtual_channels = 1;
  const DependencyCheck coin = check_dependencies(grid, DimensionOrder(grid, params), 1);
  CHECK(coin.dependencies == 8);  // Both directions are counted; without the coin there are 4.
}

TEST_CASE("shortest paths on a ring of 5 wait for each other in a real cycle", "[routing]") {
  const Grid grid = ring(5);
  const ShortestPath routing(grid, 1);
  const DependencyCheck check = check_dependencies(grid, routing, 1);
  REQUIRE(check.cycle.size() == 5);
  const auto pairs = steps_of_all_packets(grid, routing);
  CHECK(check.dependencies == pairs.size());
  for (std::size_t i = 0; i < check.cycle.size(); ++i) {
    const VirtualChannel& held = check.cycle[i];
    const VirtualChannel& next = check.cycle[(i + 1) % check.cycle.size()];
    CHECK(held.to == next.from);
    const auto step = [](const VirtualChannel& channel) {
      return Step{index(channel.from), index(channel.output), index(channel.vc)};
    };
    CHECK(pairs.count({step(held), step(next)}) == 1);
  }
}

TEST_CASE("the message of a cyclic dependency names its channels, of long cycles the first 16",
          "[routing]") {
  std::vector<VirtualChannel> cycle{{RouterId{3}, PortId{1}, RouterId{2}, VcId{0}, true},
                                    {RouterId{2}, PortId{0}, RouterId{3}, VcId{1}}};
  CHECK(cyclic_dependency(cycle) ==
        "cyclic channel dependency (possible deadlock): injection into router 3 port 1 VC 0 -> "
        "router 2 port 0 VC 1 -> injection into router 3 port 1 VC 0");
  cycle.assign(17, cycle[1]);
  const std::string text = cyclic_dependency(cycle);
  CHECK(std::count(text.begin(), text.end(), '>') == 16);
  CHECK(text.find("-> ... (17 channels)") != std::string::npos);
}

TEST_CASE("a cycle behind a branch without one is found", "[routing]") {
  // Routers 0-1-2 form a one-way cycle, and 3 is attached to 0: the search meets dead ends first.
  const auto r = [](std::uint32_t number) { return RouterId{number}; };
  const Graph graph("cycle with a tail", 4,
                    {{r(0), r(3)}, {r(3), r(0)}, {r(0), r(1)}, {r(1), r(2)}, {r(2), r(0)}},
                    {r(0), r(1), r(2), r(3)});
  const DependencyCheck check = check_dependencies(graph, ShortestPath(graph, 1), 1);
  CHECK(check.channels == 5);
  CHECK(check.cycle.size() == 3);
}

TEST_CASE("a cycle in any one of the offered VCs is found", "[routing]") {
  const DependencyCheck check = check_dependencies(one_way_cycle(), CycleOnVc1(), 3);
  CHECK(check.channels == 9);
  CHECK(check.dependencies == 9);
  REQUIRE(check.cycle.size() == 3);
  for (const VirtualChannel& channel : check.cycle) CHECK(channel.vc == VcId{1});
}

TEST_CASE("packets wait for the option that a router has decided on at once", "[routing]") {
  const Graph cycle = one_way_cycle();
  CHECK(check_dependencies(cycle, OnlyWithSpace(true), 1).cycle.size() == 3);
  CHECK_THROWS_WITH(check_dependencies(cycle, OnlyWithSpace(false), 1),
                    Catch::Contains("to outputs of which it may wait for none"));
}

TEST_CASE("a routing that leads astray is caught", "[routing]") {
  const Graph two("two", 2, {{RouterId{0}, RouterId{1}}, {RouterId{1}, RouterId{0}}},
                  {RouterId{0}, RouterId{1}});
  const auto check = [&](Route first) { return check_dependencies(two, ScriptedStart(first), 1); };
  CHECK_NOTHROW(check({PortId{0}, 1}));
  CHECK_THROWS_AS(check({PortId{0}, 0}), std::logic_error);
  CHECK_THROWS_AS(check({PortId{0}, 2}), std::logic_error);
  CHECK_THROWS_AS(check({PortId{1}, 1}), std::logic_error);
  CHECK_THROWS_AS(check({PortId{2}, 1}), std::logic_error);
}

TEST_CASE("a network without links has no dependencies", "[routing]") {
  const DependencyCheck check = check_dependencies(mesh({1}), DimensionOrder(mesh({1}), {}), 2);
  CHECK(check.channels == 0);
  CHECK(check.acyclic());
}
