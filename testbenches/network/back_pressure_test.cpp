// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES  // For sc_spawn.
// Back-pressure between terminals and the network, in both directions.
#include <algorithm>
#include <map>
#include <systemc>
#include <tuple>

#include "network/check/inspection.h"
#include "network/fabric/fabric.h"
#include "network/networks.h"
#include "network/sources.h"
#include "routing/message_classes.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

NetworkParams lockstep_params(unsigned virtual_channels, unsigned threads = 1) {
  NetworkParams params;
  params.router.virtual_channels = virtual_channels;
  params.router.buffer_depth = 4;
  params.lockstep = true;
  params.threads = threads;
  return params;
}

RoutedNetwork with_classes(RoutedNetwork one_class, unsigned classes, unsigned vcs) {
  one_class.routing =
      std::make_unique<MessageClasses>(std::move(one_class.routing), classes, classes * vcs);
  return one_class;
}

/// Runs the fabric and audits it after every cycle.
void run_audited(Fabric& fabric, unsigned cycles) {
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    fabric.run(1);
    REQUIRE_NOTHROW(fabric.audit());
  }
}

using When = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>;  // Packet, cycle, node.

}  // namespace

TEST_CASE("a bounded queue takes its capacity of packets and no more, and loses none",
          "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  Fabric fabric("fabric", *network.topology, *network.routing, lockstep_params(2));
  Terminal& sender = fabric.terminal(NodeId{0});
  Terminal& receiver = fabric.terminal(NodeId{1});
  sender.bound_queue(3);
  receiver.listen();
  constexpr std::uint64_t kPackets = 30;
  std::size_t taken_at_once = 0;
  sc_core::sc_spawn([&] {
    while (sender.nb_put({NodeId{1}, 9, taken_at_once})) ++taken_at_once;
    CHECK(!sender.can_send());
    CHECK_THROWS_WITH(sender.send({NodeId{1}, 9}), Catch::Contains("without space"));
    for (std::uint64_t tag = taken_at_once; tag < kPackets; ++tag) {
      sender.put({NodeId{1}, 9, tag});
    }
  });
  std::size_t most = 0;
  for (int cycle = 0; cycle < 500; ++cycle) {
    fabric.run(1);
    most = std::max(most, fabric.partitions().of(NodeId{0}).waiting(0, 0));
  }
  CHECK(taken_at_once == 3);
  CHECK(most == 3);
  const std::vector<Arrival> arrivals = receiver.take_deliveries();
  REQUIRE(arrivals.size() == kPackets);
  for (std::uint64_t p = 0; p < kPackets; ++p) CHECK(arrivals[p].packet.tag == p);
  CHECK(sender.can_send());
}

TEST_CASE("a bound counts what was put before it in the same delta cycle", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  Fabric fabric("fabric", *network.topology, *network.routing, lockstep_params(2));
  Terminal& sender = fabric.terminal(NodeId{0});
  sender.send({NodeId{1}, 9});
  sender.send({NodeId{1}, 9});
  sender.bound_queue(3);
  CHECK(sender.nb_put({NodeId{1}, 9}));
  CHECK_FALSE(sender.can_send());
}

TEST_CASE("a put that waits for room leaves no gap on the injection channel", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  NetworkParams params = lockstep_params(2);
  params.router.buffer_depth = 8;  // Covers the credit loop.
  Fabric fabric("fabric", *network.topology, *network.routing, params);
  Terminal& sender = fabric.terminal(NodeId{0});
  sender.bound_queue(2);
  sc_core::sc_spawn([&] {
    for (int packet = 0; packet < 20; ++packet) sender.put({NodeId{0}, 5});
  });
  fabric.run(1);
  while (sender.flits_sent() == 0) fabric.run(1);
  const std::uint64_t sent = sender.flits_sent();
  fabric.run(90);
  CHECK(sender.flits_sent() == sent + 90);
}

TEST_CASE("a terminal that is not emptied fills, backs the network up, and loses nothing",
          "[network]") {
  const unsigned threads = GENERATE(1U, 2U);
  const RoutedNetwork network = mesh_network({3, 2}, 2);
  NetworkParams params = lockstep_params(2, threads);
  std::uint32_t length = 5;
  SECTION("wormhole") {}
  SECTION("packets longer than buffers") { length = 11; }
  SECTION("cut-through") { params.router.whole_packet_credit = true, length = 3; }
  SECTION("store and forward") { params.cores = &packet_cores(); }
  Fabric fabric("fabric", *network.topology, *network.routing, params);
  Terminal& receiver = fabric.terminal(NodeId{5});
  receiver.listen(2);
  constexpr std::uint64_t kEach = 40;
  for (std::uint32_t node = 0; node < 5; ++node) {
    for (std::uint64_t p = 0; p < kEach; ++p) {
      fabric.terminal(NodeId{node}).send({NodeId{5}, length, p});
    }
  }
  run_audited(fabric, 600);
  const std::uint64_t injected = fabric.totals().flits_injected;
  CHECK(receiver.available() == 2);
  CHECK(fabric.totals().packets_delivered == 2);
  CHECK(injected < 5 * kEach * length);  // The network is full up to its sources.
  run_audited(fabric, 100);
  CHECK(fabric.totals().flits_injected == injected);  // Nothing moves any more.

  std::map<NodeId, std::uint64_t> next;
  std::size_t got = 0;
  for (int turn = 0; turn < 2000 && got < 5 * kEach; ++turn) {
    Arrival arrival;
    if (receiver.nb_get(arrival)) ++got, ++next[arrival.packet.source];
    CHECK(receiver.available() <= 2);
    run_audited(fabric, 3);
  }
  CHECK(got == 5 * kEach);
  for (std::uint32_t node = 0; node < 5; ++node) CHECK(next[NodeId{node}] == kEach);
  run_audited(fabric, 20);
  CHECK(fabric.inspection()->deliveries_due() == 0);
}

