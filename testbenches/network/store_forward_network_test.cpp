// SPDX-License-Identifier: Apache-2.0
// Networks that store whole packets: no packet is lost, results do not depend on how the network is
// run, and an undisturbed message takes the time of the cost model.
#include <algorithm>
#include <set>

#include "network/check/inspection.h"
#include "network/fabric_run.h"
#include "router/invariant.h"
#include "routing/queue_priority.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

/// One setting per number, so that every network runs with several depths, lengths, loads and
/// pipelines.
struct QueueSetting {
  explicit QueueSetting(unsigned number) {
    const auto makers = small_networks();
    const unsigned virtual_channels = std::vector<unsigned>{2, 3, 5}[number % 3];
    network = makers[number % makers.size()](virtual_channels);
    params.cores = &packet_cores();
    params.router.virtual_channels = virtual_channels;
    params.router.buffer_depth = std::vector<unsigned>{1, 2, 4, 1, 7}[number % 5];
    params.router.pipeline.route = number % 4;
    params.router.pipeline.vc_allocation = (number + 1) % 3;
    params.router.pipeline.switch_allocation = 1 + number % 2;
    params.link_latency = 1 + number % 3;
    params.credit_latency = 1 + number % 2;
    params.cycles_per_flit = number % 5 == 4 ? 2 : 1;
    params.full_hierarchy = false;
    if (number % 3 == 1) params.priority = std::make_shared<RandomOrder>(number);
    traffic.packets_per_node = 25;
    traffic.longest = std::vector<unsigned>{1, 6, 19}[number % 3];
    traffic.longest_gap = number % 2 == 0 ? 1 : 8 * traffic.longest;  // Saturating or moderate.
  }

  RoutedNetwork network;
  NetworkParams params;
  FiniteTraffic::Params traffic;
};

void check_same(const FabricRun& run, const FabricRun& reference) {
  CAPTURE(run.fabric->name());
  REQUIRE(run.drained());
  CHECK(run.checksum() == reference.checksum());
  CHECK(run.fabric->flit_hops() == reference.fabric->flit_hops());
}

void check_nothing_stored(Fabric& fabric) {
  for (const auto& partition : fabric.partitions().all()) CHECK(partition->packets().due() == 0);
  for (std::uint32_t r = 0; r < fabric.topology().router_count(); ++r) {
    const RouterState& state = *fabric.router_node(RouterId{r}).state;
    CHECK(state.stored_flits == 0);
    CHECK(state.copies == 0);
    for (unsigned i = 0; i < state.vc_index(state.input_ports, 0); ++i) {
      REQUIRE(state.inputs[i].count == 0);
    }
  }
}

}  // namespace

TEST_CASE("stored packets: order, sleeping and threads change no delivery", "[network]") {
  QueueSetting setting(GENERATE(range(0U, 16U)));
  std::vector<std::unique_ptr<FabricRun>> runs;
  const auto add = [&](const char* name, const NetworkParams& params) {
    runs.push_back(std::make_unique<FabricRun>(name, setting.network, params, setting.traffic));
  };
  add("reference", setting.params);
  NetworkParams params = setting.params;
  params.shuffle_seed = 5;
  params.threads = 3;
  add("shuffled_threads", params);
  params.sleep = false;
  params.threads = 1;
  add("shuffled_sleepless", params);
  params.shuffle_seed = 0;
  params.threads = 2;
  add("sleepless_threads", params);
  for (auto& run : runs) run->drain();
  REQUIRE(runs[0]->drained());
  for (const auto& run : runs) check_same(*run, *runs[0]);
}

