// SPDX-License-Identifier: Apache-2.0
// Rounds on Clos networks: the cycles measured are those of the formulas.
#include <string>

#include "clos/controllers/controller.h"
#include "network/circuit/central_control.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"
#include "theory/rounds_run.h"

using namespace flitcast;

namespace {

enum class Copies { kAsynchronous, kSynchronous, kStored };

/// Clos networks with the middle switches of Theorem 3: N = 16, 12 and 9 in three stages, and 16 in
/// five.
Clos clos_number(int number) {
  if (number == 0) return {{{4, 13}}, 4};
  if (number == 1) return {{{2, 8}}, 6};
  if (number == 2) return {{{3, 8}}, 3};
  return {{{4, 13}, {2, 4}}, 2};
}

NetworkParams packet_params(Copies copies) {
  NetworkParams params;
  params.router.virtual_channels = 1;
  params.router.synchronous_copies = copies == Copies::kSynchronous;
  if (copies == Copies::kStored) params.cores = &packet_cores();
  params.router.buffer_depth = copies == Copies::kStored ? 2 : 16;
  params.stored_injection = copies == Copies::kStored;
  params.full_hierarchy = false;
  return params;
}

RoundCase any_case(std::size_t nodes) {
  const bool multicast = GENERATE(true, false);
  const std::vector<RoundCase> cases = round_cases(nodes, multicast, 5);
  return cases[GENERATE_COPY(range(std::size_t{0}, cases.size()))];
}

CircuitParams s1() {
  CircuitParams params;
  params.strategy = find(clos::strategies(), "S1")->make;
  return params;
}

CostModel of_length(std::uint64_t flits) { return {0, 1, 1, flits}; }

CostModel cost_of(const NetworkParams& params, std::uint32_t length) {
  return {static_cast<std::uint64_t>(params.startup + interface_cycles(params)), hop_cycles(params),
          params.cycles_per_flit, length};
}

}  // namespace

TEST_CASE("a round of packets takes the hops of its stages and its length", "[collective]") {
  const int number = GENERATE(0, 1, 2, 3);
  const Copies copies = GENERATE(Copies::kAsynchronous, Copies::kSynchronous, Copies::kStored);
  const Clos clos = clos_number(number);
  const RoundCase one = any_case(clos.node_count());
  const auto length =
      static_cast<std::uint32_t>(item_length(one.demand, kPartialSum, number == 0 ? 7 : 1));
  const NetworkParams params = packet_params(copies);
  INFO(one.name << " on " << clos.name());
  const RoundOutcome outcome = play_packets(clos, one, length, params);
  const std::uint64_t stages = number == 3 ? 5 : 3;
  const std::uint64_t path = copies == Copies::kStored ? stages * (hop_cycles(params) + length)
                                                       : stages * hop_cycles(params) + length;
  CHECK(outcome.finished);
  CHECK(outcome.wrong == 0);
  CHECK(outcome.cycles == one.plan().claim.rounds * (path + 2));
}

TEST_CASE("slow channels, long links and start-ups of packets are in the formula", "[collective]") {
  const Copies copies = GENERATE(Copies::kAsynchronous, Copies::kSynchronous, Copies::kStored);
  const Clos clos = clos_number(1);
  const RoundCase one = any_case(clos.node_count());
  const auto length = static_cast<std::uint32_t>(item_length(one.demand, kPartialSum, 5));
  NetworkParams params = packet_params(copies);
  params.cycles_per_flit = GENERATE(1U, 3U);
  params.link_latency = 2;
  params.startup = 9;
  INFO(one.name);
  const RoundOutcome outcome = play_packets(clos, one, length, params);
  CHECK(outcome.wrong == 0);
  const auto analytic = packet_round_cycles(
      {one.plan().schedule, clos.structure(), s1(), cost_of(params, length), params.unit()});
  REQUIRE(analytic);
  CHECK(outcome.cycles == *analytic);
}

TEST_CASE("a round of circuits takes the controller's clocks for all of its requests",
          "[collective]") {
  const int number = GENERATE(0, 1, 2, 3);
  const Clos clos = clos_number(number);
  const clos::MultistageStructure structure = clos.structure();
  const RoundCase one = any_case(clos.node_count());
  const auto length = static_cast<std::uint32_t>(item_length(one.demand, kPartialSum, 7));
  CircuitParams params = s1();
  const bool slow = GENERATE(false, true);
  params.controller = slow ? "seq_adder" : "par_adder";
  params.request_cycles = slow ? 3 : 0;
  params.configuration_cycles = slow ? 0 : 2;
  params.stage_cycles = slow ? 2 : 1;
  params.teardown_cycles = slow ? 1 : 0;
  INFO(one.name << " on " << clos.name());
  const RoundOutcome outcome = play_circuits(clos, one, length, params);
  CHECK(outcome.finished);
  CHECK(outcome.wrong == 0);
  // Every request takes one pass: S1 finds an idle middle switch for it.
  std::uint64_t clocks = 0;
  for (const clos::Structure& level : structure.levels) {
    clocks += clos::clocks_done(1, slow ? level.m + 1 : 1);
  }
  const std::uint64_t round = params.request_cycles + params.configuration_cycles +
                              structure.stages() * params.stage_cycles + length;
  CHECK(outcome.cycles ==
        one.plan().claim.rounds * round + one.plan().claim.transmissions.value() * clocks);
  CHECK(outcome.cycles ==
        circuit_round_cycles({one.plan().schedule, structure, params, of_length(length)}));
}

TEST_CASE("there is no formula where the control would have to let a message wait",
          "[collective]") {
  const RoundCase exchange{"exchange", {Operation::kAllToAllScatter, 16}, false};
  const Clos narrow({{4, 3}}, 4);
  const clos::MultistageStructure structure = narrow.structure();
  CHECK_FALSE(circuit_round_cycles({exchange.plan().schedule, structure, s1(), of_length(4)}));
  CHECK_FALSE(packet_round_cycles({exchange.plan().schedule, structure, s1(), of_length(1)}));
  SECTION("packets arrive all the same, later") {
    const NetworkParams params = packet_params(Copies::kAsynchronous);
    const RoundOutcome outcome = play_packets(narrow, exchange, 4, params);
    CHECK(outcome.wrong == 0);
    CHECK(outcome.cycles > exchange.plan().claim.rounds * (3 * hop_cycles(params) + 4 + 2));
  }
  SECTION("and circuits") { CHECK(play_circuits(narrow, exchange, 4, s1()).wrong == 0); }
}

TEST_CASE("there is no formula where a round meets the teardown of the one before",
          "[collective]") {
  CircuitParams params = s1();
  params.teardown_cycles = GENERATE(2U, 9U);
  const Clos topology = clos_number(0);
  const clos::MultistageStructure structure = topology.structure();
  const RoundCase scatter{"scatter", {Operation::kScatter, 16}, false};
  const RoundCase once{"broadcast", {Operation::kBroadcast, 16}, true};
  CHECK_FALSE(circuit_round_cycles({scatter.plan().schedule, structure, params, of_length(4)}));
  const std::uint64_t played = play_circuits(topology, scatter, 4, params).cycles;
  const auto analytic =
      circuit_round_cycles({once.plan().schedule, structure, params, of_length(4)});
  REQUIRE(analytic);
  testing::install_fresh_kernel();
  CHECK(play_circuits(topology, once, 4, params).cycles == *analytic);
  params.teardown_cycles = 1;
  const auto without =
      circuit_round_cycles({scatter.plan().schedule, structure, params, of_length(4)});
  REQUIRE(without);
  CHECK(played > *without);
}
