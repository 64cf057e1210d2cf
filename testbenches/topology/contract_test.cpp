// SPDX-License-Identifier: Apache-2.0
// What every topology of the catalog owes to the network.
#include <set>
#include <tuple>

#include "support/test_catch.h"
#include "topology/catalog.h"
#include "topology/examples.h"
#include "topology/limits.h"
#include "topology/metrics.h"

using namespace flitcast;

namespace {

std::pair<std::uint32_t, std::uint16_t> key(Endpoint end) {
  return {index(end.router), index(end.port)};
}

}  // namespace

TEST_CASE("every topology of the catalog has an example", "[topology]") {
  std::set<std::string> kinds;
  for (const TopologyExample& example : topology_examples()) kinds.insert(example.kind);
  for (const auto& entry : topologies()) CHECK(kinds.count(entry.name) == 1);
}

TEST_CASE("every channel end and node end is a port of its own that exists", "[topology]") {
  for (const TopologyExample& example : topology_examples()) {
    const auto topology = example.make();
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
    for (std::uint32_t node = 0; node < topology->node_count(); ++node) {
      claim_input(topology->attachment(NodeId{node}).injection);
      claim_output(topology->attachment(NodeId{node}).ejection);
    }
  }
}

TEST_CASE("every node reaches every node, and the node grid holds each once", "[topology]") {
  for (const TopologyExample& example : topology_examples()) {
    const auto topology = example.make();
    INFO(topology->name());
    CHECK_NOTHROW(measure(*topology));
    CHECK(bounded_product(topology->node_grid()) == topology->node_count());
  }
}

TEST_CASE("undirected families face each other: input p hears the neighbour that output p reaches",
          "[topology]") {
  for (const TopologyExample& example : topology_examples()) {
    static const std::set<std::string> directed{"butterfly", "clos", "custom"};
    if (directed.count(example.kind) != 0) continue;
    const auto topology = example.make();
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
