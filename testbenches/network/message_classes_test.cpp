// SPDX-License-Identifier: Apache-2.0
#include "routing/message_classes.h"

#include <algorithm>

#include "network/fabric_run.h"
#include "router/invariant.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Returns a network whose routing has `classes` message classes of `vcs` virtual channels each.
RoutedNetwork with_classes(RoutedNetwork one_class, unsigned classes, unsigned vcs) {
  one_class.routing =
      std::make_unique<MessageClasses>(std::move(one_class.routing), classes, classes * vcs);
  return one_class;
}

/// Finite traffic whose packets belong to one class, or to all classes in random order.
class ClassTraffic : public FiniteTraffic {
 public:
  static constexpr unsigned kAll = 255;

  ClassTraffic(std::size_t nodes, const Params& params, unsigned classes, unsigned only = kAll)
      : FiniteTraffic(nodes, params), classes_(classes), only_(only) {}

  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override {
    const Cycle next = FiniteTraffic::create(node, now, packets);
    const std::uint64_t number = index(now) * 977 + index(node);
    const std::uint64_t any = Random::stream(5, number).next() % classes_;
    packets.back().message_class = static_cast<std::uint8_t>(only_ == kAll ? any : only_);
    return next;
  }

 private:
  const unsigned classes_;
  const unsigned only_;
};

NetworkParams params_of(unsigned virtual_channels, unsigned threads = 1) {
  NetworkParams params;
  params.router.virtual_channels = virtual_channels;
  params.threads = threads;
  return params;
}

constexpr unsigned kPackets = 25;

FabricRun classed_run(const RoutedNetwork& network, const NetworkParams& params,
                      unsigned only = ClassTraffic::kAll,
                      const std::vector<ExternalSlot>& external = {}) {
  const auto classes = static_cast<unsigned>(network.routing->message_classes());
  const std::size_t nodes = network.topology->node_count();
  return {
      sc_core::sc_gen_unique_name("fabric"),
      network,
      params,
      std::make_unique<ClassTraffic>(nodes, FiniteTraffic::Params{kPackets, 7, 2}, classes, only),
      nodes * kPackets,
      external};
}

const Packet& packet_of(const std::vector<Delivery>& deliveries, std::uint64_t tag) {
  return std::find_if(deliveries.begin(), deliveries.end(),
                      [tag](const Delivery& delivery) { return delivery.packet.tag == tag; })
      ->packet;
}

}  // namespace

TEST_CASE("a class alone has the network of its share of the virtual channels, in every cycle",
          "[network]") {
  const auto makers = small_networks();
  const RoutedNetworkMaker& maker = makers[GENERATE(range(std::size_t{0}, std::size_t{8}))];
  const RoutedNetwork small = maker(2);
  const RoutedNetwork split = with_classes(maker(2), 3, 2);
  FabricRun expected = classed_run(small, params_of(2));
  FabricRun first = classed_run(split, params_of(6), 0);
  FabricRun last = classed_run(split, params_of(6, 2), 2);
  expected.drain();
  first.drain();
  last.drain();
  REQUIRE(expected.drained());
  CHECK(first.checksum() == expected.checksum());
  CHECK(last.checksum() == expected.checksum());
}

TEST_CASE("with one class the wrapper changes nothing", "[network]") {
  const RoutedNetwork plain = mesh_network({4, 3}, 4);
  const RoutedNetwork wrapped = with_classes(mesh_network({4, 3}, 4), 1, 4);
  FabricRun expected = classed_run(plain, params_of(4));
  FabricRun run = classed_run(wrapped, params_of(4));
  expected.drain();
  run.drain();
  CHECK(run.checksum() == expected.checksum());
}

TEST_CASE("packets of all classes arrive, alike for any number of threads, order and sleep",
          "[network]") {
  const auto makers = small_networks();
  const RoutedNetwork network =
      with_classes(makers[GENERATE(range(std::size_t{0}, std::size_t{8}))](2), 2, 2);
  NetworkParams params = params_of(4);
  SECTION("wormhole") {}
  SECTION("cut-through") { params.router.whole_packet_credit = true; }
  SECTION("store and forward") { params.cores = &packet_cores(); }
  NetworkParams other = params;
  other.threads = 3;
  other.sleep = false;
  other.shuffle_seed = 7;
  FabricRun one = classed_run(network, params);
  FabricRun many = classed_run(network, other);
  for (int cycle = 0; cycle < 200; ++cycle) {
    one.fabric->run(1);
    REQUIRE_NOTHROW(one.fabric->audit());
  }
  one.drain();
  many.drain();
  CHECK(one.drained());
  CHECK(many.checksum() == one.checksum());
  REQUIRE_NOTHROW(one.fabric->audit());
}

