// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "clos/catalog.h"
#include "network/circuit/circuit_run.h"
#include "network/circuit/multicasts.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Returns the arrival time of each source's last packet.
std::map<std::uint32_t, std::uint64_t> arrivals(const CircuitRun& run) {
  std::map<std::uint32_t, std::uint64_t> result;
  for (const Delivery& delivery : run.probe.deliveries) {
    result[index(delivery.packet.source)] = index(delivery.arrival);
  }
  return result;
}

// T_ctl of par_adder with one pass.
constexpr std::uint64_t kOnePass = 3;

}  // namespace

TEST_CASE("the q-th of N simultaneous requests starts after the clocks of the earlier ones",
          "[circuit]") {
  CircuitParams params;
  params.request_cycles = 3;
  params.configuration_cycles = 5;
  params.stage_cycles = 2;
  params.controller = GENERATE(as<std::string>{}, "seq_counter", "par_adder");
  const clos::Structure structure = clos::Structure::symmetric(7, 4, 4);
  clos::ConnectionAdmission control(structure, find(clos::strategies(), "S1")->make({structure}));
  CircuitRun run("network", {{structure}}, params);
  const std::uint64_t c = params.controller == "par_adder" ? 1 : 7 * 4 + 1;

  Random random(5);
  const std::vector<NodeId> permutation = random_nodes(random, 16, 16);
  std::uint64_t clocks = 0;
  std::map<std::uint32_t, std::uint64_t> expected;
  for (std::uint32_t node = 0; node < 16; ++node) {
    const clos::OutputId output{index(permutation[node])};
    const clos::Selection& selection = control.connect(clos::InputId{node}, {output});
    REQUIRE_FALSE(selection.blocked());
    clocks += 1 + selection.passes() * c + 1;
    expected[node] = 3 + clocks + 5 + 3 * 2 + 1000 - 1;
  }
  std::vector<std::uint32_t> order{3, 7, 0, 15, 2, 9, 1, 4, 5, 14, 13, 6, 8, 12, 10, 11};
  if (GENERATE(false, true)) std::sort(order.begin(), order.end());
  for (const std::uint32_t node : order) run.send(node, {index(permutation[node])}, 1000);
  run.drain();
  CHECK(arrivals(run) == expected);
}

TEST_CASE("requests that come during a round are served after it, whatever their input",
          "[circuit]") {
  CircuitRun run("network", symmetric(7, 4, 2), {});
  run.send(3, {0}, 100);
  run.send(5, {1}, 100);
  run.network.run(2);  // The service of input 3 has begun.
  run.send(1, {2}, 100);
  run.network.run(1);
  run.send(6, {3}, 100);
  run.drain();
  const std::uint64_t first = 1 + kOnePass + 1 + 3 + 99;
  CHECK(arrivals(run) == std::map<std::uint32_t, std::uint64_t>{{3, first},
                                                                {5, first + kOnePass},
                                                                {1, first + 2 * kOnePass},
                                                                {6, first + 3 * kOnePass}});
  // Inputs 5, 1 and 6 reach the controller in cycles 1, 3 and 4 and are served from cycles 4, 7 and
  // 10 on.
  CHECK(run.network.circuit_totals().waits.controller == 3 + 4 + 6);
}

TEST_CASE("a request whose output is taken waits and does not keep the controller", "[circuit]") {
  CircuitRun run("network", symmetric(4, 2, 2), {});
  run.send(0, {1}, 50);
  run.send(1, {0, 1}, 1);
  run.send(2, {3}, 1);
  run.drain();
  const std::uint64_t released = 1 + kOnePass + 1 + 3 + 49 + 1;
  const auto arrival = arrivals(run);
  CHECK(arrival.at(2) == 1 + 2 * kOnePass + 1 + 3);  // Input 1 took no clocks.
  CHECK(arrival.at(1) == released + kOnePass + 1 + 3);
  const CircuitTotals totals = run.network.circuit_totals();
  CHECK(totals.waits.outputs == released - 1);
  CHECK(totals.waits.controller == kOnePass);  // Wait of input 2.
  CHECK(totals.waits.path == 0);
  CHECK(totals.granted == 3);
}

// One middle switch: inputs 0 and 1 share the only link out of their switch.
TEST_CASE("a blocked request is retried after the next release", "[circuit]") {
  CircuitParams params;
  params.teardown_cycles = GENERATE(0U, 1U, 5U);
  CircuitRun run("network", symmetric(1, 2, 2), params);
  run.send(0, {0}, 50);
  run.send(1, {2}, 1);
  run.network.run(1 + kOnePass);
  CHECK(run.state(0) == TerminalState::kSetup);
  CHECK(run.state(1) == TerminalState::kWait);
  run.network.run(2);
  CHECK(run.state(0) == TerminalState::kConnected);
  CHECK(run.state(1) == TerminalState::kSetup);
  run.network.run(1);  // 1 + P c is 2 for the blocked one.
  CHECK(run.state(1) == TerminalState::kBlocked);
  run.network.audit();
  run.drain();
  const std::uint64_t released = 1 + kOnePass + 1 + 3 + 49 + params.teardown_cycles;
  CHECK(arrivals(run).at(1) == released + kOnePass + 1 + 3);
  const CircuitTotals totals = run.network.circuit_totals();
  CHECK(totals.blocked == 1);
  CHECK(totals.granted == 2);
  CHECK(totals.dropped == 0);
  CHECK(totals.waits.path == released - (1 + kOnePass));
  CHECK(totals.waits.controller == kOnePass);
  CHECK(totals.waits.outputs == 0);
}

