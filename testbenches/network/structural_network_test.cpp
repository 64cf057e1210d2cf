// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES  // For sc_spawn.
// Networks built entirely of modules with pins, compared with the fabric.
#include "network/pins/structural_network.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "network/broadcasts.h"
#include "network/fabric_run.h"
#include "router/invariant.h"
#include "routing/dimension_order.h"
#include "routing/message_classes.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

/// A structural network with its own source and probe.
class StructuralRun {
 public:
  StructuralRun(const RoutedNetwork& network, const NetworkParams& params,
                std::unique_ptr<PacketSource> source, const SignalTrace* trace = nullptr)
      : source_(std::move(source)),
        network_("network", {*network.topology,
                             params,
                             *source_,
                             network.routing.get(),
                             nullptr,
                             {&probe},
                             trace}) {}

  pins::StructuralNetwork& network() { return network_; }
  const pins::StructuralNetwork& network() const { return network_; }

  CheckingProbe probe;

 private:
  std::unique_ptr<PacketSource> source_;
  pins::StructuralNetwork network_;
};

/// One setting per number: kinds of routers, networks, VCs, depths, pipelines, channels, ports.
struct StructuralSetting {
  explicit StructuralSetting(unsigned number) {
    const auto makers = small_networks();
    const unsigned virtual_channels = std::vector<unsigned>{2, 3, 5}[number % 3];
    network = makers[number % makers.size()](virtual_channels);
    if (number % 4 == 1) network.topology->widen_nodes(1 + number % 3);
    params.router.virtual_channels = virtual_channels;
    params.router.buffer_depth = 7 + number % 3;
    params.router.whole_packet_credit = number % 3 == 1;
    if (number % 3 == 2) {
      params.cores = &packet_cores();
      params.router.buffer_depth = 1 + number % 2;
    }
    params.router.pipeline = {number % 3, (number + 1) % 3, 1 + number % 2, number % 2};
    params.link_latency = 1 + number % 3;
    params.credit_latency = 1 + number % 2;
    params.cycles_per_flit = number % 5 == 4 ? 2 : 1;
    params.startup = number % 7 == 3 ? 5 : 0;
    params.full_hierarchy = false;
    traffic = {15, 6, number % 2 == 0 ? 1U : 15U};
  }

  RoutedNetwork network;
  NetworkParams params;
  FiniteTraffic::Params traffic;
};

void check_same(const StructuralRun& run, const FabricRun& reference) {
  const pins::StructuralNetwork& network = run.network();
  const Fabric& fabric = *reference.fabric;
  CHECK(run.probe.checksum.value() == reference.checksum());
  CHECK(network.flit_hops() == fabric.flit_hops());
  const Totals totals = network.totals();
  CHECK(totals.packets_created == fabric.totals().packets_created);
  CHECK(totals.packets_delivered == fabric.totals().packets_delivered);
  CHECK(totals.flits_injected == fabric.totals().flits_injected);
  CHECK(totals.flits_ejected == fabric.totals().flits_ejected);
  for (const Channel& channel : network.topology().channels()) {
    CHECK(network.flits_from(channel.from) == fabric.flits_from(channel.from));
    CHECK(network.busy_until(channel.from) == fabric.busy_until(channel.from));
  }
}

/// Returns the number of flits that the monitors of all channels into and out of routers have
/// counted.
std::uint64_t monitored_flits(const pins::StructuralNetwork& network) {
  std::uint64_t flits = 0;
  const Topology& topology = network.topology();
  for (std::size_t c = 0; c < topology.channels().size(); ++c) {
    flits += network.link(c).monitor().flits();
  }
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
    for (std::size_t port = 0; port < topology.node_ports(); ++port) {
      flits += network.ejection(NodeId{n}, port).monitor().flits();
    }
  }
  return flits;
}

}  // namespace

