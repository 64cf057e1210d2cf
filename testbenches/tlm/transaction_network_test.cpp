// SPDX-License-Identifier: Apache-2.0
#include "tlm/transaction_network.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "network/sources.h"
#include "router/invariant.h"
#include "stats/delivery_probes.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"
#include "tlm/bench.h"

using namespace flitcast;
using flitcast::testing::install_fresh_kernel;
using flitcast::tlm::TransactionNetwork;

namespace {

constexpr std::uint64_t kLong = 20000;

/// A mesh whose nodes send the packets of a source as transactions.
struct TransactionBench {
  TransactionBench(PacketSource& source, std::size_t outstanding = 16, unsigned threads = 1)
      : params(testing::network_params()) {
    params.threads = threads;
    net = std::make_unique<TransactionNetwork>(
        "net",
        NetworkParts{*network.topology, params, source, network.routing.get(), nullptr, {&probe}},
        outstanding);
  }

  /// The cycles from a packet's creation until its request, or its response, arrives, for packets
  /// that are alone: a message that is sent becomes a packet in the next cycle.
  std::uint64_t way(NodeId from, NodeId to, std::uint32_t flits) const {
    return 1 + zero_load_latency(network, params, from, to, flits);
  }

  const RoutedNetwork network = testing::mesh_network({4, 4});
  NetworkParams params;
  Recorder probe;
  std::unique_ptr<TransactionNetwork> net;
};

/// The first node sends a packet to the last one at the start, and the last node replies when it
/// has arrived.
class Relay : public ScriptSource {
 public:
  Relay() : ScriptSource(16) { add(Cycle{5}, NodeId{0}, {NodeId{15}, 3}); }

  bool wants_deliveries() const override { return true; }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override {
    if (node == NodeId{0}) return ScriptSource::create(node, now, packets);
    packets.push_back({NodeId{0}, 2});
    return kNever;
  }
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override {
    arrivals.push_back(delivery);
    if (delivery.node == NodeId{15}) wake_ups.push_back({delivery.node, delivery.arrival + 1});
  }

  std::vector<Delivery> arrivals;
};

}  // namespace

TEST_CASE("a packet alone takes the time of its request and of a response of one flit", "[tlm]") {
  ScriptSource source(16);
  std::map<std::uint64_t, PacketRequest> sent;  // Indexed by cycle.
  for (std::uint32_t k = 0; k < 64; ++k) {
    const Cycle cycle{200 * k};
    sent[index(cycle)] = {NodeId{(k * 7) % 16}, 1 + k % 11};
    source.add(cycle, NodeId{k % 16}, sent[index(cycle)]);
  }
  TransactionBench bench(source);
  bench.net->run(200 * 64);
  REQUIRE(bench.probe.deliveries.size() == 64);
  for (const Delivery& delivery : bench.probe.deliveries) {
    const Packet& packet = delivery.packet;
    INFO("from " << index(packet.source) << " to " << index(packet.destination) << ", "
                 << packet.length << " flits");
    CHECK(packet.destination == sent.at(index(packet.created)).destination);
    CHECK(packet.length == sent.at(index(packet.created)).length);
    CHECK(delivery.arrival - packet.created ==
          bench.way(packet.source, packet.destination, packet.length) +
              bench.way(packet.destination, packet.source, 1));
    CHECK(delivery.hops == 2 * routers_between(bench.network, packet.source, packet.destination));
  }
  bench.net->audit();
  bench.net->interconnect().audit();
}

TEST_CASE("every packet of random traffic is answered once, and its flits and a response travel",
          "[tlm]") {
  FiniteTraffic source(16, {});
  TransactionBench bench(source, GENERATE(std::size_t{1}, std::size_t{3}, std::size_t{64}));
  bench.net->run(kLong);
  std::set<PacketId> seen;
  std::uint64_t flits = 0;
  for (const Delivery& delivery : bench.probe.deliveries) {
    CHECK(seen.insert(delivery.packet.id).second);
    flits += delivery.packet.length;
  }
  constexpr std::uint64_t kPackets = 16 * 30;
  CHECK(seen.size() == kPackets);
  const Totals totals = bench.net->totals();
  CHECK(totals.packets_created == kPackets);
  CHECK(totals.packets_delivered == kPackets);
  CHECK(totals.flits_created == flits + kPackets);
  CHECK(totals.flits_ejected == flits + kPackets);
  bench.net->for_each_packet([](const Packet&) { FAIL("a packet is left"); });
  bench.net->audit();
  bench.net->interconnect().audit();
}

