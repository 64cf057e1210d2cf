// SPDX-License-Identifier: Apache-2.0
// Nodes with one port, several ports, or as many ports as their routers have neighbours.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "network/check/inspection.h"
#include "network/fabric_run.h"
#include "router/invariant.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

enum class Kind { kWormhole, kCutThrough, kStoreForward };

NetworkParams params_of(Kind kind, unsigned threads = 1) {
  NetworkParams params;
  params.router.virtual_channels = 3;
  params.router.buffer_depth = kind == Kind::kStoreForward ? 2 : 6;
  params.router.whole_packet_credit = kind == Kind::kCutThrough;
  if (kind == Kind::kStoreForward) params.cores = &packet_cores();
  params.link_latency = 2;
  params.threads = threads;
  params.full_hierarchy = false;
  return params;
}

RoutedNetwork wide_network(std::size_t family, std::size_t node_ports) {
  RoutedNetwork network = small_networks()[family](3);
  network.topology->widen_nodes(node_ports);
  return network;
}

/// Returns six completely connected routers, so that each input comes from a different neighbour.
RoutedNetwork complete_with(std::size_t node_ports) {
  RoutedNetwork network = small_networks()[6](3);
  network.topology->widen_nodes(node_ports);
  return network;
}

/// Sends `requests` in cycle 0, runs until nothing moves, and returns the deliveries.
std::vector<Delivery> play(const RoutedNetwork& network, const NetworkParams& params,
                           const std::vector<std::pair<NodeId, PacketRequest>>& requests) {
  ScriptSource source(network.topology->node_count());
  for (const auto& [node, request] : requests) source.add(Cycle{0}, node, request);
  Recorder recorder;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params, {&recorder});
  fabric.run(300);
  audit(*fabric.inspection());
  REQUIRE(recorder.deliveries.size() == requests.size());
  return recorder.deliveries;
}

}  // namespace

TEST_CASE("everything arrives whatever the number of node ports", "[network]") {
  const std::size_t family = GENERATE(range(std::size_t{0}, std::size_t{8}));
  const Kind kind = GENERATE(Kind::kWormhole, Kind::kCutThrough, Kind::kStoreForward);
  const std::size_t ports = std::vector<std::size_t>{1, 3, 5}[(family + unsigned(kind)) % 3];
  const RoutedNetwork network = wide_network(family, ports);
  CAPTURE(network.topology->name(), ports);
  FabricRun run("fabric", network, params_of(kind, 2), {30, 5, 4});
  const auto inspected = run.fabric->inspection();
  const Inspection& inspection = *inspected;
  for (int cycle = 0; cycle < 60; ++cycle) {
    run.fabric->run(1);
    REQUIRE_NOTHROW(audit(inspection));
  }
  run.drain();
  REQUIRE(run.drained());
  CHECK_NOTHROW(audit(inspection));
  std::set<PacketId> seen;
  for (const Delivery& delivery : run.deliveries()) {
    CHECK(seen.insert(delivery.packet.id).second);
    CHECK(delivery.node == delivery.packet.destination);
    CHECK(delivery.port < ports);
  }
  const Totals totals = run.fabric->totals();
  CHECK(totals.flits_ejected == totals.flits_created);
}

TEST_CASE("every port of every node sends and receives", "[network]") {
  const Kind kind = GENERATE(Kind::kWormhole, Kind::kStoreForward);
  const std::size_t ports = GENERATE(std::size_t{2}, std::size_t{3}, std::size_t{4});
  const RoutedNetwork network = wide_network(2, ports);  // Torus: each router has 4 neighbours.
  FabricRun run("fabric", network, params_of(kind), {60, 5, 2});
  run.drain();
  REQUIRE(run.drained());
  for (std::uint32_t n = 0; n < network.topology->node_count(); ++n) {
    for (std::size_t port = 0; port < ports; ++port) {
      CAPTURE(n, port);
      CHECK(run.fabric->node_interface(NodeId{n}, port).flits_injected > 0);
      CHECK(run.fabric->node_interface(NodeId{n}, port).flits_ejected > 0);
    }
  }
}

TEST_CASE("with wide nodes order, sleeping and threads change no delivery", "[network]") {
  const std::size_t family = GENERATE(range(std::size_t{0}, std::size_t{8}));
  const Kind kind = family % 2 == 0 ? Kind::kStoreForward : Kind::kWormhole;
  const RoutedNetwork network = wide_network(family, 2 + family % 3);
  const FiniteTraffic::Params traffic{25, 5, family % 3 == 0 ? 1U : 12U};
  std::vector<std::unique_ptr<FabricRun>> runs;
  const auto add = [&](const char* name, const NetworkParams& params) {
    runs.push_back(std::make_unique<FabricRun>(name, network, params, traffic));
  };
  const NetworkParams reference = params_of(kind);
  add("reference", reference);
  add("threads", params_of(kind, 3));
  NetworkParams params = reference;
  params.shuffle_seed = 9;
  add("shuffled", params);
  params.sleep = false;
  params.threads = 2;
  add("sleepless", params);
  for (auto& run : runs) run->drain();
  REQUIRE(runs[0]->drained());
  for (const auto& run : runs) {
    CAPTURE(run->fabric->name());
    REQUIRE(run->drained());
    CHECK(run->checksum() == runs[0]->checksum());
    CHECK(run->fabric->flit_hops() == runs[0]->fabric->flit_hops());
  }
}

