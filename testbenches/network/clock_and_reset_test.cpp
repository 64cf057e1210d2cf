// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES  // For sc_spawn.
#include <algorithm>
#include <stdexcept>
#include <systemc>
#include <tuple>

#include "network/fabric/fabric.h"
#include "network/fabric_run.h"
#include "network/networks.h"
#include "network/sources.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"

using namespace flitcast;
using Catch::Contains;
using sc_core::SC_NS;

namespace {

NetworkParams clocked_params(unsigned threads = 1) {
  NetworkParams params;
  params.router.virtual_channels = 2;
  params.lockstep = true;
  params.threads = threads;
  return params;
}

/// Counts the packets that the network drops.
class LossProbe : public Probe {
 public:
  void delivered(const Delivery&) override { ++deliveries; }
  void dropped(const Packet&) override { ++losses; }
  std::uint64_t deliveries = 0;
  std::uint64_t losses = 0;
};

using Journey = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t>;

/// Sends the same packets into any fabric.
void send_all(Fabric& fabric) {
  const auto nodes = static_cast<std::uint32_t>(fabric.topology().node_count());
  for (std::uint32_t node = 0; node < nodes; ++node) {
    fabric.terminal(NodeId{node}).listen();
    for (std::uint32_t p = 0; p < 6; ++p) {
      PacketRequest request{NodeId{(node * 5 + p * 7) % nodes}, 1 + p};
      request.ties = 0;  // Random ties would depend on packet numbers, which continue.
      fabric.terminal(NodeId{node}).send(request);
    }
  }
}

/// Returns the packets that have arrived, with times relative to a cycle.
std::vector<Journey> arrived(Fabric& fabric, Cycle start) {
  const auto nodes = static_cast<std::uint32_t>(fabric.topology().node_count());
  std::vector<Journey> journeys;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (const Arrival& arrival : fabric.terminal(NodeId{node}).take_deliveries()) {
      journeys.emplace_back(index(arrival.packet.source), node, arrival.packet.length,
                            arrival.arrival - start);
    }
  }
  return journeys;
}

/// Sends the same packets into any fabric and returns when they arrive, relative to the present
/// cycle.
std::vector<Journey> journeys(Fabric& fabric) {
  const Cycle start = fabric.now();
  send_all(fabric);
  sc_core::sc_start(400, SC_NS);
  return arrived(fabric, start);
}

}  // namespace

TEST_CASE("a fabric takes a cycle at every rising edge of an external clock", "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  const NetworkParams params = clocked_params(GENERATE(1U, 2U));
  sc_core::sc_clock clock("clock", 7, SC_NS);
  Fabric fabric("fabric", *network.topology, *network.routing, params);
  fabric.clk_i(clock);
  Terminal& receiver = fabric.terminal(NodeId{8});
  receiver.listen();
  fabric.terminal(NodeId{0}).send({NodeId{8}, 4, 1});
  sc_core::sc_start(7 * 99 + 1, SC_NS);  // Edges at 0, 7, ..., 693.
  CHECK(fabric.now() == Cycle{100});
  const std::vector<Arrival> arrivals = receiver.take_deliveries();
  REQUIRE(arrivals.size() == 1);
  CHECK(arrivals[0].arrival - arrivals[0].packet.created ==
        zero_load_latency(network, params, NodeId{0}, NodeId{8}, 4));
  CHECK_THROWS_AS(fabric.run(1), std::logic_error);
}

TEST_CASE("a clock that stops holds the fabric", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  sc_core::sc_signal<bool> clock("clock");
  Fabric fabric("fabric", *network.topology, *network.routing, clocked_params());
  fabric.clk_i(clock);
  sc_core::sc_start(50, SC_NS);
  CHECK(fabric.now() == Cycle{0});
  for (int edge = 0; edge < 3; ++edge) {
    clock = true;
    sc_core::sc_start(2, SC_NS);
    clock = false;
    sc_core::sc_start(20, SC_NS);
  }
  CHECK(fabric.now() == Cycle{3});
}

TEST_CASE("clock and reset need lockstep", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  NetworkParams params = clocked_params();
  params.lockstep = false;
  SilentSource source;
  sc_core::sc_signal<bool> wire("wire");
  Fabric fabric("fabric", *network.topology, *network.routing, source, params);
  SECTION("clock") { fabric.clk_i(wire); }
  SECTION("reset") { fabric.rst_ni(wire); }
  CHECK_THROWS_WITH(sc_core::sc_start(1, SC_NS), Contains("fabric") && Contains("lockstep"));
}

