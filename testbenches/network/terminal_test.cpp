// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES  // For sc_spawn.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <systemc>

#include "network/broadcasts.h"
#include "network/fabric/fabric.h"
#include "network/networks.h"
#include "network/sources.h"
#include "routing/dimension_order.h"
#include "routing/message_classes.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;
using Catch::Contains;

namespace {

/// A user's module: sends from one terminal and waits at another, packet by packet.
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

NetworkParams terminal_params(unsigned threads) {
  NetworkParams params;
  params.router.virtual_channels = 2;
  params.lockstep = true;
  params.threads = threads;
  return params;
}

}  // namespace

TEST_CASE("a thread that sends by a terminal is notified in the cycle of arrival", "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  const NetworkParams params = terminal_params(GENERATE(1U, 2U));
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
  Fabric fabric("fabric", *network.topology, *network.routing, source, terminal_params(1));
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

TEST_CASE("a terminal refuses what the network cannot carry, with its name and the cycle",
          "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  Fabric fabric("fabric", *network.topology, *network.routing, terminal_params(1));
  fabric.run(7);
  Terminal& terminal = fabric.terminal(NodeId{0});
  const auto check_misuse = [&](const PacketRequest& request, const std::string& what) {
    const std::string named = "fabric.terminal_0: " + what;
    CHECK_THROWS_WITH(terminal.send(request), Contains(named) && Contains("in cycle 7"));
    CHECK_THROWS_WITH(terminal.nb_put(request), Contains(named));
  };
  check_misuse({NodeId{2}, 1}, "a packet to node 2; the network has 2");
  check_misuse({NodeId{1}, 0}, "a packet of 0 flits; the network takes 1 to 65536");
  check_misuse({NodeId{1}, kMaxPacketLength + 1}, "a packet of 65537 flits");
  check_misuse({NodeId{1}, 1, 0, 0, 2}, "a packet for 2 receivers");
  check_misuse({NodeId{1}, 1, 0, 0, 1, 3}, "a packet by port 3; a node has 1");
  PacketRequest request{NodeId{1}, 1};
  request.message_class = 1;
  check_misuse(request, "a packet of message class 1; the network has 1");
  CHECK_NOTHROW(terminal.send({NodeId{1}, kMaxPacketLength}));
  fabric.run(1);
  CHECK(fabric.totals().packets_created == 1);
}

TEST_CASE("a terminal refuses packets shorter than the shortest", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  NetworkParams params = terminal_params(1);
  params.router.shortest_packet = 3;
  Fabric fabric("fabric", *network.topology, *network.routing, params);
  CHECK_THROWS_WITH(fabric.terminal(NodeId{0}).send({NodeId{1}, 2}),
                    Contains("a packet of 2 flits; the network takes 3 to 65536"));
  CHECK_NOTHROW(fabric.terminal(NodeId{0}).send({NodeId{1}, 3}));
}

TEST_CASE("a terminal refuses to be asked for what it does not keep", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  Fabric fabric("fabric", *network.topology, *network.routing, terminal_params(1));
  NetworkParams params;
  params.router.virtual_channels = 2;
  SilentSource source;
  Fabric batches("batches", *network.topology, *network.routing, source, params);
  Terminal& terminal = fabric.terminal(NodeId{0});
  Arrival arrival;
  CHECK_THROWS_WITH(terminal.nb_get(arrival), Contains("without listen()"));
  CHECK_THROWS_WITH(terminal.listen(0), Contains("listen() without a slot"));
  CHECK_THROWS_WITH(terminal.bound_queue(0), Contains("a source queue without space"));
  terminal.listen(1);
  CHECK_THROWS_WITH(terminal.listen(2), Contains("a second listen()"));
  CHECK_THROWS_WITH(terminal.nb_get(arrival, 1), Contains("message class 1; the network has 1"));
  CHECK(!terminal.nb_get(arrival));

  Terminal& late = fabric.terminal(NodeId{1});
  terminal.send({NodeId{1}, 20});
  while (late.flits_received() == 0) fabric.run(1);
  CHECK_THROWS_WITH(late.listen(1), Contains("listen() while a packet is arriving"));

  CHECK_THROWS_WITH(batches.terminal(NodeId{0}).listen(), Contains("does not run in lockstep"));
  CHECK_THROWS_WITH(batches.terminal(NodeId{0}).send({NodeId{1}, 1}, Bytes{1}),
                    Contains("bytes in a fabric that does not run in lockstep"));
}

TEST_CASE("a terminal that does not listen keeps nothing", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  Fabric fabric("fabric", *network.topology, *network.routing, terminal_params(1));
  fabric.terminal(NodeId{0}).send({NodeId{1}, 3, 0}, Bytes{1, 2});
  fabric.run(60);
  CHECK(fabric.terminal(NodeId{1}).take_deliveries().empty());
  CHECK(fabric.terminal(NodeId{1}).flits_received() == 3);
  CHECK(fabric.terminal(NodeId{0}).flits_sent() == 3);
}

TEST_CASE("a packet put at a clock edge is created in the next cycle, in any order of processes",
          "[network]") {
  const RoutedNetwork network = mesh_network({3}, 2);
  Fabric* built = nullptr;
  const auto send_each_cycle = [&](std::uint32_t node) {
    sc_core::sc_spawn([&built, node] {
      for (std::uint64_t edge = 0; edge < 10; ++edge) {
        built->terminal(NodeId{node}).send({NodeId{1}, 1, edge});
        sc_core::wait(kClockPeriodNs, sc_core::SC_NS);
      }
    });
  };
  send_each_cycle(0);  // Spawned before the fabric's process.
  Fabric fabric("fabric", *network.topology, *network.routing, terminal_params(1));
  built = &fabric;
  send_each_cycle(2);  // Spawned after the fabric's process.
  fabric.terminal(NodeId{1}).listen();
  sc_core::sc_start(60, sc_core::SC_NS);
  const std::vector<Arrival> arrivals = fabric.terminal(NodeId{1}).take_deliveries();
  REQUIRE(arrivals.size() == 20);
  for (const Arrival& arrival : arrivals) {
    CHECK(index(arrival.packet.created) == arrival.packet.tag + 1);
  }
}

TEST_CASE("get waits for the next arrival of its message class, in order", "[network]") {
  const Grid grid = mesh({2});
  const MessageClasses routing(std::make_unique<DimensionOrder>(
                                   grid, DimensionOrder::Params{false, true, VcClasses::kNone, 2}),
                               2, 4);
  NetworkParams params = terminal_params(1);
  params.router.virtual_channels = 4;
  Fabric fabric("fabric", grid, routing, params);
  fabric.terminal(NodeId{1}).listen();
  std::map<std::uint8_t, std::vector<std::uint64_t>> got;
  std::vector<std::uint64_t> waited;
  for (const std::uint8_t message_class : {std::uint8_t{0}, std::uint8_t{1}}) {
    sc_core::sc_spawn([&, message_class] {
      for (int packet = 0; packet < 5; ++packet) {
        const Arrival arrival = fabric.terminal(NodeId{1}).get(message_class);
        CHECK(arrival.packet.message_class == message_class);
        got[message_class].push_back(arrival.packet.tag);
        waited.push_back(fabric.now() - arrival.arrival);
      }
    });
  }
  for (std::uint64_t tag = 0; tag < 10; ++tag) {
    PacketRequest request{NodeId{1}, 3, tag};
    request.message_class = tag % 2;
    fabric.terminal(NodeId{0}).send(request);
  }
  sc_core::sc_start(100, sc_core::SC_NS);
  CHECK(got[0] == std::vector<std::uint64_t>{0, 2, 4, 6, 8});
  CHECK(got[1] == std::vector<std::uint64_t>{1, 3, 5, 7, 9});
  CHECK(waited == std::vector<std::uint64_t>(10, 1));
}

TEST_CASE("what a packet carries arrives with it: bytes, an object, a number", "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  Fabric fabric("fabric", *network.topology, *network.routing, terminal_params(GENERATE(1U, 2U)));
  Terminal& receiver = fabric.terminal(NodeId{8});
  receiver.listen();
  std::string object = "mine";
  PacketRequest with_object{NodeId{8}, 2, 1};
  with_object.payload = payload_of(&object);
  fabric.terminal(NodeId{0}).send(with_object);
  fabric.terminal(NodeId{1}).send({NodeId{8}, 2, 2, 77}, Bytes{3, 1, 4});
  fabric.terminal(NodeId{2}).send({NodeId{8}, 2, 3}, Bytes{5});
  fabric.run(100);
  std::map<std::uint64_t, Arrival> arrived;
  for (Arrival& arrival : receiver.take_deliveries()) arrived[arrival.packet.tag] = arrival;
  REQUIRE(arrived.size() == 3);
  CHECK(payload_as<std::string>(arrived[1].packet) == &object);
  CHECK(arrived[1].bytes.empty());
  CHECK(arrived[2].packet.payload == 77);
  CHECK(arrived[2].bytes == Bytes{3, 1, 4});
  CHECK(arrived[3].bytes == Bytes{5});
}

TEST_CASE("every receiver of a multicast gets a copy of the bytes", "[network]") {
  const RoutedNetwork network = broadcast_network(3, 8);
  NetworkParams params = terminal_params(1);
  params.router.virtual_channels = 8;
  Fabric fabric("fabric", *network.topology, *network.routing, params);
  for (std::uint32_t node = 1; node < 8; ++node) fabric.terminal(NodeId{node}).listen();
  PacketRequest request{NodeId{0}, 2};
  request.receivers = 7;
  fabric.terminal(NodeId{0}).send(request, Bytes{3, 1, 4});
  fabric.run(100);
  for (std::uint32_t node = 1; node < 8; ++node) {
    const std::vector<Arrival> arrivals = fabric.terminal(NodeId{node}).take_deliveries();
    REQUIRE(arrivals.size() == 1);
    CHECK(arrivals[0].bytes == Bytes{3, 1, 4});
  }
}

// Node 0 sends by both ports; the long packet by port 0 arrives after the short one by port 1.
TEST_CASE("deliveries are taken in order of arrival, whatever the port of the node", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  network.topology->widen_nodes(2);
  Fabric fabric("fabric", *network.topology, *network.routing, terminal_params(1));
  Terminal& receiver = fabric.terminal(NodeId{1});
  receiver.listen();
  for (const std::uint32_t from : {0U, 1U, 0U, 1U}) {
    for (const std::uint32_t length : {9U, 5U, 1U}) {
      fabric.terminal(NodeId{from}).send({NodeId{1}, length});
    }
  }
  fabric.run(200);
  const std::vector<Arrival> arrivals = receiver.take_deliveries();
  REQUIRE(arrivals.size() == 12);
  std::vector<std::uint16_t> ports;
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    ports.push_back(arrivals[i].port);
    if (i > 0) CHECK(arrivals[i - 1].arrival <= arrivals[i].arrival);
  }
  CHECK_FALSE(std::is_sorted(ports.begin(), ports.end()));
}