TEST_CASE("stored packets: the accounts balance in every cycle and end at nought", "[network]") {
  QueueSetting setting(GENERATE(range(0U, 16U)));
  setting.params.threads = 2;
  FabricRun run("fabric", setting.network, setting.params, setting.traffic);
  const auto inspected = run.fabric->inspection();
  const Inspection& inspection = *inspected;
  for (int cycle = 0; cycle < 150; ++cycle) {
    run.fabric->run(1);
    REQUIRE_NOTHROW(audit(inspection));
  }
  run.drain();
  REQUIRE(run.drained());
  CHECK_NOTHROW(audit(inspection));
  check_nothing_stored(*run.fabric);
  std::set<PacketId> seen;
  for (const Delivery& delivery : run.deliveries()) {
    CHECK(seen.insert(delivery.packet.id).second);
    CHECK(delivery.node == delivery.packet.destination);
    CHECK(delivery.hops ==
          routers_between(setting.network, delivery.packet.source, delivery.packet.destination));
  }
}

TEST_CASE("a lost packet, a lost flit and a credit too many do not pass the audit", "[network]") {
  const QueueSetting setting(8);
  FabricRun run("fabric", setting.network, setting.params, setting.traffic);
  run.fabric->run(60);
  const auto inspected = run.fabric->inspection();
  const Inspection& inspection = *inspected;
  REQUIRE_NOTHROW(audit(inspection));
  RouterState& state = *run.fabric->router_node(RouterId{4}).state;
  ++state.stored_flits;
  CHECK_THROWS_AS(audit(inspection), InvariantError);
  --state.stored_flits;
  ++state.inputs[state.vc_index(0, 0)].count;
  CHECK_THROWS_AS(audit(inspection), InvariantError);
  --state.inputs[state.vc_index(0, 0)].count;
  ++state.outputs[state.vc_index(0, 1)].credits;
  CHECK_THROWS_AS(audit(inspection), InvariantError);
  --state.outputs[state.vc_index(0, 1)].credits;
  CHECK_NOTHROW(audit(inspection));
}

namespace {

constexpr std::uint64_t kGap = 1500;  // Longer than any journey, so that packets travel alone.

/// Sends packets of all lengths from 1 to 9 from every node to every other, one after the other.
std::vector<Delivery> visit_all_pairs(const RoutedNetwork& network, const NetworkParams& params) {
  const auto nodes = static_cast<std::uint32_t>(network.topology->node_count());
  ScriptSource source(nodes);
  std::uint64_t sent = 0;
  for (std::uint32_t s = 0; s < nodes; ++s) {
    for (std::uint32_t d = 0; d < nodes; ++d) {
      if (s == d) continue;
      const std::uint32_t length = 1 + static_cast<std::uint32_t>(sent % 9);
      source.add(Cycle{kGap * sent++}, NodeId{s}, {NodeId{d}, length});
    }
  }
  Recorder recorder;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params, {&recorder});
  fabric.run(kGap * sent);
  REQUIRE(recorder.deliveries.size() == sent);
  return recorder.deliveries;
}

NetworkParams timing_params(unsigned number) {
  NetworkParams params;
  params.router.virtual_channels = 2;
  params.router.buffer_depth = 32;  // Covers every credit loop below.
  params.router.pipeline = std::vector<Pipeline>{
      {}, {0, 1, 1, 1}, {0, 0, 1, 0}, {2, 3, 2, 0}, {3, 0, 1, 2}, {8, 8, 8, 8}}[number % 6];
  params.cycles_per_flit = 1 + number % 4;
  params.link_latency = std::vector<unsigned>{1, 2, 5}[number % 3];
  params.startup = number % 2 == 0 ? 0 : 7;
  params.full_hierarchy = false;
  return params;
}

// The receiver decides in the cycle after the arrival.
std::int64_t cycles_between_decisions(const Delivery& delivery) {
  return static_cast<std::int64_t>(delivery.arrival + 1 - delivery.packet.created);
}

RoutedNetwork timed_network(unsigned number) {
  return small_networks()[std::vector<std::size_t>{0, 2, 5, 3}[number % 4]](2);
}

}  // namespace

