// SPDX-License-Identifier: Apache-2.0
// Compares the events that a monitor counts with the counts of the network and its packets.
#include "stats/router_events.h"

#include "network/fabric_run.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

RouterEvents sum(const EventCounter& counter) {
  RouterEvents all;
  for (const RouterEvents& events : counter.events()) all += events;
  return all;
}

NetworkParams params_of(const RouterCores& cores) {
  NetworkParams params;
  params.cores = &cores;
  params.router.virtual_channels = 2;
  params.router.buffer_depth = 4;
  params.router.multicast = false;
  return params;
}

/// Monitors every cycle of a run until its end.
void drain_watched(FabricRun& run, EventCounter& counter) {
  for (int cycle = 0; cycle < 3000; ++cycle) {
    run.fabric->run(1);
    counter.observe();
  }
  REQUIRE(run.drained());
}

/// The latency of the packet of a node that has sent one.
std::uint64_t latency_from(const FabricRun& run, NodeId source) {
  for (const Delivery& delivery : run.deliveries()) {
    if (delivery.packet.source == source) return delivery.arrival - delivery.packet.created;
  }
  throw std::logic_error("the node has sent no packet");
}

std::unique_ptr<ScriptSource> one_packet(NodeId source, NodeId destination, std::uint32_t length) {
  auto script = std::make_unique<ScriptSource>(16);
  script->add(Cycle{3}, source, {destination, length});
  return script;
}

}  // namespace

TEST_CASE("flits and packets are counted once in each router, whatever its kind", "[stats]") {
  const NetworkParams params = params_of(GENERATE(true, false) ? packet_cores() : flit_cores());
  const RoutedNetwork network = mesh_network({4, 4}, 2);
  FabricRun run("fabric", network, params, FiniteTraffic::Params{});
  EventCounter counter(*run.fabric, {});
  drain_watched(run, counter);
  const RouterEvents all = sum(counter);
  double hops = 0;
  for (const Delivery& delivery : run.deliveries()) hops += delivery.hops;
  CHECK(all.flits_out == static_cast<double>(run.fabric->flit_hops()));
  CHECK(all.flits_in == all.flits_out);
  CHECK(all.packets == hops);
  CHECK(all.waits >= all.packets);
}

// Destination 3 has two bits set, and the head also sets those of `remaining` and of the head flag.
// 17 bits of payload change by half from nothing to the head, from the head to the tail and from
// the tail to nothing.
TEST_CASE("a packet that is kept whole changes the wires three times in every router", "[stats]") {
  const NetworkParams params = params_of(packet_cores());
  const RoutedNetwork network = mesh_network({4, 4}, 2);
  FabricRun run("fabric", network, params, one_packet(NodeId{0}, NodeId{3}, 2), 1);
  FlitFormat format;
  format.number_bits = 8;
  EventCounter counter(*run.fabric, format);
  drain_watched(run, counter);
  for (std::size_t r = 0; r < 4; ++r) {
    const RouterEvents& events = counter.events()[r];
    CHECK(events.bits_out == (4 + 1) + 2 + (2 + 1) + 3 * 8.5);
    CHECK(events.packets == 1);
    CHECK(events.waits == 1);
    CHECK(events.crowds == 1);
  }
  CHECK(counter.events()[4].bits_in == 0);
}

TEST_CASE("a departure counts the packets that are in the queue with it, a wait every cycle",
          "[stats]") {
  const NetworkParams params = params_of(packet_cores());
  const RoutedNetwork network = mesh_network({4, 4}, 2);
  auto script = std::make_unique<ScriptSource>(16);
  script->add(Cycle{3}, NodeId{0}, {NodeId{3}, 4});
  script->add(Cycle{3}, NodeId{12}, {NodeId{15}, 4});
  script->add(Cycle{8}, NodeId{1}, {NodeId{3}, 4});
  FabricRun run("fabric", network, params, std::move(script), 3);
  EventCounter counter(*run.fabric, {});
  drain_watched(run, counter);
  // In router 1 the packet of node 0 comes while that of node 1 leaves, and waits until it has
  // left; that of node 12 crosses as many routers and meets no other.
  const auto waited =
      static_cast<double>(latency_from(run, NodeId{0}) - latency_from(run, NodeId{12}));
  CHECK(waited > 1);
  CHECK(counter.events()[1].packets == 2);
  CHECK(counter.events()[1].crowds == 2);
  CHECK(counter.events()[1].waits == 2 + waited);
}

TEST_CASE("a packet that fits in a buffer starts and stops sending once in every router",
          "[stats]") {
  const NetworkParams params = params_of(flit_cores());
  const RoutedNetwork network = mesh_network({4, 4}, 2);
  FabricRun run("fabric", network, params, one_packet(NodeId{0}, NodeId{3}, 4), 1);
  EventCounter counter(*run.fabric, {});
  drain_watched(run, counter);
  for (std::size_t r = 0; r < 4; ++r) {
    CHECK(counter.events()[r].flits_out == 4);
    CHECK(counter.events()[r].send_changes == 2);
  }
  CHECK(counter.events()[4].send_changes == 0);
}

TEST_CASE("a sum of events has the changes to routers and to nodes apart", "[stats]") {
  RouterEvents sum;
  RouterEvents part;
  part.link_bits = 3;
  part.node_bits = 5;
  sum += part;
  sum += part;
  CHECK(sum.link_bits == 6);
  CHECK(sum.node_bits == 10);
}

TEST_CASE("two streams through one output change its source with every flit", "[stats]") {
  const NetworkParams params = params_of(flit_cores());
  const RoutedNetwork network = mesh_network({4, 4}, 2);
  auto script = std::make_unique<ScriptSource>(16);
  script->add(Cycle{3}, NodeId{0}, {NodeId{2}, 40});
  script->add(Cycle{4}, NodeId{1}, {NodeId{2}, 40});
  FabricRun run("fabric", network, params, std::move(script), 2);
  EventCounter counter(*run.fabric, {});
  drain_watched(run, counter);
  // The first flit connects one pair; then the sources alternate 78 times, each time disconnecting
  // one pair and connecting the other; the last flit disconnects one.
  CHECK(counter.events()[1].source_changes > 120);
  CHECK(counter.events()[1].source_changes <= 2 * 80);
  CHECK(counter.events()[2].source_changes == 2);
}