TEST_CASE("a router with pins in a network of message classes gives the same checksum",
          "[network]") {
  const RoutedNetwork network = with_classes(mesh_network({3, 3}, 2), 2, 2);
  FabricRun native = classed_run(network, params_of(4));
  FabricRun pins = classed_run(network, params_of(4), ClassTraffic::kAll, {pins_slot(network, 4)});
  native.drain();
  pins.drain();
  CHECK(pins.checksum() == native.checksum());
}

TEST_CASE("a response leaves at once, however many requests wait in front of it", "[network]") {
  constexpr unsigned kRequests = 40;
  constexpr std::uint64_t kResponse = 1000;
  const bool classes = GENERATE(true, false);
  const RoutedNetwork network = with_classes(mesh_network({4}, 2), 2, 2);
  auto source = std::make_unique<ScriptSource>(4);
  for (std::uint64_t tag = 0; tag < kRequests; ++tag) {
    source->add(Cycle{0}, NodeId{0}, {NodeId{3}, 32, tag});
  }
  PacketRequest response{NodeId{3}, 8, kResponse};
  response.message_class = classes ? 1 : 0;
  source->add(Cycle{100}, NodeId{0}, response);
  FabricRun run("fabric", network, params_of(4), std::move(source), kRequests + 1);
  run.drain();
  REQUIRE(run.drained());
  const Packet sent = packet_of(run.deliveries(), kResponse);
  const std::uint64_t waited = sent.injected - sent.created;
  if (classes) {
    CHECK(waited <= 1);  // Its flits alternate with those of the request that is leaving.
  } else {
    CHECK(waited > 32 * (kRequests - 8));
  }
}

TEST_CASE("flits of two classes share an injection channel evenly", "[network]") {
  const RoutedNetwork network = with_classes(mesh_network({2}, 2), 2, 2);
  auto source = std::make_unique<ScriptSource>(2);
  for (std::uint8_t c = 0; c < 2; ++c) {
    PacketRequest request{NodeId{0}, 20, c};
    request.message_class = c;
    source->add(Cycle{0}, NodeId{0}, request);
  }
  FabricRun run("fabric", network, params_of(4), std::move(source), 2);
  run.drain();
  const std::vector<Delivery> deliveries = run.deliveries();
  REQUIRE(deliveries.size() == 2);
  CHECK(deliveries[1].arrival - deliveries[0].arrival == 1);  // Not 20: both took 40 cycles.
  CHECK(packet_of(deliveries, 0).injected != packet_of(deliveries, 1).injected);
}

TEST_CASE("the start-ups of packets of several classes overlap", "[network]") {
  const RoutedNetwork network = with_classes(mesh_network({2}, 2), 2, 2);
  auto source = std::make_unique<ScriptSource>(2);
  for (std::uint8_t c = 0; c < 2; ++c) {
    PacketRequest request{NodeId{1}, 4, c};
    request.message_class = c;
    source->add(Cycle{0}, NodeId{0}, request);
  }
  NetworkParams params = params_of(4);
  params.startup = 30;
  FabricRun run("fabric", network, params, std::move(source), 2);
  run.drain();
  const std::vector<Delivery> deliveries = run.deliveries();
  const Cycle first = packet_of(deliveries, 0).injected;
  const Cycle second = packet_of(deliveries, 1).injected;
  CHECK(std::min(first, second) == Cycle{30});
  CHECK(std::max(first, second) == Cycle{31});
}

TEST_CASE("a class has the network of its own range of VCs, whatever the others have",
          "[network]") {
  const RoutedNetwork wide = mesh_network({4, 3}, 3);
  const RoutedNetwork ranges = mesh_of_classes({4, 3}, {{4, 1}, {1, 3}, {4, 1}});
  FabricRun expected = classed_run(wide, params_of(3));
  FabricRun run = classed_run(ranges, params_of(6), 1);
  expected.drain();
  run.drain();
  REQUIRE(expected.drained());
  CHECK(run.checksum() == expected.checksum());
}

TEST_CASE("packets of classes that share their VCs do not mix on a channel", "[network]") {
  const RoutedNetwork network = mesh_of_classes({3, 3}, {{0, 2}, {2, 1}, {0, 2}, {2, 1}});
  NetworkParams params = params_of(3);
  SECTION("wormhole") {}
  SECTION("cut-through") { params.router.whole_packet_credit = true; }
  SECTION("store and forward") { params.cores = &packet_cores(); }
  SECTION("several ports") { network.topology->widen_nodes(2); }
  NetworkParams other = params;
  other.threads = 2;
  FabricRun run = classed_run(network, params);
  FabricRun again = classed_run(network, other);
  for (int cycle = 0; cycle < 200; ++cycle) {
    run.fabric->run(1);
    REQUIRE_NOTHROW(run.fabric->audit());
  }
  run.drain();
  again.drain();
  CHECK(run.drained());
  CHECK(again.checksum() == run.checksum());
}

