// SPDX-License-Identifier: Apache-2.0
#include "routing/hierarchical.h"

#include "config/configuration.h"
#include "config/problem.h"
#include "routing/analysis/deadlock.h"
#include "routing/catalog.h"
#include "routing/shortest_path.h"
#include "routing/walk.h"
#include "support/test_catch.h"
#include "topology/catalog.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

std::unique_ptr<Topology> dies(const std::string& keys) {
  return make_topology(
      read_section("topology", topology_keys(), "{kind: hierarchy, " + keys + "}", "x.yaml"));
}

std::unique_ptr<Routing> routed(const Topology& topology, std::size_t channels,
                                const std::string& within = "dimension_order",
                                const std::string& between = "dimension_order") {
  const RoutingEntry& entry = *routings().find("hierarchical");
  return make_routing(
      example_of(entry, "routing.kind",
                 "within: {kind: " + within + "}, between: {kind: " + between + "}"),
      {topology, channels});
}

std::string problem_of(const Topology& topology, std::size_t channels,
                       const std::string& within = "dimension_order",
                       const std::string& between = "dimension_order") {
  try {
    routed(topology, channels, within, between);
  } catch (const ConfigError& error) {
    const Problem& problem = error.problems().front();
    return problem.key + ": " + problem.what + "; " + problem.hint;
  }
  return "";
}

std::vector<std::uint32_t> way(const Topology& topology, const Routing& routing, std::uint32_t from,
                               std::uint32_t to, std::uint16_t plane) {
  std::vector<std::uint32_t> routers;
  const Walk walked =
      walk(topology, Adjacency(topology), routing, NodeId{from}, NodeId{to}, 0, 100, {plane, 0});
  for (const Hop& hop : walked.hops) routers.push_back(index(hop.router));
  return routers;
}

const char* const kFourDies =
    "within: {kind: mesh, sizes: [2, 2]}, between: {kind: mesh, sizes: [2, 2]}, ";

}  // namespace

TEST_CASE("a packet goes to boundary routers, over dies and to its node", "[routing]") {
  const auto topology = dies(std::string(kFourDies) + "at: [1, 0, 2, 3, 3, 2, 3, 1]");
  const auto routing = routed(*topology, 5);
  // From router 0 of die 0 to router 2 of die 3: over die 1, into which port 0 leads at router 0,
  // and from which port 2 leads at router 2 to router 3 of die 3.
  CHECK(way(*topology, *routing, 0, 14, 0) == std::vector<std::uint32_t>{0, 1, 4, 6, 15});
  // In plane 1 by routers 3 and 2, then 3 and 1.
  CHECK(way(*topology, *routing, 0, 14, 1) == std::vector<std::uint32_t>{0, 1, 3, 6, 7, 13, 12});
  CHECK(way(*topology, *routing, 12, 15, 0) == std::vector<std::uint32_t>{12, 13});
  CHECK(routing->choices(NodeId{0}, NodeId{14}) == 2);
  CHECK(routing->choices(NodeId{12}, NodeId{15}) == 1);
}

TEST_CASE("dies of meshes, rings and trees are free of deadlock", "[routing]") {
  struct Case {
    std::string keys;
    std::size_t channels;
    std::string within;
    std::string between;
  };
  const std::vector<Case> cases{
      {"within: {kind: mesh, sizes: [3, 3]}, between: {kind: mesh, sizes: [3, 3]}, at: [5, 3, 7, "
       "1]",
       5, "dimension_order", "dimension_order"},
      // Packets from west to east share a channel with those from north to south.
      {"within: {kind: mesh, sizes: [4]}, between: {kind: mesh, sizes: [4, 4]}, at: [3, 0, 2, 1]",
       5, "dimension_order", "dimension_order"},
      {"within: {kind: mesh, sizes: [3, 3]}, between: {kind: mesh, sizes: [3, 3]}, at: 4", 5,
       "dimension_order", "dimension_order"},
      {"within: {kind: mesh, sizes: [2, 2]}, between: {kind: torus, sizes: [4, 4]}, at: [1, 0, 2, "
       "3]",
       9, "dimension_order", "dimension_order"},
      {"within: {kind: ring, nodes: 5}, between: {kind: ring, nodes: 5}, at: [1, 4]", 10,
       "dimension_order", "dimension_order"},
      {"within: {kind: fat_tree, arity: 2, levels: 2}, between: {kind: hypercube, dimension: 3}, "
       "at: [0, 1, 1]",
       4, "d_mod_k", "e_cube"},
      {"within: {kind: cmesh, sizes: [2, 2], tile: [1, 2]}, between: {kind: complete, nodes: 4}, "
       "at: [0, 1, 3]",
       4, "dimension_order", "shortest_path"}};
  for (const Case& one : cases) {
    INFO(one.keys);
    const auto topology = dies(one.keys);
    const auto routing = routed(*topology, one.channels, one.within, one.between);
    CHECK(check_dependencies(*topology, *routing, one.channels).acyclic());
    // One virtual channel fewer does not tell all packets apart.
    CHECK(problem_of(*topology, one.channels - 1, one.within, one.between) != "");
  }
}

TEST_CASE("the shortest paths over dies alone can deadlock", "[routing]") {
  const auto topology = dies(
      "within: {kind: mesh, sizes: [3, 3]}, between: {kind: mesh, sizes: [3, 3]}, at: [5, 3, 7, "
      "1]");
  CHECK_FALSE(check_dependencies(*topology, ShortestPath(*topology, 5), 5).acyclic());
}

TEST_CASE("routings that do not fit a part are refused", "[routing]") {
  const auto topology = dies(std::string(kFourDies) + "at: [1, 0, 2, 3]");
  CHECK(problem_of(*topology, 4) ==
        "router.virtual_channels: 5 classes of virtual channels, 1 each, tell packets that begin "
        "in a die from those of each port between dies, and hierarchy mesh 2x2 in mesh 2x2 has 4 "
        "at each port; use 5 or more, or another routing");
  CHECK(problem_of(*topology, 8, "minimal_adaptive") ==
        "routing.within.kind: minimal_adaptive does not give every packet one path; choose a "
        "deterministic routing");
  CHECK(problem_of(*topology, 8, "valiant").find("does not give every packet one path") !=
        std::string::npos);
  CHECK(problem_of(*topology, 8, "dimension_order", "e_cube")
            .find("routing.between.kind: e_cube does not work on mesh 2x2; choose ") == 0);
}

TEST_CASE("classes share all virtual channels of a port evenly", "[routing]") {
  const auto topology = dies(std::string(kFourDies) + "at: [1, 0, 2, 3]");
  const auto routing = routed(*topology, 10);
  CHECK(routing->injection_vcs(NodeId{0}, NodeId{14}) == vc_range(0, 2));
  CHECK(check_dependencies(*topology, *routing, 10).acyclic());
}
