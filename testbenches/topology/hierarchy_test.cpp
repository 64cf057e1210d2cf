// SPDX-License-Identifier: Apache-2.0
#include "topology/hierarchy.h"

#include <map>
#include <set>
#include <stdexcept>

#include "config/configuration.h"
#include "config/problem.h"
#include "support/test_catch.h"
#include "topology/catalog.h"
#include "topology/channel_classes.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

using Counts = std::map<std::string, std::size_t>;
using Pairs = std::multiset<std::pair<std::uint32_t, std::uint32_t>>;

Hierarchy six_dies(const std::vector<std::size_t>& at) {
  return {std::make_shared<Grid>(mesh({2, 2})), std::make_shared<Grid>(mesh({3, 2})), at};
}

Pairs joined(const Topology& topology, const std::string& channel_class) {
  Pairs pairs;
  for (const Channel& channel : topology.channels()) {
    if (topology.channel_class(channel) != channel_class) continue;
    pairs.insert({index(channel.from.router), index(channel.to.router)});
  }
  return pairs;
}

std::unique_ptr<Topology> named(const std::string& keys) {
  return make_topology(
      read_section("topology", topology_keys(), "{kind: hierarchy, " + keys + "}", "x.yaml"));
}

std::vector<std::string> problems_of(const std::string& keys) {
  std::vector<std::string> texts;
  try {
    named(keys);
  } catch (const ConfigError& error) {
    for (const Problem& problem : error.problems()) {
      texts.push_back(problem.key + ": " + problem.what + "; " + problem.hint);
    }
  }
  return texts;
}

}  // namespace

TEST_CASE("a die is joined to its neighbours at the boundary routers of its ports", "[topology]") {
  const Hierarchy dies = six_dies({1, 0, 2, 3});  // East, west, south, north.
  CHECK(dies.router_count() == 24);
  CHECK(dies.node_count() == 24);
  CHECK(dies.node_grid() == std::vector<std::size_t>{2, 2, 3, 2});
  CHECK(channel_classes(dies) ==
        Counts{{"die_to_die", 14}, {"dimension_0", 24}, {"dimension_1", 24}});
  // Router 1 of die 0 leads east to router 0 of die 1, router 2 south to router 3 of die 3.
  const Pairs between = joined(dies, "die_to_die");
  CHECK(between.count({1, 4}) == 1);
  CHECK(between.count({4, 1}) == 1);
  CHECK(between.count({2, 4 * 3 + 3}) == 1);
  CHECK(between.count({4 * 3 + 3, 2}) == 1);
  CHECK(between.size() == 14);
}

TEST_CASE("planes are parallel channels at boundary routers of their own", "[topology]") {
  const Hierarchy dies = six_dies({1, 0, 2, 3, 3, 2, 0, 1});
  CHECK(dies.planes() == 2);
  const Pairs between = joined(dies, "die_to_die");
  CHECK(between.size() == 28);
  CHECK(between.count({1, 4}) == 1);
  CHECK(between.count({3, 6}) == 1);
}

TEST_CASE("one boundary router can have the channels to all dies", "[topology]") {
  const Hierarchy dies = six_dies({3});
  CHECK(dies.planes() == 1);
  CHECK(joined(dies, "die_to_die").count({3, 7}) == 1);
  CHECK(dies.output_count(RouterId{3}) == dies.within().output_count(RouterId{3}) + 4);
  CHECK(dies.output_count(RouterId{2}) == dies.within().output_count(RouterId{2}));
}

TEST_CASE("an input of a boundary router tells the port of the die, others none", "[topology]") {
  const Hierarchy dies = six_dies({1, 0, 2, 3, 3, 2, 0, 1});
  for (std::size_t plane = 0; plane < 2; ++plane) {
    for (std::uint16_t port = 0; port < 4; ++port) {
      const Hierarchy::Gate& gate = dies.gate(plane, PortId{port});
      CHECK(dies.port_behind(RouterId{4 + index(gate.router)}, gate.input) == port);
    }
  }
  CHECK(dies.port_behind(RouterId{5}, PortId{0}) == dies.ports());
}

