// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace_source.h"

#include <stdexcept>
#include <vector>

#include "base/random.h"
#include "ideal_network.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Cycles = std::vector<std::uint64_t>;

TraceTask packet(std::uint64_t cycle, std::uint32_t source, std::uint32_t destination = 0) {
  return {Cycle{cycle}, NodeId{source}, NodeId{destination}, 3, 0, 0, 0};
}

Trace trace(std::vector<TraceTask> packets, std::vector<TraceDependency> dependencies = {}) {
  return {{{"t.csv"}}, Trace::Unit::kLine, std::move(packets), std::move(dependencies)};
}

Cycles created(TraceSource& source, std::uint64_t latency) {
  return creation_cycles(play(source, 8, [=](const Packet&) { return latency; }));
}

/// Packets at random nodes and cycles, each waiting for a few earlier ones.
Trace random_trace(std::uint64_t seed) {
  Random random(seed);
  Trace result = trace({});
  for (std::uint32_t i = 0; i < 300; ++i) {
    result.tasks.push_back(packet(random.below(1000), static_cast<std::uint32_t>(random.below(8)),
                                  static_cast<std::uint32_t>(random.below(8))));
    for (std::uint64_t n = random.below(3); i != 0 && n != 0; --n) {
      result.dependencies.push_back({static_cast<std::uint32_t>(random.below(i)), i});
    }
  }
  return result;
}

}  // namespace

TEST_CASE("packets without dependencies are created in their cycles", "[traffic]") {
  TraceSource source(trace({packet(5, 1), packet(0, 1), packet(7, 2), packet(5, 1)}), 8);
  CHECK_FALSE(source.wants_deliveries());
  CHECK(source.first(NodeId{1}) == Cycle{0});
  CHECK(source.first(NodeId{3}) == kNever);
  CHECK(created(source, 10) == Cycles{5, 0, 7, 5});
}

TEST_CASE("packets due in the same cycle at one node keep the order of the trace", "[traffic]") {
  // Packets 0 and 1 become ready by deliveries, in the opposite order; packets 2 and 3 are ready
  // from the start.
  TraceSource source(trace({packet(30, 1), packet(30, 1), packet(30, 1), packet(30, 1),
                            packet(9, 2), packet(3, 2)},
                           {{4, 0}, {5, 1}}),
                     8);
  play(
      source, 8, [](const Packet&) { return 4; }, Cycle{30});
  std::vector<PacketRequest> requests;
  CHECK(source.create(NodeId{1}, Cycle{30}, requests) == kNever);
  REQUIRE(requests.size() == 4);
  for (std::uint64_t i = 0; i < 4; ++i) CHECK(requests[i].tag == i);
}

TEST_CASE("a packet is created one cycle after the last arrival that it waits for", "[traffic]") {
  const std::vector<TraceTask> packets{packet(0, 1), packet(3, 2), packet(4, 3)};
  TraceSource slow(trace(packets, {{0, 2}, {1, 2}}), 8);
  CHECK(slow.wants_deliveries());
  CHECK(created(slow, 10) == Cycles{0, 3, 14});
  TraceSource fast(trace(packets, {{0, 2}, {1, 2}}), 8);
  CHECK(created(fast, 0) == Cycles{0, 3, 4});
  TraceSource chain(trace({packet(0, 1), packet(0, 1), packet(0, 1)}, {{0, 1}, {1, 2}}), 8);
  CHECK(created(chain, 10) == Cycles{0, 11, 22});
}

TEST_CASE("ignored dependencies delay nothing", "[traffic]") {
  TraceSource source(trace({packet(0, 1), packet(3, 2)}, {{0, 1}}), 8, false);
  CHECK_FALSE(source.wants_deliveries());
  CHECK(created(source, 10) == Cycles{0, 3});
}

TEST_CASE("a dependency named twice waits for one arrival", "[traffic]") {
  TraceSource source(trace({packet(0, 1), packet(0, 2)}, {{0, 1}, {0, 1}}), 8);
  CHECK(created(source, 10) == Cycles{0, 11});
}