TEST_CASE("a network wholly with pins delivers like the fabric, and its accounts balance",
          "[network]") {
  const StructuralSetting setting(GENERATE(range(0U, 24U)));
  FabricRun reference("reference", setting.network, setting.params, setting.traffic);
  StructuralRun run(
      setting.network, setting.params,
      std::make_unique<FiniteTraffic>(setting.network.topology->node_count(), setting.traffic));
  while (!reference.drained()) {  // Both advance with the kernel's time.
    REQUIRE(index(reference.fabric->now()) < 50000);
    reference.fabric->run(50);
    REQUIRE_NOTHROW(run.network().audit());
    REQUIRE(run.network().now() == reference.fabric->now());
    REQUIRE(run.network().totals().flits_injected == reference.fabric->totals().flits_injected);
  }
  reference.fabric->run(50);
  check_same(run, reference);
  CHECK(monitored_flits(run.network()) == run.network().flit_hops());
  CHECK(run.network().find_deadlock().empty());
}

TEST_CASE("the end of simulation in saturated traffic is no error of a network wholly with pins",
          "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  NetworkParams params;
  params.router.virtual_channels = 2;
  auto hot_spot = std::make_unique<ScriptSource>(9);
  for (std::uint32_t n = 1; n < 9; ++n) {
    for (int p = 0; p < 20; ++p) hot_spot->add(Cycle{0}, NodeId{n}, {NodeId{0}, 100});
  }
  StructuralRun run(network, params, std::move(hot_spot));
  const double stop = GENERATE(2000.0, 2000.25, 2000.5, 2000.75);
  sc_core::sc_spawn([stop] {
    sc_core::wait(stop, sc_core::SC_NS);
    sc_core::sc_stop();
  });
  CHECK_NOTHROW(sc_core::sc_start(3000, sc_core::SC_NS));
  CHECK(sc_core::sc_get_status() == sc_core::SC_STOPPED);
}

TEST_CASE("routers that copy packets do so in a network wholly with pins, too", "[network]") {
  const unsigned number = GENERATE(range(0U, 6U));
  constexpr unsigned kNodes = 8;
  const RoutedNetwork network = broadcast_network(3, kNodes, 1 + number % 3);
  NetworkParams params;
  params.router.virtual_channels = kNodes;
  params.router.buffer_depth = 5;
  params.router.synchronous_copies = number % 3 == 1;
  if (number % 3 == 2) params.cores = &packet_cores();
  params.full_hierarchy = false;
  Broadcasts::Params traffic;
  traffic.longest = 5;
  traffic.longest_gap = number < 3 ? 2 : 40;
  const std::size_t deliveries = kNodes * (kNodes - 1) * traffic.packets_per_node;
  FabricRun reference("reference", network, params, std::make_unique<Broadcasts>(kNodes, traffic),
                      deliveries);
  StructuralRun run(network, params, std::make_unique<Broadcasts>(kNodes, traffic));
  reference.drain();
  REQUIRE(reference.drained());
  check_same(run, reference);
  CHECK_NOTHROW(run.network().audit());
}

TEST_CASE("message classes keep to their VCs and their turns in a network wholly with pins",
          "[network]") {
  const unsigned classes = GENERATE(1U, 2U, 3U);
  RoutedNetwork network = mesh_network({4, 3}, 2);
  network.routing =
      std::make_unique<MessageClasses>(std::move(network.routing), classes, classes * 2);
  NetworkParams params;
  params.router.virtual_channels = classes * 2;
  params.startup = classes == 2 ? 7 : 0;
  const auto source = [&] {
    auto script = std::make_unique<ScriptSource>(12);
    for (std::uint32_t n = 0; n < 12; ++n) {
      for (std::uint32_t p = 0; p < 30; ++p) {
        PacketRequest request{NodeId{(n + 5 * p + 1) % 12}, 1 + (n + p) % 6};
        request.message_class = static_cast<std::uint8_t>((n + p * p) % classes);
        script->add(Cycle{p * 3}, NodeId{n}, request);
      }
    }
    return script;
  };
  FabricRun reference("reference", network, params, source(), 12 * 30);
  StructuralRun run(network, params, source());
  reference.fabric->run(100);
  CHECK_NOTHROW(run.network().audit());
  reference.drain();
  REQUIRE(reference.drained());
  check_same(run, reference);
}