TEST_CASE("external routers have the clock of the fabric, and are reset with it", "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  NetworkParams params = clocked_params();
  if (GENERATE(false, true)) params.cores = &packet_cores();
  const bool rises_first = GENERATE(true, false);
  sc_core::sc_clock clock("clock", 8, SC_NS, 0.5, 0, SC_NS, rises_first);
  sc_core::sc_signal<bool> reset("reset", true);
  Fabric reference("reference", *network.topology, *network.routing, params);
  Fabric fabric("fabric", *network.topology, *network.routing, params, {},
                {pins_slot(network, 0), pins_slot(network, 4), pins_slot(network, 5)});
  for (Fabric* each : {&reference, &fabric}) {
    each->clk_i(clock);
    each->rst_ni(reset);
  }
  sc_core::sc_start(3 * 8 + 2, SC_NS);  // The edges are at 0 or 4, and then every 8 ns.
  const auto both_arrive = [&](unsigned cycles) {
    const Cycle start = fabric.now();
    REQUIRE(reference.now() == start);
    send_all(reference);
    send_all(fabric);
    sc_core::sc_start(8.0 * cycles, SC_NS);
    std::vector<Journey> expected = arrived(reference, start);
    CHECK(arrived(fabric, start) == expected);
    return expected;
  };
  const std::vector<Journey> first = both_arrive(300);
  CHECK(first.size() == 9 * 6);
  const unsigned until = GENERATE(1U, 2U, 3U, 10U, 17U);
  both_arrive(until);
  reset = false;
  sc_core::sc_start(8 * GENERATE(1, 2, 5), SC_NS);
  CHECK(fabric.in_reset());
  reset = true;
  sc_core::sc_start(8, SC_NS);
  CHECK(both_arrive(300) == first);
  both_arrive(10);
  CHECK_NOTHROW(fabric.audit());  // Flits are in flight.
}

TEST_CASE("a reset by call resets external routers at any time between two cycles", "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  const auto slots = [&] {
    std::vector<ExternalSlot> all;
    for (std::uint32_t r = 0; r < 9; ++r) all.push_back(pins_slot(network, r));
    return all;
  };
  sc_core::sc_clock clock("clock", 8, SC_NS);
  Fabric fabric("fabric", *network.topology, *network.routing, clocked_params(), {}, slots());
  fabric.clk_i(clock);
  sc_core::sc_start(GENERATE(2, 6), SC_NS);  // Before a falling edge, and before a rising edge.
  const auto after = [&](unsigned cycles) {
    const Cycle start = fabric.now();
    send_all(fabric);
    sc_core::sc_start(8.0 * cycles, SC_NS);
    return arrived(fabric, start);
  };
  const std::vector<Journey> first = after(300);
  CHECK(first.size() == 9 * 6);
  after(GENERATE(3U, 12U));
  fabric.reset();
  CHECK(after(300) == first);
  CHECK_NOTHROW(fabric.audit());
}

