// SPDX-License-Identifier: Apache-2.0
#include "topology/channel_classes.h"

#include <cstdlib>
#include <memory>

#include "config/configuration.h"
#include "config/problem.h"
#include "support/test_catch.h"
#include "topology/catalog.h"
#include "topology/examples.h"
#include "topology/faults.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

using Counts = std::map<std::string, std::size_t>;

std::unique_ptr<Topology> named(const std::string& keys) {
  return make_topology(read_section("topology", topology_keys(), "{" + keys + "}", "x.yaml"));
}

Counts classes_of(const std::string& keys) { return channel_classes(*named(keys)); }

std::unique_ptr<Topology> timed(const std::string& topology, const std::string& link) {
  std::unique_ptr<Topology> made = named(topology);
  set_channels(*made, read_section("link", channel_params(), "{" + link + "}", "x.yaml"));
  return made;
}

std::vector<std::string> problems_of(const std::string& topology, const std::string& link) {
  std::vector<std::string> texts;
  try {
    timed(topology, link);
  } catch (const ConfigError& error) {
    for (const Problem& problem : error.problems()) {
      texts.push_back(problem.key + ": " + problem.what + "; " + problem.hint);
    }
  }
  return texts;
}

const Channel& between(const Topology& topology, std::uint32_t from, std::uint32_t to) {
  for (const Channel& channel : topology.channels()) {
    if (index(channel.from.router) == from && index(channel.to.router) == to) return channel;
  }
  throw std::logic_error("no such channel");
}

}  // namespace

TEST_CASE("the classes of a family are its dimensions, levels and kinds of links", "[topology]") {
  CHECK(classes_of("kind: mesh, sizes: [3, 5]") ==
        Counts{{"dimension_0", 20}, {"dimension_1", 24}});
  CHECK(classes_of("kind: torus, sizes: [4, 3]") ==
        Counts{{"dimension_0", 18}, {"dimension_1", 16}, {"wrap", 2 * 3 + 2 * 4}});
  CHECK(classes_of("kind: ring, nodes: 5") == Counts{{"dimension_0", 8}, {"wrap", 2}});
  CHECK(classes_of("kind: hypercube, dimension: 3") ==
        Counts{{"dimension_0", 8}, {"dimension_1", 8}, {"dimension_2", 8}});
  CHECK(classes_of("kind: cmesh, sizes: [2, 2], tile: [2, 1]") ==
        Counts{{"dimension_0", 4}, {"dimension_1", 4}});
  CHECK(classes_of("kind: flattened_butterfly, sizes: [3, 2], tile: [1, 2]") ==
        Counts{{"dimension_0", 12}, {"dimension_1", 6}});
  CHECK(classes_of("kind: dragonfly, nodes: 2") == Counts{{"local", 9 * 4 * 3}, {"global", 9 * 8}});
  CHECK(classes_of("kind: butterfly, arity: 2, stages: 3") ==
        Counts{{"level_0", 8}, {"level_1", 8}});
  CHECK(classes_of("kind: fat_tree, arity: 2, levels: 3") ==
        Counts{{"level_0", 16}, {"level_1", 16}});
  CHECK(classes_of("kind: folded_clos, nodes: 1, leaves: 4, spines: 3") == Counts{{"level_0", 24}});
  CHECK(classes_of("kind: clos, ports: [2, 2], middle_switches: [3, 3], switches: 2") ==
        Counts{{"level_0", 12}, {"level_1", 18}, {"level_2", 18}, {"level_3", 12}});
  CHECK(classes_of("kind: complete, nodes: 4") == Counts{{"link", 12}});
  CHECK(classes_of("kind: crossbar, nodes: 4").empty());
}

TEST_CASE("channels wrap that join routers at both ends of a dimension", "[topology]") {
  const Grid grid = torus({4, 3});
  for (const Channel& channel : grid.channels()) {
    const int apart = std::abs(static_cast<int>(index(channel.from.router)) -
                               static_cast<int>(index(channel.to.router)));
    CHECK((grid.channel_class(channel) == "wrap") == (apart == 3 || apart == 8));
  }
}

