// SPDX-License-Identifier: Apache-2.0
#include <systemc>

#include "network/fabric.h"
#include "network/networks.h"
#include "network/sources.h"
#include "network/views.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Somebody else's module: sends from one terminal and waits at another, packet by packet.
class Client : public sc_core::sc_module {
 public:
  struct Exchange {
    NodeId to{};
    std::uint32_t length = 1;
  };

  Client(const sc_core::sc_module_name& name, Fabric& fabric, NodeId from,
         std::vector<Exchange> exchanges)
      : sc_module(name), fabric_(fabric), from_(from), exchanges_(std::move(exchanges)) {
    SC_HAS_PROCESS(Client);
    SC_THREAD(work);
  }

  std::vector<Delivery> received;
  std::vector<std::uint64_t> woken_after;  // Cycles run since the arrival.

 private:
  void work() {
    for (const Exchange& exchange : exchanges_) {
      Terminal& receiver = fabric_.terminal(exchange.to);
      receiver.listen();
      fabric_.terminal(from_).send({exchange.to, exchange.length, received.size()});
      wait(receiver.delivery_event());
      for (const Delivery& delivery : receiver.take_deliveries()) {
        received.push_back(delivery);
        woken_after.push_back(fabric_.now() - delivery.arrival);
      }
      wait(static_cast<double>(received.size() * 3), sc_core::SC_NS);
    }
  }

  Fabric& fabric_;
  const NodeId from_;
  const std::vector<Exchange> exchanges_;
};

NetworkParams lockstep_params(unsigned threads) {
  NetworkParams params;
  params.router.virtual_channels = 2;
  params.lockstep = true;
  params.threads = threads;
  return params;
}

}  // namespace

TEST_CASE("a thread that sends by a terminal is told in the cycle of arrival", "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  const NetworkParams params = lockstep_params(GENERATE(1U, 2U));
  SilentSource source;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params);
  Client client("client", fabric, NodeId{1},
                {{NodeId{8}, 1}, {NodeId{0}, 4}, {NodeId{1}, 2}, {NodeId{6}, 8}});
  sc_core::sc_start(400, sc_core::SC_NS);
  REQUIRE(client.received.size() == 4);
  for (std::size_t p = 0; p < 4; ++p) {
    const Packet& packet = client.received[p].packet;
    CHECK(packet.tag == p);
    CHECK(client.received[p].arrival - packet.created ==
          zero_load_latency(network, params, NodeId{1}, packet.destination, packet.length));
    CHECK(client.woken_after[p] == 1);
  }
}

TEST_CASE("sc_start alone moves a lockstep fabric, one cycle per clock period", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  SilentSource source;
  Fabric fabric("fabric", *network.topology, *network.routing, source, lockstep_params(1));
  sc_core::sc_start(25, sc_core::SC_NS);
  CHECK(fabric.now() == Cycle{25});
  fabric.run(10);
  CHECK(fabric.now() == Cycle{35});
  CHECK(sc_core::sc_time_stamp() == sc_core::sc_time(35, sc_core::SC_NS));
}

TEST_CASE("a fabric in batches moves by its run only", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  NetworkParams params;
  params.router.virtual_channels = 2;
  SilentSource source;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params);
  sc_core::sc_start(25, sc_core::SC_NS);
  CHECK(fabric.now() == Cycle{0});
  fabric.run(10);
  CHECK(fabric.now() == Cycle{10});
}

TEST_CASE("a terminal refuses what the network cannot carry", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  SilentSource source;
  Fabric fabric("fabric", *network.topology, *network.routing, source, lockstep_params(1));
  Terminal& terminal = fabric.terminal(NodeId{0});
  CHECK_THROWS_AS(terminal.send({NodeId{2}, 1, 0}), std::invalid_argument);
  CHECK_THROWS_AS(terminal.send({NodeId{1}, 0, 0}), std::invalid_argument);
  CHECK_THROWS_AS(terminal.send({NodeId{1}, kMaxPacketLength + 1, 0}), std::invalid_argument);
  CHECK_NOTHROW(terminal.send({NodeId{1}, kMaxPacketLength, 0}));
  CHECK(fabric.totals().packets_created == 1);
}

TEST_CASE("who does not listen keeps nothing", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  SilentSource source;
  Fabric fabric("fabric", *network.topology, *network.routing, source, lockstep_params(1));
  fabric.terminal(NodeId{0}).send({NodeId{1}, 3, 0});
  fabric.run(60);
  CHECK(fabric.terminal(NodeId{1}).take_deliveries().empty());
  CHECK(fabric.terminal(NodeId{1}).flits_received() == 3);
  CHECK(fabric.terminal(NodeId{0}).flits_sent() == 3);
}
