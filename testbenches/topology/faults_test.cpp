// SPDX-License-Identifier: Apache-2.0
#include "topology/faults.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "config/problem.h"
#include "support/test_catch.h"
#include "topology/catalog.h"
#include "topology/graph.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

using FaultList = std::vector<std::string>;

std::unique_ptr<Topology> faulty(const Topology& whole, const FaultList& faults) {
  const auto* grid = dynamic_cast<const Grid*>(&whole);
  const auto* graph = dynamic_cast<const Graph*>(&whole);
  std::unique_ptr<Topology> copy;
  if (grid != nullptr) copy = std::make_unique<Grid>(*grid);
  if (graph != nullptr) copy = std::make_unique<Graph>(*graph);
  return with_faults(std::move(copy), Section::of("topology", {{"faults", faults}}));
}

std::vector<Problem> problems_of(const Topology& whole, const FaultList& faults) {
  try {
    faulty(whole, faults);
  } catch (const ConfigError& error) {
    for (const Problem& problem : error.problems()) CHECK(problem.key == "topology.faults");
    return error.problems();
  }
  return {};
}

bool linked(const Topology& topology, std::uint32_t from, std::uint32_t to) {
  return std::any_of(topology.channels().begin(), topology.channels().end(), [&](const Channel& c) {
    return index(c.from.router) == from && index(c.to.router) == to;
  });
}

Graph named_ring() {
  std::istringstream file(
      "router north\nrouter east\nrouter south\nterminal a north\nterminal b east\n"
      "terminal c south\nlink north east\nlink east south\nlink south north\n");
  return read_graph(file, "ring.graph");
}

}  // namespace

TEST_CASE("a failed link is gone both ways, or one way only if it is said so", "[topology]") {
  const Grid whole = mesh({3, 3});
  const auto both = faulty(whole, {"link 0 1"});
  CHECK_FALSE(linked(*both, 0, 1));
  CHECK_FALSE(linked(*both, 1, 0));
  CHECK(both->channels().size() == whole.channels().size() - 2);
  const auto one = faulty(whole, {"link 1 0 oneway"});
  CHECK(linked(*one, 0, 1));
  CHECK_FALSE(linked(*one, 1, 0));
  CHECK(both->node_count() == 9);
  CHECK(both->node_grid() == whole.node_grid());
  CHECK(both->output_count(RouterId{4}) == whole.output_count(RouterId{4}));
}

TEST_CASE("parallel links fail together", "[topology]") {
  const Grid whole = torus({2, 3});
  CHECK(faulty(whole, {"link 0 1"})->channels().size() == whole.channels().size() - 4);
}

TEST_CASE("a failed router takes its links and its node, and the other nodes move up",
          "[topology]") {
  const Grid whole = mesh({3, 3});
  const auto rest = faulty(whole, {"router 4"});
  CHECK(rest->channels().size() == whole.channels().size() - 8);
  CHECK(rest->router_count() == 9);
  REQUIRE(rest->node_count() == 8);
  CHECK(rest->node_grid() == std::vector<std::size_t>{8});
  CHECK(index(rest->attachment(NodeId{3}).ejection.router) == 3);
  CHECK(index(rest->attachment(NodeId{4}).ejection.router) == 5);
  CHECK(dynamic_cast<const Faulty&>(*rest).number_in_whole(NodeId{4}) == NodeId{5});
}

TEST_CASE("without faults a topology stays what it is", "[topology]") {
  CHECK(dynamic_cast<const Grid*>(faulty(mesh({3, 3}), {}).get()) != nullptr);
  CHECK(faulty(mesh({3, 3}), {"link 0 1"})->name() == "mesh 3x3 with faults");
}

TEST_CASE("routers of a graph file fail by their names", "[topology]") {
  const Graph ring = named_ring();
  CHECK(ring.router_name(RouterId{2}) == "south");
  const auto line = faulty(ring, {"link south north"});
  CHECK_FALSE(linked(*line, 2, 0));
  CHECK(linked(*line, 0, 1));
}

TEST_CASE("every fault that names nothing is refused, with what was meant", "[topology]") {
  const auto problems =
      problems_of(named_ring(), {"router nort", "link north soutth", "link north", "node 3"});
  REQUIRE(problems.size() == 4);
  CHECK(problems[0].hint == "did you mean north?");
  CHECK(problems[1].hint == "did you mean south?");
  CHECK(problems[2].hint.find("link NAME NAME") != std::string::npos);
  CHECK(problems[3].what.find("node 3") != std::string::npos);
}

TEST_CASE("a fault between routers that are no neighbours is refused, with the neighbours",
          "[topology]") {
  const auto problems = problems_of(mesh({3, 3}), {"link 0 4"});
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].hint == "links lead from router 0 to 1 and 3");
  CHECK(problems_of(mesh({3, 3}), {"router 9"})[0].hint == "routers are 0 to 8");
}

TEST_CASE("faults that cut nodes off are refused, with the pairs", "[topology]") {
  const auto corner = problems_of(mesh({2, 2}), {"link 0 1", "link 0 2 oneway"});
  REQUIRE(corner.size() == 1);
  CHECK(corner[0].what ==
        "no way is left from node 0 to node 1, node 0 to node 2 and node 0 to node 3");
  const auto half = problems_of(mesh({6}), {"link 2 3"});
  REQUIRE(half.size() == 1);
  CHECK(half[0].what.find("node 2 to node 4 and more") != std::string::npos);
  CHECK(problems_of(mesh({1, 2}), {"router 0", "router 1"})[0].what == "no node is left");
}
