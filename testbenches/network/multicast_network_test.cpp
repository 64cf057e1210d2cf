// SPDX-License-Identifier: Apache-2.0
// Networks whose routers replicate packets.
#include <map>
#include <set>

#include "network/broadcasts.h"
#include "network/check/inspection.h"
#include "network/fabric_run.h"
#include "router/invariant.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

enum class Copies { kAsynchronous, kSynchronous, kStored };

constexpr unsigned kDimension = 3;
constexpr unsigned kNodes = 1U << kDimension;

NetworkParams params_of(Copies copies, unsigned virtual_channels = kNodes) {
  NetworkParams params;
  params.router.virtual_channels = virtual_channels;
  params.router.synchronous_copies = copies == Copies::kSynchronous;
  if (copies == Copies::kStored) params.cores = &packet_cores();
  params.router.buffer_depth = copies == Copies::kStored ? 2 : 6;
  params.full_hierarchy = false;
  return params;
}

std::unique_ptr<FabricRun> broadcast_run(const char* name, const RoutedNetwork& network,
                                         const NetworkParams& params,
                                         const Broadcasts::Params& traffic = {}) {
  const std::size_t nodes = network.topology->node_count();
  return std::make_unique<FabricRun>(name, network, params,
                                     std::make_unique<Broadcasts>(nodes, traffic),
                                     nodes * (nodes - 1) * traffic.packets_per_node);
}

/// Unicast routing that declares itself multicast, so that the multicast cores carry its packets.
class SingleBranches : public Routing {
 public:
  explicit SingleBranches(const Routing& routing) : routing_(routing) {}
  bool multicast() const override { return true; }
  Route route(const RouteRequest& request) const override { return routing_.route(request); }
  VcSet injection_vcs(NodeId source, NodeId destination) const override {
    return routing_.injection_vcs(source, destination);
  }
  std::size_t tie_dimensions() const override { return routing_.tie_dimensions(); }

 private:
  const Routing& routing_;
};

}  // namespace

TEST_CASE("every receiver of a broadcast gets it once", "[network]") {
  const Copies copies = GENERATE(Copies::kAsynchronous, Copies::kSynchronous, Copies::kStored);
  const std::size_t node_ports = GENERATE(std::size_t{1}, std::size_t{3});
  const RoutedNetwork network = broadcast_network(kDimension, kNodes, node_ports);
  const auto run = broadcast_run("fabric", network, params_of(copies));
  run->drain();
  REQUIRE(run->drained());
  std::map<PacketId, std::set<NodeId>> served;
  for (const Delivery& delivery : run->deliveries()) {
    CHECK(delivery.packet.receivers == kNodes - 1);
    CHECK(delivery.node != delivery.packet.source);
    CHECK(served[delivery.packet.id].insert(delivery.node).second);
    const unsigned apart = index(delivery.node) ^ index(delivery.packet.source);
    CHECK(delivery.hops == 1U + static_cast<unsigned>(__builtin_popcount(apart)));
  }
  CHECK(served.size() == kNodes * 10);
  for (const auto& [packet, nodes] : served) CHECK(nodes.size() == kNodes - 1);
  const Totals totals = run->fabric->totals();
  CHECK(totals.receivers == totals.packets_created * (kNodes - 1));
  CHECK(totals.flits_ejected == totals.flits_created * (kNodes - 1));
  for (const auto& partition : run->fabric->partitions().all())
    CHECK(partition->packets().due() == 0);
}

TEST_CASE("copies: order, sleeping and threads change no delivery", "[network]") {
  const Copies copies = GENERATE(Copies::kAsynchronous, Copies::kSynchronous, Copies::kStored);
  const unsigned gap = GENERATE(1U, 40U);
  const RoutedNetwork network = broadcast_network(kDimension, kNodes, gap == 1 ? 1 : 2);
  std::vector<std::unique_ptr<FabricRun>> runs;
  const Broadcasts::Params traffic{12, 6, gap, 0};
  const NetworkParams reference = params_of(copies);
  runs.push_back(broadcast_run("reference", network, reference, traffic));
  NetworkParams params = reference;
  params.threads = 3;
  runs.push_back(broadcast_run("threads", network, params, traffic));
  params.shuffle_seed = 3;
  runs.push_back(broadcast_run("shuffled_threads", network, params, traffic));
  params.sleep = false;
  params.threads = 1;
  runs.push_back(broadcast_run("shuffled_sleepless", network, params, traffic));
  for (auto& run : runs) run->drain();
  REQUIRE(runs[0]->drained());
  for (const auto& run : runs) {
    CAPTURE(run->fabric->name());
    REQUIRE(run->drained());
    CHECK(run->checksum() == runs[0]->checksum());
    CHECK(run->fabric->flit_hops() == runs[0]->fabric->flit_hops());
  }
}