TEST_CASE("a fabric without a source refuses a routing that can deadlock, with the cycle",
          "[network]") {
  const Grid ring = torus({4});
  const DimensionOrder routing(ring, DimensionOrder::Params{false, true, VcClasses::kNone, 2});
  CHECK_THROWS_WITH(Fabric("fabric", ring, routing, terminal_params(1)),
                    Contains("cyclic channel dependency") && Contains("router 0 port"));
}

TEST_CASE("a fabric refuses parameters that an experiment could not have, all at once",
          "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  NetworkParams params = terminal_params(1);
  params.router.buffer_depth = 0;
  params.router.virtual_channels = 33;
  params.router.pipeline.switch_allocation = 0;
  params.link_latency = 0;
  params.cycles_per_flit = 1025;
  CHECK_THROWS_WITH(Fabric("fabric", *network.topology, *network.routing, params),
                    Contains("buffer_depth: 0 is not from 1 to 65535") &&
                        Contains("virtual_channels: 33 is not from 1 to 32") &&
                        Contains("pipeline.switch_allocation: 0 is not from 1 to 8") &&
                        Contains("link_latency: 0") && Contains("cycles_per_flit: 1025"));
  CHECK_THROWS_WITH(Fabric("other", *network.topology, *network.routing,
                           [] {
                             NetworkParams one = terminal_params(1);
                             one.router.virtual_channels = 1;
                             return one;
                           }()),
                    Contains("the routing was made for more than 1 virtual channels"));
}
