// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/circuit_layout.h"

#include "network/circuit/circuit_run.h"
#include "support/test_catch.h"
#include "topology/clos.h"

using namespace flitcast;

namespace {

Clos topology_of(const clos::MultistageStructure& structure) {
  std::vector<Clos::Level> levels;
  for (const clos::Structure& level : structure.levels) levels.push_back({level.n1, level.m});
  return {levels, structure.levels.back().r1};
}

bool same(const CircuitLayout::Port& port, const Endpoint& endpoint) {
  return port.switch_number == index(endpoint.router) && port.port == index(endpoint.port);
}

}  // namespace

TEST_CASE("switches are numbered and wired as in the topology", "[circuit]") {
  const auto structure =
      GENERATE(symmetric(1, 1, 1), symmetric(5, 2, 3), five_stages(3, 2, 4, 3, 2),
               clos::MultistageStructure{{clos::Structure::symmetric(3, 2, 8),
                                          clos::Structure::symmetric(4, 2, 4),
                                          clos::Structure::symmetric(5, 2, 2)}});
  const CircuitLayout layout(structure);
  const Clos topology = topology_of(structure);
  REQUIRE(layout.switches().size() == topology.router_count());
  for (std::uint32_t s = 0; s < layout.switches().size(); ++s) {
    CHECK(layout.switches()[s].inputs == topology.input_count(RouterId{s}));
    CHECK(layout.switches()[s].outputs == topology.output_count(RouterId{s}));
  }
  for (const Channel& channel : topology.channels()) {
    REQUIRE(same(layout.target(index(channel.from.router), index(channel.from.port)), channel.to));
  }
  REQUIRE(layout.nodes() == topology.node_count());
  for (std::uint32_t node = 0; node < layout.nodes(); ++node) {
    CHECK(same(layout.entry({}, node), topology.attachment(NodeId{node}).injection));
    const CircuitLayout::Port exit = layout.exit({}, node);
    CHECK(same(exit, topology.attachment(NodeId{node}).ejection));
    CHECK(layout.target(exit.switch_number, exit.port).switch_number == CircuitLayout::kNode);
    CHECK(layout.target(exit.switch_number, exit.port).port == node);
  }
}

TEST_CASE("every hop leads to the next stage", "[circuit]") {
  const CircuitLayout layout(five_stages(3, 2, 4, 3, 2));
  for (std::uint32_t s = 0; s < layout.switches().size(); ++s) {
    for (std::uint32_t output = 0; output < layout.switches()[s].outputs; ++output) {
      const std::uint32_t next = layout.target(s, output).switch_number;
      if (next == CircuitLayout::kNode) {
        CHECK(layout.switches()[s].stage == 4);
      } else {
        CHECK(layout.switches()[next].stage == layout.switches()[s].stage + 1);
      }
    }
  }
}
