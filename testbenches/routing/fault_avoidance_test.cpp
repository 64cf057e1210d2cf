// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "routing/analysis/deadlock.h"
#include "routing/analysis/route_enumerator.h"
#include "routing/catalog.h"
#include "routing/dimension_order.h"
#include "routing/minimal_adaptive.h"
#include "routing/walk.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

Faulty mesh_without(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& links) {
  const auto whole = std::make_shared<Grid>(mesh({4, 4}));
  Faulty::Faults faults;
  for (std::size_t c = 0; c < whole->channels().size(); ++c) {
    const std::pair<std::uint32_t, std::uint32_t> ends{index(whole->channels()[c].from.router),
                                                       index(whole->channels()[c].to.router)};
    for (const auto& link : links) {
      if (link == ends) faults.channels.push_back(c);
    }
  }
  return {whole, faults};
}

Section only_kind(const std::string& kind, const std::string& tie = "") {
  std::map<std::string, nlohmann::json> values{{"kind", kind}};
  for (const Param& param : routings().find(kind)->params()) values[param.key] = param.fallback;
  values.erase("escape_table");
  if (!tie.empty()) values["tie"] = tie;
  return Section::of("routing", values);
}

}  // namespace

TEST_CASE("the pairs over a failed channel are those whose way has it", "[routing]") {
  const Faulty topology = mesh_without({{5, 6}});
  const auto& whole = dynamic_cast<const Grid&>(topology.whole());
  const DimensionOrder routing(whole, {false, true, VcClasses::kNone, 1});
  const Adjacency adjacency(whole);
  std::vector<std::pair<NodeId, NodeId>> expected;
  for (std::uint32_t source = 0; source < 16; ++source) {
    for (std::uint32_t destination = 0; destination < 16; ++destination) {
      const Walk option = walk(whole, adjacency, routing, NodeId{source}, NodeId{destination});
      for (const Hop& hop : option.hops) {
        if (index(hop.router) == 5 && hop.output == Grid::plus(0)) {
          expected.emplace_back(NodeId{source}, NodeId{destination});
        }
      }
    }
  }
  expected.resize(std::min(expected.size(), kEnoughPairs));
  CHECK(pairs_over_faults(topology, routing, 1) == expected);
}

TEST_CASE("a pair of whose ways only one has a failed channel is one of them", "[routing]") {
  const Faulty topology = mesh_without({{5, 6}});
  const auto& whole = dynamic_cast<const Grid&>(topology.whole());
  // A shortest way can have the channel from (1, 1) to (2, 1) if that lies between its ends.
  const auto can_meet = [&](NodeId source, NodeId destination) {
    const auto rows = std::minmax({whole.coordinate(source, 1), whole.coordinate(destination, 1)});
    return whole.coordinate(source, 0) <= 1 && whole.coordinate(destination, 0) >= 2 &&
           rows.first <= 1 && rows.second >= 1;
  };
  std::vector<std::pair<NodeId, NodeId>> expected;
  for (const NodeId source : whole.nodes()) {
    for (const NodeId destination : whole.nodes()) {
      if (can_meet(source, destination)) expected.emplace_back(source, destination);
    }
  }
  expected.resize(std::min(expected.size(), kEnoughPairs));
  CHECK(pairs_over_faults(topology, MinimalAdaptive(whole, {}), 2) == expected);
}

TEST_CASE("routings that do not know of faults are refused with the pairs they would lose",
          "[routing]") {
  const Faulty topology = mesh_without({{14, 15}});
  for (const char* kind : {"dimension_order", "minimal_adaptive"}) {
    try {
      make_routing(only_kind(kind), {topology, 2});
      FAIL("accepted");
    } catch (const ConfigError& error) {
      REQUIRE(error.problems().size() == 1);
      const Problem& problem = error.problems()[0];
      CHECK(problem.key == "routing.kind");
      CHECK(problem.what.find("to node 15") != std::string::npos);
      CHECK(problem.hint.find("up_down") != std::string::npos);
    }
  }
}

TEST_CASE("up_down goes round faults and reaches every node without a cycle", "[routing]") {
  const Faulty topology = mesh_without({{5, 6}, {6, 5}, {9, 10}, {10, 9}, {1, 5}, {5, 1}});
  const auto routing = make_routing(only_kind("up_down"), {topology, 2});
  const Adjacency adjacency(topology);
  for (std::uint32_t source = 0; source < 16; ++source) {
    for (std::uint32_t destination = 0; destination < 16; ++destination) {
      const Walk option = walk(topology, adjacency, *routing, NodeId{source}, NodeId{destination});
      CHECK(option.end == topology.attachment(NodeId{destination}).ejection);
    }
  }
  CHECK(check_dependencies(topology, *routing, 2).acyclic());
}

TEST_CASE("escape channels of adaptive shortest paths go round a failed router 0", "[routing]") {
  Faulty::Faults faults;
  faults.routers.push_back(RouterId{0});
  const Faulty topology(std::make_shared<Grid>(mesh({4, 4})), faults);
  const auto routing = make_routing(only_kind("shortest_path", "adaptive"), {topology, 2});
  CHECK(check_dependencies(topology, *routing, 2).acyclic());
  const Adjacency adjacency(topology);
  for (const NodeId destination : topology.nodes()) {
    const Walk option = walk(topology, adjacency, *routing, NodeId{0}, destination);
    CHECK(option.end == topology.attachment(destination).ejection);
  }
}