TEST_CASE("any network speed keeps cycles and dependencies of random traces", "[traffic]") {
  const auto seed = GENERATE(range(0U, 20U));
  const Trace input = random_trace(seed);
  TraceSource source(input, 8);
  Random random(seed);
  const auto deliveries = play(source, 8, [&](const Packet&) { return 1 + random.below(200); });
  REQUIRE(deliveries.size() == 300);
  CHECK(source.all_created());
  Cycles arrivals(300);
  for (const Delivery& delivery : deliveries) {
    arrivals[delivery.packet.tag] = index(delivery.arrival);
  }
  // The first cycle allowed, computed from the definition.
  Cycles allowed;
  for (const TraceTask& facts : input.tasks) allowed.push_back(index(facts.earliest));
  for (const TraceDependency& dependency : input.dependencies) {
    std::uint64_t& cycle = allowed[dependency.after];
    cycle = std::max(cycle, arrivals[dependency.before] + 1);
  }
  CHECK(creation_cycles(deliveries) == allowed);
}

TEST_CASE("the source tells how much is left to create", "[traffic]") {
  TraceSource source(trace({packet(0, 1), packet(3, 2), packet(20, 2)}), 8);
  CHECK(source.packet_count() == 3);
  CHECK(source.created_count() == 0);
  play(
      source, 8, [](const Packet&) { return 1; }, Cycle{10});
  CHECK(source.created_count() == 2);
  CHECK_FALSE(source.all_created());
  std::vector<PacketRequest> requests;
  source.create(NodeId{2}, Cycle{20}, requests);
  CHECK(source.all_created());
}

TEST_CASE("what waits for computations knows its cycle at once", "[traffic]") {
  // A chain of computations, two of which wait for an arrival, is followed by a packet.
  std::vector<TraceTask> tasks(5, TraceTask{Cycle{0}, NodeId{1}, NodeId{1}});
  for (const std::size_t computation : {1, 2, 3}) tasks[computation].delay = 100 * computation;
  tasks[0] = packet(7, 2);
  tasks[4] = packet(0, 3);
  TraceSource source(trace(tasks, {{0, 1}, {1, 2}, {3, 4}, {2, 4}}), 8);
  CHECK(source.packet_count() == 2);
  CHECK(source.first(NodeId{3}) == kNever);
  const auto deliveries = play(source, 8, [](const Packet&) { return 10; });
  REQUIRE(deliveries.size() == 2);
  CHECK(deliveries[1].packet.created == Cycle{18 + 100 + 200});
}

TEST_CASE("the longest chain tells computing from messages, back to cycle 0", "[traffic]") {
  // Two packets wait for a computation; of the tasks that wait for the packets, the one with the
  // later packet ends last.
  std::vector<TraceTask> tasks{packet(3, 1), packet(3, 2),
                               TraceTask{Cycle{0}, NodeId{3}, NodeId{3}},
                               TraceTask{Cycle{0}, NodeId{3}, NodeId{3}}};
  tasks[0].delay = 4;
  tasks[3].delay = 50;
  TraceSource source(trace(tasks, {{0, 2}, {1, 2}, {2, 3}}), 8);
  CHECK_FALSE(source.longest_chain());
  play(source, 8, [](const Packet& p) { return p.source == NodeId{1} ? 20 : 22; });
  const auto chain = source.longest_chain();
  REQUIRE(chain);
  CHECK(chain->cycles == 3 + 4 + 21 + 50);
  CHECK(chain->compute == 3 + 4 + 50);
  REQUIRE(chain->messages.size() == 1);
  CHECK(chain->messages[0].cycles == 21);
  CHECK(chain->messages[0].packets == 1);
  CHECK(chain->messages[0].flits == 3);
}

namespace {

/// Computations of `delays` cycles at node 1, which share one stream; the last sends a packet.
/// Packets of node 2 to node 1 in the given cycles precede them.
Trace computations(const Cycles& arrivals, const Cycles& delays) {
  Trace result = trace({});
  for (const std::uint64_t cycle : arrivals) result.tasks.push_back(packet(cycle, 2, 1));
  for (std::size_t i = 0; i < delays.size(); ++i) {
    const auto task = static_cast<std::uint32_t>(result.tasks.size());
    result.tasks.push_back({Cycle{0}, NodeId{1}, NodeId{1}});
    result.tasks.back().delay = delays[i];
    result.stream_tasks.push_back({task, ComputeUnit::kAccelerator, 10 - i});
    if (i < arrivals.size()) result.dependencies.push_back({static_cast<std::uint32_t>(i), task});
  }
  result.streams = {1, 1};
  return result;
}

}  // namespace