TEST_CASE("reset loses what is in flight, says so, and holds the cycles", "[network]") {
  const RoutedNetwork network = mesh_network({4, 3}, 2);
  NetworkParams params = clocked_params(GENERATE(1U, 3U));
  SECTION("wormhole") {}
  SECTION("store and forward") { params.cores = &packet_cores(); }
  FiniteTraffic source(12, {60, 7, 2});
  std::vector<LossProbe> losses(FabricPlan::partition_count(*network.topology, params));
  std::vector<Probe*> probes;
  for (LossProbe& probe : losses) probes.push_back(&probe);
  Fabric fabric("fabric", *network.topology, *network.routing, source, params, probes);
  sc_core::sc_signal<bool> reset("reset", true);
  fabric.rst_ni(reset);
  fabric.terminal(NodeId{3}).listen(1);
  fabric.run(50);
  reset = false;
  fabric.run(1);  // The edge of cycle 50 still samples the old value.
  const Totals before = fabric.totals();
  const std::uint64_t sent = fabric.flits_injected(NodeId{0});
  const std::uint64_t hops = fabric.flit_hops();
  fabric.run(20);
  CHECK(fabric.in_reset());
  CHECK(fabric.now() == Cycle{51});
  CHECK(!fabric.terminal(NodeId{0}).can_send());
  CHECK(fabric.terminal(NodeId{3}).available() == 0);
  Totals totals = fabric.totals();
  CHECK(totals.packets_created == before.packets_created);
  CHECK(totals.receivers_dropped == before.receivers - before.packets_delivered);
  CHECK(totals.receivers_dropped > 0);
  std::uint64_t told = 0;
  for (const LossProbe& probe : losses) told += probe.losses;
  CHECK(told == totals.receivers_dropped);
  CHECK(fabric.flits_injected(NodeId{0}) == sent);  // Counters are not reset.
  CHECK(fabric.flit_hops() == hops);
  std::size_t waiting = 0;
  fabric.for_each_packet([&](const Packet&) { ++waiting; });
  CHECK(waiting == 0);
  REQUIRE_NOTHROW(fabric.audit());

  reset = true;
  for (int cycle = 0; cycle < 100; ++cycle) {
    fabric.run(1);
    fabric.terminal(NodeId{3}).take_deliveries();
    REQUIRE_NOTHROW(fabric.audit());
  }
  CHECK(!fabric.in_reset());
  CHECK(fabric.now() == Cycle{150});  // One more edge has sampled the reset.
  totals = fabric.totals();
  CHECK(totals.packets_created == 12 * 60);  // The source continues.
  CHECK(totals.packets_delivered > before.packets_delivered);
}

TEST_CASE("a fabric with a reset is in it until an edge samples it high: no process puts before",
          "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  sc_core::sc_signal<bool> clock("clock");
  sc_core::sc_signal<bool> reset("reset", GENERATE(false, true));
  Fabric fabric("fabric", *network.topology, *network.routing, clocked_params());
  fabric.clk_i(clock);
  fabric.rst_ni(reset);
  Terminal& sender = fabric.terminal(NodeId{0});
  sender.bound_queue(4);
  bool has_put = false;
  sc_core::sc_spawn([&] {
    sender.put({NodeId{1}, 1});
    has_put = true;
  });
  const auto rise = [&] {
    clock = false;
    sc_core::sc_start(1, SC_NS);
    clock = true;
    sc_core::sc_start(1, SC_NS);
  };
  sc_core::sc_start(5, SC_NS);
  if (!reset.read()) rise();
  reset = true;
  sc_core::sc_start(1, SC_NS);  // High, but not yet sampled.
  CHECK(fabric.in_reset());
  CHECK_FALSE(sender.can_send());
  CHECK_FALSE(sender.nb_put({NodeId{1}, 1}));
  CHECK_THROWS_AS(sender.send({NodeId{1}, 1}), sc_core::sc_report);
  CHECK_FALSE(has_put);
  rise();
  CHECK_FALSE(fabric.in_reset());
  CHECK(fabric.now() == Cycle{1});
  CHECK(has_put);
  CHECK(sender.can_send());
  for (int cycle = 0; cycle < 40; ++cycle) rise();
  CHECK(fabric.totals().packets_created == 1);
  CHECK(fabric.totals().packets_delivered == 1);
}

TEST_CASE("a fabric without a reset is never in it", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  sc_core::sc_signal<bool> clock("clock");
  Fabric fabric("fabric", *network.topology, *network.routing, clocked_params());
  fabric.clk_i(clock);
  CHECK_FALSE(fabric.in_reset());
  sc_core::sc_start(5, SC_NS);
  CHECK_FALSE(fabric.in_reset());
  CHECK(fabric.terminal(NodeId{0}).can_send());
}

namespace {

/// Records the packets that the network drops.
class TellingTraffic : public FiniteTraffic {
 public:
  using FiniteTraffic::FiniteTraffic;
  void dropped(const Packet& packet, Cycle now, std::vector<WakeUp>&) override {
    lost.push_back(packet.id);
    when.push_back(now);
  }
  std::vector<PacketId> lost;
  std::vector<Cycle> when;
};

}  // namespace

TEST_CASE("a reset reports each packet that it loses to the source, by its number", "[network]") {
  const RoutedNetwork network = mesh_network({4, 3}, 2);
  const NetworkParams params = clocked_params(GENERATE(1U, 3U));
  TellingTraffic source(12, {60, 7, 2});
  Fabric fabric("fabric", *network.topology, *network.routing, source, params);
  fabric.run(50);
  std::vector<PacketId> in_flight;
  fabric.for_each_packet([&](const Packet& packet) { in_flight.push_back(packet.id); });
  std::sort(in_flight.begin(), in_flight.end());
  fabric.reset();
  REQUIRE(in_flight.size() > 100);
  CHECK(source.lost == in_flight);
  CHECK(source.when == std::vector<Cycle>(in_flight.size(), Cycle{50}));
}

