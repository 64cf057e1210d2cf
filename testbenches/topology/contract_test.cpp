// SPDX-License-Identifier: Apache-2.0
// Requirements on every topology of the catalog.
#include <cmath>
#include <set>
#include <tuple>

#include "support/test_catch.h"
#include "topology/adjacency.h"
#include "topology/butterfly.h"
#include "topology/catalog.h"
#include "topology/clos.h"
#include "topology/examples.h"
#include "topology/graph.h"
#include "topology/grid.h"
#include "topology/topology.h"

using namespace flitcast;

namespace {

std::pair<std::uint32_t, std::uint16_t> key(Endpoint end) {
  return {index(end.router), index(end.port)};
}

// True except for families with one-way links; a graph may pair its ports, too, but numbers them in
// file order.
bool undirected(const Topology& topology) {
  return dynamic_cast<const Butterfly*>(&topology) == nullptr &&
         dynamic_cast<const Clos*>(&topology) == nullptr &&
         dynamic_cast<const Graph*>(&topology) == nullptr;
}

bool wraps(const Topology& topology) {
  const auto* const grid = dynamic_cast<const Grid*>(&topology);
  return grid != nullptr && grid->wraps(0);
}

}  // namespace

TEST_CASE("every channel end and node end is a port of its own that exists", "[topology]") {
  for (const auto& topology : example_topologies()) {
    INFO(topology->name());
    std::set<std::pair<std::uint32_t, std::uint16_t>> inputs;
    std::set<std::pair<std::uint32_t, std::uint16_t>> outputs;
    const auto claim_output = [&](Endpoint end) {
      REQUIRE(index(end.router) < topology->router_count());
      CHECK(index(end.port) < topology->output_count(end.router));
      CHECK(outputs.insert(key(end)).second);
    };
    const auto claim_input = [&](Endpoint end) {
      REQUIRE(index(end.router) < topology->router_count());
      CHECK(index(end.port) < topology->input_count(end.router));
      CHECK(inputs.insert(key(end)).second);
    };
    for (const Channel& channel : topology->channels()) {
      claim_output(channel.from);
      claim_input(channel.to);
      CHECK_FALSE(channel.from.router == channel.to.router);
    }
    for (const NodeId node : topology->nodes()) {
      claim_input(topology->attachment(node).injection);
      claim_output(topology->attachment(node).ejection);
    }
  }
}

TEST_CASE("every node reaches every node, and the node grid holds each once", "[topology]") {
  for (const auto& topology : example_topologies()) {
    INFO(topology->name());
    CHECK_NOTHROW(measure(*topology));
    CHECK(bounded_product(topology->node_grid()) == topology->node_count());
  }
}

TEST_CASE("a drawing has a place of its own for every router, not nearer than neighbours",
          "[topology]") {
  for (const auto& topology : example_topologies()) {
    INFO(topology->name());
    const Layout layout = topology->layout();
    REQUIRE(layout.size() == topology->router_count());
    for (std::size_t a = 0; a < layout.size(); ++a) {
      CHECK(layout[a].x >= 0);
      CHECK(layout[a].y >= 0);
      for (std::size_t b = 0; b < a; ++b) {
        CHECK(std::hypot(layout[a].x - layout[b].x, layout[a].y - layout[b].y) > 0.9);
      }
    }
  }
}

TEST_CASE("the size told before a topology is made is its own, channels round wraps apart",
          "[topology]") {
  for (const TopologyEntry& entry : topologies()) {
    if (entry.size == nullptr) continue;
    for (const std::string& example : entry.examples) {
      const Section section = example_of(entry, "topology.kind", example);
      const TopologySize told = entry.size(section);
      const auto topology = entry.make(section);
      INFO(topology->name());
      CHECK(told.routers == topology->router_count());
      CHECK(told.nodes == topology->node_count());
      CHECK(told.channels <= topology->channels().size());
      CHECK((wraps(*topology) || told.channels == topology->channels().size()));
      for (const RouterId router : topology->routers()) {
        CHECK(told.ports <= topology->input_count(router));
        CHECK(told.ports <= topology->output_count(router));
      }
    }
  }
}

TEST_CASE("undirected families face each other: input p hears the neighbour that output p reaches",
          "[topology]") {
  for (const auto& topology : example_topologies()) {
    if (!undirected(*topology)) continue;
    INFO(topology->name());
    std::set<std::tuple<std::uint32_t, std::uint16_t, std::uint32_t>> reached;
    std::set<std::tuple<std::uint32_t, std::uint16_t, std::uint32_t>> heard;
    for (const Channel& channel : topology->channels()) {
      reached.emplace(index(channel.from.router), index(channel.from.port),
                      index(channel.to.router));
      heard.emplace(index(channel.to.router), index(channel.to.port), index(channel.from.router));
    }
    CHECK(reached == heard);
  }
}
