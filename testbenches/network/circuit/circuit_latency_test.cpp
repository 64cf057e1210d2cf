// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "base/random.h"
#include "network/circuit/circuit_run.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Nodes = std::vector<std::uint32_t>;

/// c of a design, as its definition has it.
std::uint64_t pass_clocks(const std::string& design, std::uint64_t m, std::uint64_t r) {
  const std::map<std::string, std::uint64_t> clocks{
      {"seq_counter", m * r + 1}, {"seq_adder", m + 1}, {"par_counter", r + 1}, {"par_adder", 1}};
  return clocks.at(design);
}

/// In an empty network S1 lets middle switch 0 of every level carry everything: P = 1.
std::uint64_t empty_network_clocks(const clos::MultistageStructure& structure,
                                   const std::string& design) {
  std::uint64_t clocks = 0;
  for (const clos::Structure& level : structure.levels) {
    clocks += 1 + pass_clocks(design, level.m, level.r2) + 1;
  }
  return clocks;
}

/// Sends one packet through the network, which must be idle, and checks when it arrives where.
void check_packet(CircuitRun& run, std::uint32_t from, const Nodes& to, std::uint32_t length,
                  std::uint64_t controller_clocks) {
  const CircuitParams& params = run.network.params();
  const std::uint64_t stages = run.network.layout().structure().stages();
  const std::uint64_t latency = params.request_cycles + controller_clocks +
                                params.configuration_cycles + stages * params.stage_cycles +
                                length - 1;
  const Cycle created = run.network.now();
  run.probe.deliveries.clear();
  run.send(from, to, length);
  run.network.run(latency + 1 + params.teardown_cycles);
  CHECK(run.state(from) == TerminalState::kIdle);  // Links are taken for t_td more, and no longer.
  Nodes reached;
  for (const Delivery& delivery : run.probe.deliveries) {
    reached.push_back(index(delivery.node));
    REQUIRE(delivery.arrival - created == latency);
    REQUIRE(delivery.hops == stages);
  }
  REQUIRE(reached == to);
  REQUIRE(run.network.control().state().idle_outputs().count() == run.network.layout().nodes());
}

Nodes members_of(std::uint64_t mask) {
  Nodes nodes;
  for (std::uint32_t node = 0; mask >> node != 0; ++node) {
    if ((mask >> node & 1) != 0) nodes.push_back(node);
  }
  return nodes;
}

CircuitParams timing(std::uint32_t request, std::uint32_t configuration, std::uint32_t stage,
                     std::uint32_t teardown) {
  CircuitParams params;
  params.request_cycles = request;
  params.configuration_cycles = configuration;
  params.stage_cycles = stage;
  params.teardown_cycles = teardown;
  return params;
}

}  // namespace

TEST_CASE("every request of an idle network takes the time of the formula", "[circuit]") {
  CircuitParams params = GENERATE(timing(1, 1, 1, 1), timing(3, 5, 7, 9), timing(0, 0, 1, 0),
                                  timing(2, 0, 2, 13), timing(0, 4, 3, 1));
  params.controller =
      GENERATE(as<std::string>{}, "seq_counter", "seq_adder", "par_counter", "par_adder");
  const clos::MultistageStructure structure = symmetric(4, 2, 2);
  CircuitRun run("network", structure, params);
  const std::uint64_t clocks = empty_network_clocks(structure, params.controller);
  for (std::uint32_t from = 0; from < 4; ++from) {
    for (std::uint64_t to = 1; to < 16; ++to) {
      for (const std::uint32_t length : {1U, 2U, 5U}) {
        check_packet(run, from, members_of(to), length, clocks);
      }
    }
  }
  CHECK_NOTHROW(run.network.audit());
}