TEST_CASE("a node never exceeds its limit of outstanding transactions", "[tlm]") {
  const auto most = static_cast<std::size_t>(GENERATE(1, 2, 5));
  FiniteTraffic source(16, {});
  TransactionBench bench(source, most);
  bench.net->run(kLong);
  REQUIRE(bench.probe.deliveries.size() == 16 * 30);
  for (std::uint32_t node = 0; node < 16; ++node) {
    std::map<std::uint64_t, int> changes;  // Requests that begin and responses, responses first.
    for (const Delivery& delivery : bench.probe.deliveries) {
      if (delivery.packet.source != NodeId{node}) continue;
      ++changes[2 * index(delivery.packet.injected) + 1];
      --changes[2 * index(delivery.arrival)];
    }
    int outstanding = 0;
    int seen = 0;
    for (const auto& [time, change] : changes) seen = std::max(seen, outstanding += change);
    CHECK(static_cast<std::size_t>(seen) == most);
  }
}

TEST_CASE("tasks that wait for a packet continue when the request is with its target", "[tlm]") {
  Relay source;
  TransactionBench bench(source);
  bench.net->run(500);
  const std::uint64_t there = bench.way(NodeId{0}, NodeId{15}, 3);
  REQUIRE(source.arrivals.size() == 2);
  CHECK(source.arrivals[0].arrival == Cycle{5 + there});
  REQUIRE(bench.probe.deliveries.size() == 2);
  CHECK(bench.probe.deliveries[1].packet.created == Cycle{5 + there + 1});
}

TEST_CASE("between two cycles every flit that was created has been ejected or is told of",
          "[tlm]") {
  FiniteTraffic source(16, {});
  TransactionBench bench(source, 4);
  for (int k = 0; k < 200; ++k) {
    bench.net->run(3);
    const Totals totals = bench.net->totals();
    std::uint64_t whole = 0;
    bench.net->for_each_packet([&](const Packet& packet) { whole += packet.length; });
    // Some flits of packets that are leaving have been sent already.
    CHECK(totals.flits_created <= totals.flits_ejected + whole);
    CHECK(totals.flits_created + 7 * 16 > totals.flits_ejected + whole);
    bench.net->audit();
  }
}

TEST_CASE("transactions do not depend on the number of threads", "[tlm]") {
  std::vector<std::uint64_t> checksums;
  for (const unsigned threads : {1U, 2U, 3U}) {
    install_fresh_kernel();
    FiniteTraffic source(16, {});
    TransactionBench bench(source, 4, threads);
    bench.net->run(kLong);
    ChecksumProbe checksum;
    for (const Delivery& delivery : bench.probe.deliveries) checksum.delivered(delivery);
    checksums.push_back(checksum.value());
  }
  CHECK(checksums == std::vector<std::uint64_t>(3, checksums.front()));
}

TEST_CASE("a packet with a choice that transactions lack is refused", "[tlm]") {
  ScriptSource source(16);
  PacketRequest request{NodeId{3}, 2};
  request.ties = 1;
  source.add(Cycle{2}, NodeId{0}, request);
  TransactionBench bench(source);
  CHECK_THROWS_AS(bench.net->run(10), InvariantError);
}

TEST_CASE("the figures of transactions are those of their packets", "[tlm]") {
  FiniteTraffic source(16, {});
  TransactionBench bench(source);
  bench.net->run(kLong);
  nlohmann::ordered_json figures;
  bench.net->write_figures(figures);
  std::uint64_t flits = 0;
  std::uint64_t cycles = 0;
  for (const Delivery& delivery : bench.probe.deliveries) {
    flits += delivery.packet.length;
    cycles += delivery.arrival - delivery.packet.created;
  }
  const auto& told = figures["transactions"];
  CHECK(told["answered"] == 480);
  CHECK(told["request_flits"] == flits);
  CHECK(told["response_flits"] == 480);
  CHECK(told["request_cycles"].get<double>() + told["response_cycles"].get<double>() ==
        Approx(static_cast<double>(cycles) / 480));
}
