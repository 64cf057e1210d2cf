// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "network/fabric_run.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

NetworkParams params_of(unsigned virtual_channels, unsigned threads, bool cut_through) {
  NetworkParams params;
  params.router.virtual_channels = virtual_channels;
  params.router.whole_packet_credit = cut_through;
  params.threads = threads;
  return params;
}

void check_empty(Fabric& fabric) {
  for (const auto& partition : fabric.partitions().all()) CHECK(partition->packets().due() == 0);
  for (std::uint32_t r = 0; r < fabric.topology().router_count(); ++r) {
    const RouterState& state = *fabric.router_node(RouterId{r}).state;
    for (unsigned i = 0; i < state.vc_index(state.input_ports, 0); ++i) {
      REQUIRE(state.inputs[i].count == 0);
    }
  }
  for (const Channel& channel : fabric.topology().channels()) {
    const RouterState& state = *fabric.router_node(channel.from.router).state;
    for (unsigned vc = 0; vc < state.virtual_channels; ++vc) {
      const OutputVc& out = state.outputs[state.vc_index(index(channel.from.port), vc)];
      REQUIRE(out.credits == state.depth);
      REQUIRE(out.owner == OutputVc::kNone);
    }
  }
}

}  // namespace

TEST_CASE("when traffic stops every flit has arrived and every buffer is empty", "[network]") {
  const auto makers = small_networks();
  const std::size_t network = GENERATE(range(std::size_t{0}, std::size_t{8}));
  const unsigned threads = GENERATE(1U, 3U);
  const RoutedNetwork net = makers[network](4);
  const NetworkParams params = params_of(4, threads, network % 2 == 0);
  FabricRun run("fabric", net, params, {25, 8, 3});
  run.drain();
  const Totals totals = run.fabric->totals();
  REQUIRE(totals.packets_created == 25 * net.topology->node_count());
  CHECK(totals.packets_delivered == totals.packets_created);
  CHECK(totals.flits_injected == totals.flits_created);
  CHECK(totals.flits_ejected == totals.flits_created);
  check_empty(*run.fabric);
}

TEST_CASE("every packet arrives once, at its destination, whole", "[network]") {
  const RoutedNetwork network = mesh_network({4, 3}, 2);
  FabricRun run("fabric", network, params_of(2, 2, false), {40, 9, 2});
  run.drain();
  std::set<PacketId> seen;
  std::uint64_t hops = 0;
  std::map<NodeId, std::uint64_t> flits;
  for (const Delivery& delivery : run.deliveries()) {
    const Packet& packet = delivery.packet;
    CHECK(seen.insert(packet.id).second);
    CHECK(index(packet.id) >> 32 == index(packet.source));
    CHECK(packet.tag == index(packet.created));  // FiniteTraffic's mark is returned unchanged.
    CHECK(packet.injected >= packet.created);
    CHECK(delivery.arrival > packet.injected);
    hops += std::uint64_t{delivery.hops} * packet.length;
    flits[packet.destination] += packet.length;
  }
  CHECK(seen.size() == 40 * 12);
  CHECK(run.fabric->flit_hops() == hops);
  for (const auto& [node, ejected] : flits) CHECK(run.fabric->flits_ejected(node) == ejected);
}

TEST_CASE("a backlog far beyond the network's buffers is kept and delivered", "[network]") {
  const RoutedNetwork network = mesh_network({2, 2}, 2);
  FabricRun run("fabric", network, params_of(2, 2, false), {3000, 4, 1});
  run.drain();
  CHECK(run.drained());
  check_empty(*run.fabric);
}

TEST_CASE("deliveries of one source and VC class keep the order of the queue", "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 1);
  FabricRun run("fabric", network, params_of(1, 1, false), {40, 5, 2});
  run.drain();
  std::map<std::pair<NodeId, NodeId>, PacketId> last;
  for (const Delivery& delivery : run.deliveries()) {
    const auto pair = std::make_pair(delivery.packet.source, delivery.packet.destination);
    const auto [entry, first] = last.insert({pair, delivery.packet.id});
    if (!first) CHECK(index(entry->second) < index(delivery.packet.id));
    entry->second = delivery.packet.id;
  }
}