TEST_CASE("places that are never short change no arrival", "[network]") {
  const unsigned threads = GENERATE(1U, 3U);
  const RoutedNetwork network = mesh_network({4, 3}, 2);
  NetworkParams params = lockstep_params(2, threads);
  SECTION("wormhole") {}
  SECTION("store and forward") { params.cores = &packet_cores(); }
  std::vector<std::vector<When>> arrivals(2);
  std::vector<std::unique_ptr<FiniteTraffic>> sources;
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const bool bounded : {false, true}) {
    sources.push_back(std::make_unique<FiniteTraffic>(12, FiniteTraffic::Params{20, 7, 3}));
    fabrics.push_back(std::make_unique<Fabric>(bounded ? "bounded" : "plain", *network.topology,
                                               *network.routing, *sources.back(), params));
    for (std::uint32_t node = 0; node < 12; ++node) {
      Terminal& terminal = fabrics.back()->terminal(NodeId{node});
      if (bounded) {
        terminal.listen(240);
      } else {
        terminal.listen();
      }
    }
  }
  sc_core::sc_start(1500, sc_core::SC_NS);
  for (std::size_t f = 0; f < 2; ++f) {
    for (std::uint32_t node = 0; node < 12; ++node) {
      for (const Arrival& arrival : fabrics[f]->terminal(NodeId{node}).take_deliveries()) {
        arrivals[f].emplace_back(index(arrival.packet.id), index(arrival.arrival), node);
      }
    }
  }
  CHECK(arrivals[0].size() == 240);
  CHECK(arrivals[1] == arrivals[0]);
}

TEST_CASE("requests that are not taken do not block responses", "[network]") {
  const RoutedNetwork network = with_classes(mesh_network({3, 2}, 2), 2, 2);
  Fabric fabric("fabric", *network.topology, *network.routing, lockstep_params(4));
  constexpr std::uint8_t kRequest = 0;
  constexpr std::uint8_t kResponse = 1;
  for (std::uint32_t node = 0; node < 6; ++node) {
    Terminal& terminal = fabric.terminal(NodeId{node});
    terminal.listen(1);
    for (std::uint32_t p = 0; p < 20; ++p) {
      PacketRequest request{NodeId{(node + p) % 6}, 6, p};
      request.message_class = kRequest;
      terminal.send(request);
      request.message_class = kResponse;
      terminal.send(request);
    }
  }
  std::size_t responses = 0;
  for (int cycle = 0; cycle < 1500; ++cycle) {
    run_audited(fabric, 1);
    for (std::uint32_t node = 0; node < 6; ++node) {
      Arrival arrival;
      if (fabric.terminal(NodeId{node}).nb_get(arrival, kResponse)) ++responses;
    }
  }
  CHECK(responses == 6 * 20);
  for (std::uint32_t node = 0; node < 6; ++node) {
    CHECK(fabric.terminal(NodeId{node}).available(kRequest) <= 1);
  }
  CHECK(fabric.totals().packets_delivered <= 6 * 20 + 6);
}

TEST_CASE("flits that wait at a node are taken from its virtual channels in turn", "[network]") {
  constexpr unsigned kDepth = 4;
  const RoutedNetwork network = with_classes(mesh_network({2}, 1), 2, 1);
  Fabric fabric("fabric", *network.topology, *network.routing, lockstep_params(2));
  Terminal& receiver = fabric.terminal(NodeId{1});
  receiver.listen(kDepth);
  for (std::uint8_t message_class = 0; message_class < 2; ++message_class) {
    for (unsigned packet = 0; packet < 3 * kDepth; ++packet) {
      PacketRequest request{NodeId{1}, 1};
      request.message_class = message_class;
      fabric.terminal(NodeId{0}).send(request);
    }
  }
  run_audited(fabric, 100);
  CHECK(receiver.take_deliveries().size() == 2 * kDepth);
  run_audited(fabric, 100);  // Both virtual channels were full of flits.
  const std::vector<Arrival> arrivals = receiver.take_deliveries();
  REQUIRE(arrivals.size() == 2 * kDepth);
  for (std::size_t a = 1; a < arrivals.size(); ++a) {
    CHECK(arrivals[a].arrival == arrivals[a - 1].arrival + 1);
    CHECK(arrivals[a].packet.message_class != arrivals[a - 1].packet.message_class);
  }
}

TEST_CASE("the ports of a node share its places", "[network]") {
  RoutedNetwork network = mesh_network({2, 2}, 2);
  network.topology->widen_nodes(2);
  Fabric fabric("fabric", *network.topology, *network.routing, lockstep_params(2));
  Terminal& receiver = fabric.terminal(NodeId{3});
  receiver.listen(3);
  for (std::uint32_t node = 0; node < 3; ++node) {
    for (std::uint64_t p = 0; p < 10; ++p) {
      fabric.terminal(NodeId{node}).send({NodeId{3}, 4, p});
    }
  }
  run_audited(fabric, 300);
  CHECK(receiver.available() == 3);
  std::size_t got = 0;
  for (int turn = 0; turn < 200; ++turn) {
    got += receiver.take_deliveries().size();
    run_audited(fabric, 4);
  }
  CHECK(got == 30);
}