TEST_CASE("store-and-forward: ts + h (td + m tm) and the interface cycles", "[network][theory]") {
  const unsigned number = GENERATE(range(0U, 12U));
  NetworkParams params = timing_params(number);
  params.cores = &packet_cores();
  params.router.buffer_depth = 1 + number % 2;
  const auto td = static_cast<std::int64_t>(hop_cycles(params));
  for (const Delivery& delivery : visit_all_pairs(timed_network(number), params)) {
    const std::int64_t hops = delivery.hops - 1;
    const std::int64_t step = td + std::int64_t{delivery.packet.length} * params.cycles_per_flit;
    CAPTURE(hops, delivery.packet.length);
    REQUIRE(cycles_between_decisions(delivery) ==
            params.startup + hops * step + interface_cycles(params));
  }
}

TEST_CASE("wormhole: ts + h td + m tm and the interface cycles", "[network][theory]") {
  const unsigned number = GENERATE(range(0U, 12U));
  const NetworkParams params = timing_params(number);
  const auto td = static_cast<std::int64_t>(hop_cycles(params));
  for (const Delivery& delivery : visit_all_pairs(timed_network(number), params)) {
    const std::int64_t hops = delivery.hops - 1;
    const std::int64_t flits = std::int64_t{delivery.packet.length} * params.cycles_per_flit;
    CAPTURE(hops, delivery.packet.length);
    REQUIRE(cycles_between_decisions(delivery) ==
            params.startup + hops * td + flits + interface_cycles(params));
  }
}

// The source hands over one packet after the other, so the packets follow each other in every step
// from the first channel on.
TEST_CASE("p packets over the same h channels take h + p - 1 steps", "[network][theory]") {
  const unsigned number = GENERATE(range(0U, 6U));
  NetworkParams params = timing_params(number);
  params.startup = 0;
  params.cores = &packet_cores();
  params.router.buffer_depth = 2;
  const RoutedNetwork network = mesh_network({5}, 2);
  constexpr std::uint32_t kLength = 6;
  ScriptSource source(5);
  for (int packet = 0; packet < 4; ++packet) {
    source.add(Cycle{0}, NodeId{0}, {NodeId{4}, kLength});
  }
  Recorder recorder;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params, {&recorder});
  fabric.run(3000);
  REQUIRE(recorder.deliveries.size() == 4);
  const std::uint64_t step = hop_cycles(params) + kLength * params.cycles_per_flit;
  for (std::size_t p = 1; p < 4; ++p) {
    CHECK(recorder.deliveries[p].arrival - recorder.deliveries[p - 1].arrival == step);
  }
}

// Node 1 sends two packets one hop, node 0 sends one packet five hops by the same channel. The
// latter is stored at router 1 when the channel has carried the first of the two packets, while the
// second waits for longer.
TEST_CASE("the packet that has farther to go leaves a queue first", "[network]") {
  const Grid grid = mesh({6});
  const RoutedNetwork network = mesh_network({6}, 2);
  NetworkParams params = timing_params(0);
  params.cores = &packet_cores();
  params.router.buffer_depth = 4;
  const bool farthest_first = GENERATE(false, true);
  if (farthest_first) params.priority = std::make_shared<FarthestFirst>(grid);
  constexpr std::uint32_t kLength = 20;
  ScriptSource source(6);
  for (int near = 0; near < 2; ++near) source.add(Cycle{0}, NodeId{1}, {NodeId{2}, kLength});
  source.add(Cycle{0}, NodeId{0}, {NodeId{5}, kLength});
  Recorder recorder;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params, {&recorder});
  fabric.run(1000);
  REQUIRE(recorder.deliveries.size() == 3);
  const Delivery& far = recorder.deliveries[2];
  REQUIRE(far.packet.source == NodeId{0});
  const std::uint64_t step = hop_cycles(params) + kLength;
  CHECK(recorder.deliveries[1].arrival - recorder.deliveries[0].arrival ==
        (farthest_first ? 2 : 1) * step);
  CHECK(cycles_between_decisions(far) ==
        static_cast<std::int64_t>((farthest_first ? 5 : 6) * step) + interface_cycles(params));
}