TEST_CASE("every channel of every topology has a class, with faults the same", "[topology]") {
  for (const auto& topology : example_topologies()) {
    INFO(topology->name());
    for (const Channel& channel : topology->channels()) {
      CHECK_FALSE(topology->channel_class(channel).empty());
    }
  }
  CHECK(classes_of("kind: torus, sizes: [4, 3], faults: link 0 3") ==
        Counts{{"dimension_0", 18}, {"dimension_1", 16}, {"wrap", 2 * 3 + 2 * 4 - 2}});
}

TEST_CASE("a class gives all its channels and no others latency, width and buffers", "[topology]") {
  const auto torus = timed("kind: torus, sizes: [4, 3]",
                           "classes: {wrap: {latency: 7}, dimension_1: {cycles_per_flit: 3}, "
                           "dimension_0: {buffer_depth: 65535}}");
  for (const Channel& channel : torus->channels()) {
    const std::string name = torus->channel_class(channel);
    CHECK(channel.latency == (name == "wrap" ? 7 : 0));
    CHECK(channel.cycles_per_flit == (name == "dimension_1" ? 3 : 0));
    CHECK(channel.buffer_depth == (name == "dimension_0" ? 65535 : 0));
  }
}

TEST_CASE("an exception is one way and leaves of its class what it does not say", "[topology]") {
  const auto mesh = timed("kind: mesh, sizes: [3, 2]",
                          "classes: {dimension_0: {latency: 7, cycles_per_flit: 2}}, "
                          "exceptions: [{from: 1, to: 2, latency: 9, buffer_depth: 3}]");
  CHECK(between(*mesh, 1, 2).latency == 9);
  CHECK(between(*mesh, 1, 2).cycles_per_flit == 2);
  CHECK(between(*mesh, 1, 2).buffer_depth == 3);
  CHECK(between(*mesh, 2, 1).buffer_depth == 0);
  CHECK(between(*mesh, 2, 1).latency == 7);
  CHECK(between(*mesh, 1, 4).latency == 0);
}

TEST_CASE("an exception is about all parallel channels", "[topology]") {
  const auto ring = timed("kind: ring, nodes: 2", "exceptions: [{from: 0, to: 1, latency: 9}]");
  std::size_t changed = 0;
  for (const Channel& channel : ring->channels()) changed += channel.latency == 9 ? 1 : 0;
  CHECK(changed == 2);
}

TEST_CASE("a channel has one exception, not two of which the last would hold", "[topology]") {
  CHECK(problems_of("kind: mesh, sizes: [2, 2]",
                    "exceptions: [{from: 0, to: 1, latency: 3}, {from: 1, to: 0, latency: 4}, "
                    "{from: 0, to: 1, latency: 5}]") ==
        std::vector<std::string>{"link.exceptions[2].to: the channel from router 0 to 1 has an "
                                 "exception already; keep one of them"});
}

TEST_CASE("all classes and exceptions that do not exist are refused at once", "[topology]") {
  CHECK(problems_of("kind: torus, sizes: [4, 3]",
                    "classes: {wrapped: {latency: 7}, global: {latency: 2}}, "
                    "exceptions: [{from: 0, to: 5}, {from: 12, to: 1}]") ==
        std::vector<std::string>{
            "link.classes.wrapped: no such class of channels in torus 4x3; its classes are "
            "dimension_0, dimension_1 and wrap",
            "link.classes.global: no such class of channels in torus 4x3; its classes are "
            "dimension_0, dimension_1 and wrap",
            "link.exceptions[0].to: no channel of torus 4x3 leads there; channels lead from router "
            "0 to 1, 3, 4 and 8",
            "link.exceptions[1].from: \"12\" names no router of torus 4x3; routers are 0 to 11"});
  CHECK(problems_of("kind: crossbar, nodes: 4", "classes: {link: {latency: 7}}") ==
        std::vector<std::string>{"link.classes.link: no such class of channels in crossbar 4; it "
                                 "has no channels between routers"});
  CHECK(problems_of("kind: mesh, sizes: [2, 2], faults: link 0 1",
                    "exceptions: [{from: 0, to: 1}]") ==
        std::vector<std::string>{"link.exceptions[0].to: no channel of mesh 2x2 with faults leads "
                                 "there; channels lead from router 0 to 2"});
}