TEST_CASE("copies: the accounts balance in every cycle", "[network]") {
  const Copies copies = GENERATE(Copies::kAsynchronous, Copies::kSynchronous, Copies::kStored);
  const RoutedNetwork network = broadcast_network(kDimension, kNodes, 2);
  NetworkParams params = params_of(copies);
  params.threads = 2;
  const auto run = broadcast_run("fabric", network, params, {10, 6, 3, 0});
  const auto inspected = run->fabric->inspection();
  const Inspection& inspection = *inspected;
  for (int cycle = 0; cycle < 400; ++cycle) {
    run->fabric->run(1);
    REQUIRE_NOTHROW(audit(inspection));
  }
  run->drain();
  REQUIRE(run->drained());
  CHECK_NOTHROW(audit(inspection));
}

TEST_CASE("stored copies share VCs without waiting in a cycle", "[network]") {
  const RoutedNetwork network = broadcast_network(4, 2);
  const auto run = broadcast_run("fabric", network, params_of(Copies::kStored, 2), {12, 4, 1, 0});
  run->drain();
  CHECK(run->drained());
}

TEST_CASE("one broadcast alone reaches each node in the time of its hops", "[network][theory]") {
  const Copies copies = GENERATE(Copies::kAsynchronous, Copies::kSynchronous, Copies::kStored);
  NetworkParams params = params_of(copies, 1);
  params.router.buffer_depth = 16;
  params.router.pipeline = GENERATE(Pipeline{}, Pipeline{0, 1, 1, 1}, Pipeline{2, 3, 2, 0});
  params.link_latency = GENERATE(1U, 3U);
  params.cycles_per_flit = GENERATE(1U, 2U);
  params.startup = 4;
  const RoutedNetwork network = broadcast_network(4, 1);
  ScriptSource source(16);
  PacketRequest request{NodeId{0}, 6};
  request.receivers = 15;
  source.add(Cycle{0}, NodeId{5}, request);
  Recorder recorder;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params, {&recorder});
  fabric.run(500);
  REQUIRE(recorder.deliveries.size() == 15);
  const auto td = static_cast<std::int64_t>(hop_cycles(params));
  const std::int64_t flits = 6 * std::int64_t{params.cycles_per_flit};
  for (const Delivery& delivery : recorder.deliveries) {
    const std::int64_t hops = delivery.hops - 1;
    const std::int64_t way = copies == Copies::kStored ? hops * (td + flits) : hops * td + flits;
    CHECK(static_cast<std::int64_t>(index(delivery.arrival)) + 1 ==
          params.startup + way + interface_cycles(params));
  }
}

TEST_CASE("routers that can copy carry single packets like those that cannot", "[network]") {
  const std::size_t family = GENERATE(range(std::size_t{0}, std::size_t{8}));
  const bool whole_packets = family % 2 == 1;
  NetworkParams params = params_of(Copies::kAsynchronous, 3);
  params.router.whole_packet_credit = whole_packets;
  params.cycles_per_flit = 1 + static_cast<unsigned>(family % 3);
  const RoutedNetwork unicast = small_networks()[family](3);
  RoutedNetwork multicast = small_networks()[family](3);
  multicast.routing = std::make_unique<SingleBranches>(*unicast.routing);
  const FiniteTraffic::Params traffic{25, 6, family % 3 == 0 ? 1U : 20U};
  FabricRun reference("reference", unicast, params, traffic);
  FabricRun copying("copying", multicast, params, traffic);
  params.router.synchronous_copies = true;
  FabricRun synchronous("synchronous", multicast, params, traffic);
  reference.drain();
  copying.drain();
  synchronous.drain();
  REQUIRE(reference.drained());
  REQUIRE(synchronous.drained());
  CHECK(copying.checksum() == reference.checksum());
}

TEST_CASE("a packet with more copies than receivers breaks an invariant", "[network]") {
  const Copies copies = GENERATE(Copies::kAsynchronous, Copies::kStored);
  const RoutedNetwork network = broadcast_network(kDimension, kNodes);
  NetworkParams params = params_of(copies);
  params.threads = GENERATE(1U, 2U);
  const auto run = broadcast_run("fabric", network, params, {1, 4, 1, -1});
  CHECK_THROWS_AS(run->fabric->run(500), InvariantError);
}

TEST_CASE("a packet with fewer copies than receivers does not pass the audit", "[network]") {
  const Copies copies = GENERATE(Copies::kAsynchronous, Copies::kSynchronous, Copies::kStored);
  const RoutedNetwork network = broadcast_network(kDimension, kNodes);
  const auto run = broadcast_run("fabric", network, params_of(copies), {2, 4, 5, 1});
  run->fabric->run(1000);
  CHECK_THROWS_AS(audit(*run->fabric->inspection()), InvariantError);
}