TEST_CASE("after a reset the network is as new: packets take the times of a fresh one",
          "[network]") {
  const auto makers = small_networks();
  const RoutedNetwork network = makers[GENERATE(range(std::size_t{0}, std::size_t{8}))](2);
  NetworkParams params = clocked_params(2);
  SECTION("wormhole") {}
  SECTION("store and forward") { params.cores = &packet_cores(); }
  Fabric used("used", *network.topology, *network.routing, params);
  Fabric fresh("fresh", *network.topology, *network.routing, params);
  const auto nodes = static_cast<std::uint32_t>(network.topology->node_count());
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (std::uint32_t p = 0; p < 9; ++p) {
      used.terminal(NodeId{node}).send({NodeId{(node * 3 + p) % nodes}, 1 + p % 6, 2});
    }
  }
  sc_core::sc_start(33, SC_NS);
  REQUIRE(used.totals().packets_delivered < used.totals().packets_created);
  used.reset();
  for (std::uint32_t node = 0; node < nodes; ++node) {
    used.terminal(NodeId{node}).listen();
    fresh.terminal(NodeId{node}).listen();
  }
  const Cycle start = fresh.now();
  const std::vector<Journey> expected = journeys(fresh);
  REQUIRE(expected.size() == nodes * 6);
  // Both fabrics ran for these 400 cycles, so the other one is used in the next 400.
  used.reset();
  CHECK(fresh.now() - start == 400);
  CHECK(journeys(used) == expected);
}

TEST_CASE("a fabric that has been reset in traffic passes the audit at the end of simulation",
          "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  Fabric fabric("fabric", *network.topology, *network.routing, clocked_params(2));
  for (std::uint32_t p = 0; p < 40; ++p) fabric.terminal(NodeId{p % 9}).send({NodeId{p % 7}, 5});
  sc_core::sc_start(20, SC_NS);
  fabric.reset();
  REQUIRE(fabric.totals().receivers_dropped > 0);
  fabric.terminal(NodeId{0}).send({NodeId{8}, 30});
  sc_core::sc_spawn([] {
    sc_core::wait(15, SC_NS);
    sc_core::sc_stop();
  });
  CHECK_NOTHROW(sc_core::sc_start(100, SC_NS));
}

TEST_CASE("a time resolution coarser than a cycle is an error of a fabric without a clock",
          "[network]") {
  const bool clocked = GENERATE(false, true);
  testing::install_fresh_kernel();
  sc_core::sc_set_time_resolution(10, SC_NS);
  const RoutedNetwork network = mesh_network({2}, 2);
  Fabric fabric("fabric", *network.topology, *network.routing, clocked_params());
  sc_core::sc_clock clock("clock", 20, SC_NS);
  if (clocked) {
    fabric.clk_i(clock);
    sc_core::sc_start(200, SC_NS);
    CHECK(fabric.now() == Cycle{10});
  } else {
    CHECK_THROWS_WITH(
        sc_core::sc_start(200, SC_NS),
        Contains("fabric") && Contains("10 ns") && Contains("sc_set_time_resolution(1, SC_NS)"));
  }
}

TEST_CASE("a process that waits for space in reset goes on after it", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  Fabric fabric("fabric", *network.topology, *network.routing, clocked_params());
  sc_core::sc_signal<bool> reset("reset", false);
  fabric.rst_ni(reset);
  fabric.terminal(NodeId{1}).listen();
  bool bounded = GENERATE(false, true);
  if (bounded) fabric.terminal(NodeId{0}).bound_queue(2);
  sc_core::sc_spawn([&] {
    sc_core::wait(3, SC_NS);
    for (int packet = 0; packet < 8; ++packet) fabric.terminal(NodeId{0}).put({NodeId{1}, 3});
  });
  sc_core::sc_start(30, SC_NS);
  CHECK(fabric.totals().packets_created == 0);
  reset = true;
  sc_core::sc_start(200, SC_NS);
  CHECK(fabric.terminal(NodeId{1}).available() == 8);
}