TEST_CASE("classes of unequal ranges and priorities run alike in a network wholly with pins",
          "[network]") {
  const RoutedNetwork network = mesh_of_classes({4, 3}, {{0, 2}, {2, 1}, {0, 2}});
  NetworkParams params;
  params.router.virtual_channels = 3;
  params.message_classes = {{0, {}}, {0, {}}, {2, {}}};
  const auto source = [&] {
    auto script = std::make_unique<ScriptSource>(12);
    for (std::uint32_t n = 0; n < 12; ++n) {
      for (std::uint32_t p = 0; p < 30; ++p) {
        PacketRequest request{NodeId{(n + 5 * p + 1) % 12}, 1 + (n + p) % 6};
        request.message_class = static_cast<std::uint8_t>((n + p * p) % 3);
        script->add(Cycle{p * 2}, NodeId{n}, request);
      }
    }
    return script;
  };
  FabricRun reference("reference", network, params, source(), 12 * 30);
  StructuralRun run(network, params, source());
  reference.drain();
  REQUIRE(reference.drained());
  check_same(run, reference);
  params.reply_queue = 1;
  CHECK(pins::StructuralNetwork::problems(*network.topology, params).size() == 1);
}

namespace {

/// Answers a limited number of deliveries with a packet back.
class Answers : public PacketSource {
 public:
  explicit Answers(std::uint32_t nodes) : nodes_(nodes), owed_(nodes) {}
  Cycle first(NodeId node) override { return index(node) % 3 == 0 ? Cycle{5} : kNever; }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override {
    auto& owed = owed_[index(node)];
    if (now == Cycle{5}) owed.push_back(NodeId{(index(node) + 5) % nodes_});
    for (const NodeId to : owed) packets.push_back({to, 3});
    owed.clear();
    return kNever;
  }
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override {
    if (++delivered_ > 200) return;
    owed_[index(delivery.node)].push_back(delivery.packet.source);
    wake_ups.push_back({delivery.node, delivery.arrival + (1 + delivered_ % 4)});
  }

 private:
  std::uint32_t nodes_;
  std::vector<std::vector<NodeId>> owed_;
  unsigned delivered_ = 0;
};

}  // namespace

TEST_CASE("a source that waits for deliveries sends the same into pins and fabric", "[network]") {
  const RoutedNetwork network = mesh_network({4, 3}, 2);
  NetworkParams params;
  params.router.virtual_channels = 2;
  FabricRun reference("reference", network, params, std::make_unique<Answers>(12), 0);
  StructuralRun run(network, params, std::make_unique<Answers>(12));
  reference.fabric->run(3000);
  REQUIRE(reference.fabric->totals().packets_delivered > 200);
  check_same(run, reference);
}

TEST_CASE("a deadlock is found in a network wholly with pins as in the fabric", "[network]") {
  const Grid grid = ring(4);
  const DimensionOrder routing(grid, {false, false, VcClasses::kNone, 1});
  ScriptSource source(4);
  ScriptSource same(4);
  for (std::uint32_t n = 0; n < 4; ++n) {
    source.add(Cycle{1}, NodeId{n}, {NodeId{(n + 2) % 4}, 16});
    same.add(Cycle{1}, NodeId{n}, {NodeId{(n + 2) % 4}, 16});
  }
  NetworkParams params;
  params.router.virtual_channels = 1;
  params.router.buffer_depth = 4;
  pins::StructuralNetwork network("network", {grid, params, source, &routing});
  Fabric fabric("fabric", grid, routing, same, params);
  fabric.run(4);
  CHECK(network.find_deadlock().empty());
  fabric.run(200);
  REQUIRE_FALSE(fabric.find_deadlock().empty());
  CHECK(to_text(network.find_deadlock()) == to_text(fabric.find_deadlock()));
  CHECK_NOTHROW(network.audit());
}

