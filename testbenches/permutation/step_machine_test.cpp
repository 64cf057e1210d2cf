// SPDX-License-Identifier: Apache-2.0
#include "permutation/step_machine.h"

#include "permutation/instance.h"
#include "routes.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

Instance packets_between(std::vector<std::pair<std::uint32_t, std::uint32_t>> ends) {
  Instance packets;
  for (const auto& [from, to] : ends) packets.push_back({NodeId{from}, NodeId{to}});
  return packets;
}

std::string on_line(const std::string& pairs, const std::string& discipline) {
  return "permutation: {pairs: [" + pairs + "]}, algorithm: greedy, discipline: " + discipline;
}

/// Routers a, b, c and d in a line, and a detour from b through x to c. Node 0 is at a; nodes 1 and
/// 2 receive at d.
class Detour : public Topology {
 public:
  Detour() : Topology("detour") {
    for (int router = 0; router < 5; ++router) add_router(2, 2);
    join(kA, 0, kB, 0);
    join(kB, 0, kC, 0);
    join(kC, 0, kD, 0);
    join(kB, 1, kX, 0);
    join(kX, 0, kC, 1);
    add_node({{RouterId{kA}, PortId{0}}, {RouterId{kA}, PortId{1}}});
    add_node({{RouterId{kX}, PortId{1}}, {RouterId{kD}, PortId{0}}});
    add_node({{RouterId{kD}, PortId{1}}, {RouterId{kD}, PortId{1}}});
  }

  static constexpr std::uint32_t kA = 0, kB = 1, kC = 2, kD = 3, kX = 4;

 private:
  void join(std::uint32_t from, std::uint16_t output, std::uint32_t to, std::uint16_t input) {
    add_channel({{RouterId{from}, PortId{output}}, {RouterId{to}, PortId{input}}});
  }
};

/// Packets for node 2 take the detour.
class OverDetour : public Routing {
 public:
  Route route(const RouteRequest& request) const override {
    const std::uint32_t router = index(request.router);
    const bool second = index(request.destination) == 2;
    const bool turns = router == Detour::kB || router == Detour::kD;
    return {PortId{static_cast<std::uint16_t>(turns && second ? 1 : 0)}, 1};
  }
  VcSet injection_vcs(NodeId, NodeId) const override { return 1; }
};

/// Packets for node 2 go first.
class SecondFirst : public QueuePriority {
 public:
  std::uint32_t rank(const QueueEntry& entry) const override {
    return index(entry.destination) == 2 ? 0 : 1;
  }
};

}  // namespace

TEST_CASE("a packet that waits behind another is delayed by one step", "[permutation]") {
  const Grid line = mesh({4});
  OnePhase phase(line);
  const PhaseOutcome outcome = phase.run(packets_between({{0, 3}, {0, 2}}));
  CHECK(outcome.steps == 3);  // The packet for the farther node leaves first.
  CHECK(outcome.delays == std::vector<std::uint32_t>{0, 1});
  CHECK(outcome.max_queue == 2);
  CHECK(outcome.max_held == 1);
  CHECK(outcome.congestion == 2);
  CHECK(outcome.longest_path == 3);
  CHECK(outcome.lower_bound() == 3);
}

TEST_CASE("a packet for its own node is there before the first step", "[permutation]") {
  const Grid line = mesh({3});
  OnePhase phase(line);
  const PhaseOutcome outcome = phase.run(packets_between({{1, 1}, {2, 2}}));
  CHECK(outcome.steps == 0);
  CHECK(outcome.max_queue == 0);
  CHECK(outcome.congestion == 0);
}

TEST_CASE("queues of one router add up to what it holds", "[permutation]") {
  const Grid line = mesh({5});
  OnePhase phase(line);
  const PhaseOutcome outcome = phase.run(packets_between({{2, 3}, {2, 4}, {2, 4}, {2, 0}, {2, 1}}));
  CHECK(outcome.max_queue == 3);
  // Two packets wait behind the head for the right, one for the left.
  CHECK(outcome.max_held == 3);
}

// A node has three packets, for nodes at distances 1, 2 and 3: only the order of the queue differs.
TEST_CASE("every discipline sends the packet first that it is named after", "[permutation]") {
  const char* const pairs = "0, 2, 0, 1, 0, 3";
  const auto steps = [&](const char* discipline) {
    return figures_of("mesh, sizes: [4]", "dimension_order", on_line(pairs, discipline)).steps;
  };
  CHECK(steps("farthest_first") == 3);  // Distances plus delays: 3 + 0, 2 + 1, 1 + 2.
  CHECK(steps("farthest") == 3);
  CHECK(steps("nearest_first") == 5);  // Distances plus delays: 1 + 0, 2 + 1, 3 + 2.
  CHECK(steps("fifo") == 5);           // The third packet of the list leaves last.
  CHECK(steps("lifo") == 5);  // All packets join in the same step, so their numbers decide.
}

// The packet of node 0 joins the three of node 1 after step 1, when the first of the three has
// left.
TEST_CASE("what joined first leaves first, last with last in, first out", "[permutation]") {
  const char* const pairs = "0, 3, 1, 2, 1, 2, 1, 3";
  const auto figures = [&](const char* discipline) {
    return figures_of("mesh, sizes: [4]", "dimension_order", on_line(pairs, discipline));
  };
  // The delays of packets 0 to 3 are 2, 0, 1, 2.
  CHECK(figures("fifo").delays == std::vector<std::uint64_t>{1, 1, 2});
  // The delays, sorted, are 0, 0, 2, 3.
  CHECK(figures("lifo").delays == std::vector<std::uint64_t>{2, 0, 1, 1});
}

TEST_CASE("paths that meet again break the delay theorem, and it says so", "[permutation]") {
  const Detour topology;
  const OverDetour routing;
  const SecondFirst priority;
  MovePaths paths(topology, routing, 1);
  StepMachine machine(paths, priority);
  Schedule phases;
  phases.begin_round();
  phases.add(NodeId{0}, NodeId{1}, ChunkId{0});
  phases.add(NodeId{0}, NodeId{2}, ChunkId{1});
  const PhaseOutcome outcome = machine.run(phases.messages(0));
  CHECK(outcome.delays == std::vector<std::uint32_t>{2, 0});
  const DelayTheorem theorem = check_delay_theorem(machine, outcome);
  CHECK(theorem.greatest_sharing == 1);
  CHECK(theorem.violations == 1);
  CHECK_FALSE(theorem.applies);
}

TEST_CASE("the delay theorem holds and is tight where paths meet once", "[permutation]") {
  const Grid line = mesh({5});
  OnePhase phase(line);
  const PhaseOutcome outcome = phase.run(packets_between({{0, 4}, {0, 4}, {0, 4}, {0, 3}}));
  CHECK(phase.theorem.applies);
  CHECK(phase.theorem.violations == 0);
  CHECK(phase.theorem.greatest_sharing == 3);
  CHECK(outcome.delays == std::vector<std::uint32_t>{0, 1, 2, 3});
}