TEST_CASE("a node takes as many tails in a cycle as it has ports", "[network]") {
  const Kind kind = GENERATE(Kind::kWormhole, Kind::kCutThrough, Kind::kStoreForward);
  const std::size_t ports = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{5});
  std::vector<std::pair<NodeId, PacketRequest>> requests;
  for (std::uint32_t n = 1; n < 6; ++n) requests.push_back({NodeId{n}, {NodeId{0}, 1}});
  std::map<Cycle, std::set<std::uint16_t>> ports_of;
  std::map<Cycle, std::size_t> tails;
  for (const Delivery& delivery : play(complete_with(ports), params_of(kind), requests)) {
    ports_of[delivery.arrival].insert(delivery.port);
    ++tails[delivery.arrival];
  }
  for (const auto& [cycle, count] : tails) CHECK(ports_of[cycle].size() == count);
  // Five packets arrive by five inputs at once; input p uses node port p modulo the number of
  // ports.
  CHECK(tails.begin()->second == ports);
}

TEST_CASE("packets of one node leave by its ports in turn", "[network]") {
  const Kind kind = GENERATE(Kind::kWormhole, Kind::kStoreForward);
  std::vector<std::pair<NodeId, PacketRequest>> requests;
  for (std::uint32_t n = 1; n < 6; ++n) requests.push_back({NodeId{0}, {NodeId{n}, 4}});
  const auto deliveries = play(complete_with(5), params_of(kind), requests);
  for (const Delivery& delivery : deliveries) {
    CHECK(delivery.packet.injected == Cycle{0});
    CHECK(delivery.arrival == deliveries.front().arrival);
  }
}

TEST_CASE("a packet leaves by the port that it asks for", "[network]") {
  const RoutedNetwork network = complete_with(3);
  std::vector<std::pair<NodeId, PacketRequest>> requests;
  PacketRequest request{NodeId{1}, 4};
  request.port = 2;
  for (int packet = 0; packet < 3; ++packet) requests.push_back({NodeId{0}, request});
  std::set<Cycle> injected;
  for (const Delivery& delivery : play(network, params_of(Kind::kWormhole), requests)) {
    injected.insert(delivery.packet.injected);
  }
  CHECK(injected == std::set<Cycle>{Cycle{0}, Cycle{4}, Cycle{8}});
}

TEST_CASE("a port that the node does not have is refused", "[network]") {
  const RoutedNetwork network = complete_with(3);
  ScriptSource source(6);
  PacketRequest request{NodeId{1}, 1};
  request.port = 3;
  source.add(Cycle{0}, NodeId{0}, request);
  Fabric fabric("fabric", *network.topology, *network.routing, source, params_of(Kind::kWormhole));
  CHECK_THROWS_AS(fabric.run(1), InvariantError);
}

TEST_CASE("buffers cost flits in every virtual channel of every input that is connected",
          "[network]") {
  RoutedNetwork network = mesh_network({3}, 3);
  network.topology->widen_nodes(2);
  SilentSource source;
  const NetworkParams params = params_of(Kind::kWormhole);
  Fabric fabric("fabric", *network.topology, *network.routing, source, params);
  nlohmann::ordered_json figures;
  fabric.write_figures(figures);
  // Inputs from 4 links and from 3 nodes with 2 ports each; 3 virtual channels of 6 flits.
  CHECK(figures.at("cost").at("buffer_flits") == (4 + 3 * 2) * 3 * 6);
}

namespace {

/// Random traffic that records the order in which the network reports deliveries.
class ListeningTraffic : public FiniteTraffic {
 public:
  using FiniteTraffic::FiniteTraffic;
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>&) override {
    order.push_back(delivery.packet.id);
    const auto place = std::make_tuple(delivery.arrival, delivery.node, delivery.port);
    if (!(last < place)) ordered = false;
    last = place;
  }
  std::vector<PacketId> order;
  std::tuple<Cycle, NodeId, std::uint16_t> last{};
  bool ordered = true;
};

}  // namespace

TEST_CASE("sources hear of deliveries by cycle, node and port for any partition", "[network]") {
  const RoutedNetwork network = complete_with(4);
  const FiniteTraffic::Params traffic{40, 4, 2};
  ListeningTraffic one(6, traffic);
  ListeningTraffic three(6, traffic);
  Fabric single("single", *network.topology, *network.routing, one, params_of(Kind::kWormhole));
  Fabric split("split", *network.topology, *network.routing, three, params_of(Kind::kWormhole, 3));
  single.run(1500);
  split.run(1500);
  REQUIRE(one.order.size() == 240);
  CHECK(one.ordered);
  CHECK(three.order == one.order);
}