// Input 2 is released during the service in which input 0 blocks input 1.
TEST_CASE("a release during the service that blocks a request leads to a retry at once",
          "[circuit]") {
  CircuitParams params;
  params.controller = "seq_counter";  // c = 1 * 2 + 1.
  CircuitRun run("network", symmetric(1, 2, 2), params);
  run.open(0, {0});
  REQUIRE(run.settle(0) == TerminalState::kConnected);
  run.open(2, {2});
  REQUIRE(run.settle(2) == TerminalState::kConnected);
  const Cycle sent = run.network.now();
  run.send(1, {1}, 1);
  run.network.run(2);  // The service begins in the second cycle.
  run.network.close(NodeId{2});
  run.network.run(3);
  CHECK(run.state(1) == TerminalState::kSetup);
  run.network.run(1);  // 1 + P c = 4 cycles are over; the next service has begun.
  CHECK(run.network.circuit_totals().blocked == 2);
  CHECK(run.network.now() - sent == 6);
  run.network.audit();
  run.network.close(NodeId{0});
  run.drain();
  CHECK(run.drained());
}

TEST_CASE("a blocked packet is dropped, counted and reported, and the next one goes on",
          "[circuit]") {
  CircuitParams params;
  params.when_blocked = WhenBlocked::kDrop;
  class Listener : public SilentSource {
   public:
    void dropped(const Packet& packet, Cycle now, std::vector<WakeUp>&) override {
      told.emplace_back(packet.id, now);
    }
    std::vector<std::pair<PacketId, Cycle>> told;
  };
  auto listener = std::make_unique<Listener>();
  const auto& told = listener->told;
  CircuitRun run("network", symmetric(1, 2, 2), params, std::move(listener));
  run.send(0, {0}, 10);
  run.send(1, {2, 3}, 3);
  run.drain();
  run.network.audit();
  const PacketId lost{std::uint64_t{1} << 32};
  CHECK(told == std::vector<std::pair<PacketId, Cycle>>{{lost, Cycle{1 + kOnePass + 2}}});
  CircuitTotals totals = run.network.circuit_totals();
  CHECK(totals.dropped == 1);
  CHECK(totals.flits_dropped == 3);
  CHECK(run.network.totals().receivers_dropped == 2);
  CHECK(run.probe.lost.size() == 1);
  CHECK(totals.waits.path == 2);  // Clocks until the request is found blocked.
  CHECK(run.state(1) == TerminalState::kIdle);

  run.send(1, {1}, 4);
  run.drain();
  CHECK(run.network.totals().packets_delivered == 2);
}

TEST_CASE("a level that blocks takes its clocks whatever the strategy counts", "[circuit]") {
  CircuitParams params;
  params.when_blocked = WhenBlocked::kDrop;
  params.strategy = find(clos::strategies(), GENERATE(as<std::string>{}, "S1", "S2", "FF"))->make;
  CircuitRun run("network", five_stages(1, 1, 1, 2, 2), params);
  run.send(0, {0}, 10);
  run.send(1, {2}, 3);  // Its middle network has only one link from that input switch.
  run.drain();
  const CircuitTotals totals = run.network.circuit_totals();
  CHECK(totals.dropped == 1);
  CHECK(totals.grant_cycles == 2 * kOnePass);
  CHECK(totals.block_cycles == kOnePass + 2);
}

TEST_CASE("a held connection that is refused leaves its terminal idle", "[circuit]") {
  CircuitParams params;
  params.when_blocked = WhenBlocked::kDrop;
  CircuitRun run("network", symmetric(1, 2, 2), params);
  run.open(0, {0, 3});
  CHECK(run.settle(0) == TerminalState::kConnected);
  run.open(1, {1});
  CHECK(run.settle(1) == TerminalState::kIdle);
  CHECK(run.network.circuit_totals().dropped == 1);
  CHECK(run.network.totals().packets_created == 0);
  run.network.audit();
  run.network.close(NodeId{0});
  CHECK(run.settle(0) == TerminalState::kIdle);
  run.open(1, {1});
  CHECK(run.settle(1) == TerminalState::kConnected);
}

TEST_CASE("packets wait for the end of a held connection of their terminal", "[circuit]") {
  CircuitRun run("network", symmetric(4, 2, 2), {});
  run.open(0, {1});
  REQUIRE(run.settle(0) == TerminalState::kConnected);
  const Cycle sent = run.network.now();
  run.send(0, {1}, 2);
  run.network.run(100);
  CHECK(run.network.totals().packets_delivered == 0);
  run.network.close(NodeId{0});
  run.drain();
  CHECK(run.network.totals().packets_delivered == 1);
  CHECK(run.network.circuit_totals().source_wait == 100 + 1);
  CHECK(run.probe.deliveries.front().arrival - sent == 100 + 1 + 1 + kOnePass + 1 + 3 + 1);
}