TEST_CASE("the class of the highest priority leaves first, and equal ones take turns",
          "[network]") {
  const RoutedNetwork network = mesh_of_classes({2}, {{0, 1}, {1, 1}, {2, 1}});
  NetworkParams params = params_of(3);
  params.router.buffer_depth = 40;
  params.message_classes = {{1, {}}, {3, {}}, {1, {}}};
  auto source = std::make_unique<ScriptSource>(2);
  for (const std::uint8_t c : {std::uint8_t{0}, std::uint8_t{2}, std::uint8_t{1}}) {
    PacketRequest request{NodeId{1}, 10, c};
    request.message_class = c;
    source->add(Cycle{c == 1 ? 4U : 0U}, NodeId{0}, request);
  }
  FabricRun run("fabric", network, params, std::move(source), 3);
  run.drain();
  const std::vector<Delivery> deliveries = run.deliveries();
  REQUIRE(deliveries.size() == 3);
  CHECK(deliveries[0].packet.tag == 1);
  CHECK(packet_of(deliveries, 1).injected == Cycle{4});  // The cycle of its creation.
  const auto arrival = [&](std::size_t place) { return index(deliveries[place].arrival); };
  CHECK(arrival(2) - arrival(1) == 1);
}

TEST_CASE("Little's law holds for each class, whatever the arbitration", "[network]") {
  const RoutedNetwork network = mesh_of_classes({3, 3}, {{0, 2}, {2, 2}});
  const auto kind = GENERATE(ArbitrationKind::kPriority, ArbitrationKind::kAge,
                             ArbitrationKind::kWeighted, ArbitrationKind::kGuaranteed);
  NetworkParams params = params_of(4);
  params.message_classes.resize(2);
  params.message_classes[1].priority = 2;
  params.message_classes[1].weight = 3;
  params.message_classes[1].rate = 0.5;
  params.router.options.arbitration = kind;
  params.cores = &flit_cores(params.router.options);
  NetworkParams other = params;
  other.threads = 3;
  other.sleep = false;
  other.shuffle_seed = 7;
  FabricRun run = classed_run(network, params);
  FabricRun again = classed_run(network, other);
  // The number of packets in the network, summed over the cycles, is that of their latencies.
  std::vector<std::uint64_t> inside(2, 0);
  std::vector<std::uint64_t> latencies(2, 0);
  for (int cycle = 0; cycle < 2000; ++cycle) {
    run.fabric->run(1);
    run.fabric->for_each_packet([&](const Packet& packet) { ++inside[packet.message_class]; });
  }
  again.drain();
  REQUIRE(run.drained());
  for (const Delivery& delivery : run.deliveries()) {
    latencies[delivery.packet.message_class] += delivery.arrival - delivery.packet.created;
  }
  CHECK(inside == latencies);
  CHECK(again.checksum() == run.checksum());
  CHECK(run.fabric->find_deadlock().empty());
  if (kind != ArbitrationKind::kAge) CHECK(latencies[1] < latencies[0]);
}

TEST_CASE("a fabric refuses terms of classes that are out of range", "[network]") {
  const RoutedNetwork network = with_classes(mesh_network({2}, 2), 1, 2);
  SilentSource silent;
  for (const auto spoil :
       {+[](MessageClass& one) { one.weight = 0; },
        +[](MessageClass& one) { one.weight = MessageClass::kMostWeight + 1; },
        +[](MessageClass& one) { one.rate = 1.5; }, +[](MessageClass& one) { one.burst = 0; }}) {
    NetworkParams params = params_of(2);
    params.message_classes.resize(1);
    spoil(params.message_classes.front());
    CHECK_THROWS_WITH(Fabric("wrong", *network.topology, *network.routing, silent, params),
                      Catch::Contains("weight, rate or burst"));
  }
}

TEST_CASE("a fabric refuses classes that it cannot keep apart, and packets of none", "[network]") {
  const RoutedNetwork network = with_classes(mesh_network({2}, 2), 2, 2);
  SilentSource silent;
  CHECK_THROWS_WITH(Fabric("uneven", *network.topology, *network.routing, silent, params_of(3)),
                    Catch::Contains("more than 3 virtual channels: message class 1 has others"));
  auto source = std::make_unique<ScriptSource>(2);
  PacketRequest request{NodeId{1}, 1, 0};
  request.message_class = 2;
  source->add(Cycle{0}, NodeId{0}, request);
  FabricRun run("fabric", network, params_of(4), std::move(source), 1);
  CHECK_THROWS_AS(run.fabric->run(1), InvariantError);
}