TEST_CASE("a stream takes the task that is ready first, and of several that with the least number",
          "[traffic]") {
  // The packets arrive 10 cycles after their creation.
  Trace late = computations({40, 0, 5}, {100, 30, 60});
  TraceSource source(late, 8);
  play(source, 8, [](const Packet&) { return 9; });
  REQUIRE(source.longest_chain());
  // They are ready in cycles 50, 10 and 15 and run from 100, 10 and 40 on.
  CHECK(source.longest_chain()->cycles == 100 + 100);
  CHECK(source.longest_chain()->compute == 30 + 60 + 100);
  CHECK(source.node_times().at(0).compute == 190);
}

TEST_CASE("computations of a node that overlap count once, and the other cycles are idle",
          "[traffic]") {
  std::vector<TraceTask> tasks{TraceTask{Cycle{0}, NodeId{1}, NodeId{1}},
                               TraceTask{Cycle{50}, NodeId{1}, NodeId{1}},
                               TraceTask{Cycle{0}, NodeId{2}, NodeId{2}}, packet(0, 3)};
  tasks[0].delay = 100;
  tasks[1].delay = 100;
  tasks[2].delay = 200;
  TraceSource source(trace(tasks, {{3, 2}}), 8);
  play(source, 8, [](const Packet&) { return 9; });
  const std::vector<NodeTime> times = source.node_times();
  REQUIRE(times.size() == 3);
  CHECK(times[0].compute == 150);
  CHECK(times[0].idle == 60);
  CHECK(times[1].compute == 200);
  CHECK(times[1].idle == 10);  // It waits for the packet.
  CHECK(times[2].compute == 0);
  CHECK(times[2].idle == 210);
}

TEST_CASE("the longest packet of a trace is known, and 0 without packets", "[traffic]") {
  std::vector<TraceTask> tasks(3, packet(0, 1));
  tasks[1].length = 7;
  tasks[2].length = 2;
  CHECK(TraceSource(trace(tasks), 8).longest_packet() == 7);
  CHECK(TraceSource(trace({}), 8).longest_packet() == 0);
}

TEST_CASE("computations that follow the last packet are over when the replay is", "[traffic]") {
  TraceSource source(computations({7}, {50, 20, 30}), 8);
  play(source, 8, [](const Packet&) { return 9; });
  REQUIRE(source.longest_chain());
  // The tasks with the smaller numbers begin in cycle 0; the first is ready in cycle 17.
  CHECK(source.longest_chain()->cycles == 20 + 30 + 50);
}

TEST_CASE("packets of one entry to one node are a message, of which each port begins once",
          "[traffic]") {
  const auto continued = [](std::size_t ports) {
    std::vector<TraceTask> packets(5, packet(3, 1));
    packets[4].origin = 9;
    TraceSource source(trace(packets), 8, true, ports);
    std::vector<PacketRequest> requests;
    source.create(NodeId{1}, Cycle{3}, requests);
    std::vector<bool> flags;
    for (const PacketRequest& request : requests) flags.push_back(request.continues);
    return flags;
  };
  CHECK(continued(1) == std::vector<bool>{false, true, true, true, false});
  CHECK(continued(3) == std::vector<bool>{false, false, false, true, false});
}

TEST_CASE("of packets alone, and of dependencies that are ignored, no chain is told", "[traffic]") {
  TraceSource packets(trace({packet(0, 1), packet(0, 1)}, {{0, 1}}), 8);
  play(packets, 8, [](const Packet&) { return 4; });
  CHECK(packets.all_created());
  CHECK_FALSE(packets.longest_chain());
  const TraceTask computation{Cycle{0}, NodeId{1}, NodeId{1}};
  TraceSource ignored(trace({packet(0, 1), computation}, {{0, 1}}), 8, false);
  play(ignored, 8, [](const Packet&) { return 4; });
  CHECK_FALSE(ignored.longest_chain());
}

TEST_CASE("nodes outside the network are not accepted", "[traffic]") {
  CHECK_THROWS_AS(TraceSource(trace({packet(0, 8)}), 8), std::invalid_argument);
  CHECK_THROWS_AS(TraceSource(trace({packet(0, 1, 8)}), 8), std::invalid_argument);
}