TEST_CASE("meshes along whole borders are one mesh, whose channels across are of a class",
          "[topology]") {
  const auto dies =
      named("within: {kind: mesh, sizes: [2, 2]}, between: {kind: mesh, sizes: [3, 2]}");
  const Grid whole = mesh({6, 4});
  REQUIRE(dies->channels().size() == whole.channels().size());
  for (std::size_t c = 0; c < whole.channels().size(); ++c) {
    CHECK(dies->channels()[c].from == whole.channels()[c].from);
    CHECK(dies->channels()[c].to == whole.channels()[c].to);
  }
  // Two borders of four rows and one of six columns, both ways.
  CHECK(channel_classes(*dies).at("die_to_die") == 2 * (2 * 4 + 6));
  CHECK(joined(*dies, "die_to_die").count({1, 2}) == 1);
  CHECK(joined(*dies, "die_to_die").count({0, 1}) == 0);
  CHECK(joined(*dies, "die_to_die").count({6, 12}) == 1);
  const auto torus =
      named("within: {kind: mesh, sizes: [2, 2]}, between: {kind: torus, sizes: [3, 2]}");
  CHECK(channel_classes(*torus).at("die_to_die") == 2 * (3 * 4 + 2 * 6));
}

TEST_CASE("channels of parts keep their latencies", "[topology]") {
  Grid within = mesh({2, 2});
  within.channel(0).latency = 7;
  Grid between = mesh({2});
  between.channel(0).latency = 9;
  between.channel(0).cycles_per_flit = 3;
  const Hierarchy dies(std::make_shared<Grid>(within), std::make_shared<Grid>(between), {0});
  std::size_t sevens = 0, nines = 0;
  for (const Channel& channel : dies.channels()) {
    sevens += channel.latency == 7 ? 1 : 0;
    nines += channel.latency == 9 && channel.cycles_per_flit == 3 ? 1 : 0;
  }
  CHECK(sevens == 2);
  CHECK(nines == 1);
}

TEST_CASE("parts that do not fit are refused with what would", "[topology]") {
  const std::string die = "within: {kind: mesh, sizes: [2, 2]}, ";
  CHECK(
      problems_of(die + "between: {kind: mesh, sizes: [3, 2]}, at: [1, 0, 2]") ==
      std::vector<std::string>{
          "topology.at: 3 boundary routers for 4 ports of a die in mesh 3x2; list one for all, or "
          "4 in the order of the ports, or a multiple for parallel channels"});
  CHECK(problems_of(die + "between: {kind: mesh, sizes: [3, 2]}, at: [1, 4, 2, 9]") ==
        std::vector<std::string>{"topology.at: router 4 is not in mesh 2x2; routers are 0 to 3",
                                 "topology.at: router 9 is not in mesh 2x2; routers are 0 to 3"});
  CHECK(problems_of("within: {kind: fat_tree, arity: 2, levels: 2}, between: {kind: ring, nodes: "
                    "3}, at: 3") ==
        std::vector<std::string>{"topology.at: router 3 of fat_tree 2-ary 2-tree has no node; "
                                 "choose a router with a node, which routings within the die can "
                                 "lead to"});
  CHECK(problems_of(die + "between: {kind: crossbar, nodes: 4}, at: 0")
            .front()
            .find("topology.between.kind: crossbar 4 does not join routers of one node each") == 0);
  CHECK(problems_of(die + "between: {kind: ring, nodes: 4}") ==
        std::vector<std::string>{
            "topology.at: mesh 2x2 in ring 4 have no borders that fit each other; list boundary "
            "routers of a die, or join meshes by a mesh or torus of as many dimensions"});
  CHECK(problems_of("within: {kind: torus, sizes: [2, 2]}, between: {kind: mesh, sizes: [2, 2]}")
            .size() == 1);
  CHECK(problems_of("within: {kind: mesh, sizes: [4096, 4096]}, between: {kind: mesh, sizes: [2, "
                    "2]}, at: 0")
            .size() == 1);
  CHECK_THROWS_AS(six_dies({}), std::invalid_argument);
  CHECK_THROWS_AS(six_dies({4}), std::invalid_argument);
}