TEST_CASE("what pins cannot do is refused", "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  SilentSource source;
  NetworkParams params;
  params.threads = 2;
  const auto build = [&](const Topology& topology, const Routing* routing) {
    pins::StructuralNetwork("network", {topology, params, source, routing});
  };
  CHECK_THROWS_WITH(build(*network.topology, network.routing.get()),
                    "modules with pins run in one thread");
  params.threads = 1;
  CHECK_THROWS_WITH(build(*network.topology, nullptr), "packets need a routing");
  const Complete wide(40);
  CHECK_THROWS_AS(build(wide, network.routing.get()), std::invalid_argument);
}

TEST_CASE("a packet that a source may not send is an error of the network", "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  ScriptSource source(9);
  source.add(Cycle{3}, NodeId{4}, {NodeId{9}, 2});
  pins::StructuralNetwork run("network", {*network.topology, {}, source, network.routing.get()});
  CHECK_THROWS_AS(run.run(10), InvariantError);
}

namespace {

std::string traced(const SignalTrace& trace, std::uint64_t cycles) {
  testing::install_fresh_kernel();
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  NetworkParams params;
  params.router.virtual_channels = 2;
  {
    StructuralRun run(network, params, std::make_unique<FiniteTraffic>(9, FiniteTraffic::Params{}),
                      &trace);
    run.network().run(cycles / 3);
    run.network().run(cycles - cycles / 3);
  }
  std::stringstream text;
  text << std::ifstream(trace.file).rdbuf();
  std::filesystem::remove(trace.file);
  return text.str();
}

}  // namespace

TEST_CASE("a trace has the signals that were asked for, in its window and no other", "[network]") {
  SignalTrace trace{{"router_4", "link_0", "node_8"}, Cycle{20}, Cycle{60}, ""};
  trace.file = (std::filesystem::temp_directory_path() /
                ("flitcast_trace_" + std::to_string(getpid()) + ".vcd"))
                   .string();
  const std::string text = traced(trace, 100);
  for (const char* scope : {"router_4", "link_0", "node_8", "in_0", "out_4", "received"}) {
    INFO(scope);
    CHECK(text.find(std::string("$scope module ") + scope + " ") != std::string::npos);
  }
  CHECK(text.find("$scope module router_3 ") == std::string::npos);
  // Times are in picoseconds; changes of the first cycle are among the initial values.
  CHECK(text.find("= 20000 timescale units") != std::string::npos);
  CHECK(text.find("\n#21000\n") != std::string::npos);
  CHECK(text.find("\n#59000\n") != std::string::npos);
  CHECK(text.find("\n#60500\n") == std::string::npos);
  CHECK(traced(trace, 100) == text);
  CHECK(traced({{"router_4"}, Cycle{20}, Cycle{60}, trace.file}, 40).find("#40500") ==
        std::string::npos);
}

TEST_CASE("signals that there are not cannot be traced", "[network]") {
  const Grid grid = mesh({3, 3});
  for (const char* name :
       {"router_9", "link_24", "node_9", "node_", "node_-1", "router_1x", "", "x"}) {
    INFO(name);
    CHECK_THROWS_AS(signal_group(name, grid), std::invalid_argument);
  }
  CHECK(signal_group("link_23", grid).number == 23);
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  const SignalTrace nowhere{{"router_1"}, Cycle{0}, Cycle{9}, ""};
  CHECK_THROWS_WITH(StructuralRun(network, {}, std::make_unique<SilentSource>(), &nowhere),
                    "a waveform needs a file");
}
