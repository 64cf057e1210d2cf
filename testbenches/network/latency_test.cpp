// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "network/fabric/fabric.h"
#include "network/networks.h"
#include "network/sources.h"
#include "routing/shortest_path.h"
#include "support/test_catch.h"
#include "topology/graph.h"

using namespace flitcast;

namespace {

constexpr std::uint64_t kGap = 400;  // Longer than any journey, so that packets travel alone.

NetworkParams params_of(const Pipeline& pipeline) {
  NetworkParams params;
  params.router.virtual_channels = 2;
  params.router.buffer_depth = 48;
  params.router.pipeline = pipeline;
  return params;
}

/// Sends a packet from every node to every node, one after the other, and returns the deliveries.
std::vector<Delivery> visit_all_pairs(const RoutedNetwork& network, const NetworkParams& params) {
  const auto nodes = static_cast<std::uint32_t>(network.topology->node_count());
  ScriptSource source(nodes);
  std::uint64_t sent = 0;
  for (std::uint32_t s = 0; s < nodes; ++s) {
    for (std::uint32_t d = 0; d < nodes; ++d) {
      const std::uint32_t length = 1 + static_cast<std::uint32_t>(sent % 7);
      source.add(Cycle{kGap * sent++}, NodeId{s}, {NodeId{d}, length, 0});
    }
  }
  Recorder recorder;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params, {&recorder});
  fabric.run(kGap * sent);
  REQUIRE(recorder.deliveries.size() == sent);
  return recorder.deliveries;
}

void check_latencies(const RoutedNetwork& network, const NetworkParams& params) {
  for (const Delivery& delivery : visit_all_pairs(network, params)) {
    const Packet& packet = delivery.packet;
    CAPTURE(network.topology->name(), index(packet.source), index(packet.destination));
    REQUIRE(delivery.hops == routers_between(network, packet.source, packet.destination));
    REQUIRE(delivery.arrival - packet.created ==
            zero_load_latency(network, params, packet.source, packet.destination, packet.length));
    REQUIRE(packet.injected - packet.created == params.startup);
  }
}

/// Returns the links between two nodes of a line, followed by the channel to the node. The line's
/// links towards higher numbers are 0 and 2.
std::vector<GraphLink> way_on_line(const std::vector<GraphLink>& links, NodeId from, NodeId to) {
  std::vector<GraphLink> way;
  for (std::uint32_t at = index(from); at < index(to); ++at) way.push_back(links[2 * at]);
  for (std::uint32_t at = index(from); at > index(to); --at) way.push_back(links[2 * at - 1]);
  way.push_back({});
  return way;
}

/// Computes the latency flit by flit: a head waits two cycles for its route and its output VC, the
/// other flits leave as they arrive and as the channel's rate allows.
std::uint64_t latency_over(const std::vector<GraphLink>& way, std::uint32_t length) {
  std::vector<std::uint64_t> arrivals;
  for (std::uint32_t flit = 0; flit < length; ++flit) arrivals.push_back(2 + flit);
  for (const GraphLink& link : way) {
    std::uint64_t ready = arrivals.front() + 2;
    for (std::uint64_t& flit : arrivals) {
      const std::uint64_t sent = std::max(flit, ready);
      ready = sent + std::max(link.cycles_per_flit, 1U);
      flit = sent + 2 + std::max(link.latency, 1U);
    }
  }
  return arrivals.back();
}

}  // namespace

TEST_CASE("an undisturbed packet takes 2 + H (R + V + S + T + 1) + L - 1 cycles", "[network]") {
  const auto makers = small_networks();
  const std::size_t network = GENERATE(range(std::size_t{0}, std::size_t{10}));
  REQUIRE(makers.size() == 10);
  const Pipeline pipeline = GENERATE(Pipeline{}, Pipeline{0, 1, 1, 1}, Pipeline{2, 3, 2, 0});
  check_latencies(makers[network](2), params_of(pipeline));
}

TEST_CASE("the shortest and the longest pipelines keep to the formula", "[network]") {
  const Pipeline pipeline = GENERATE(Pipeline{0, 0, 1, 0}, Pipeline{3, 0, 1, 2},
                                     Pipeline{0, 3, 3, 1}, Pipeline{8, 8, 8, 8});
  check_latencies(mesh_network({3, 2}, 2), params_of(pipeline));
}

TEST_CASE("with speculation an undisturbed packet takes one cycle less per router", "[network]") {
  const auto makers = small_networks();
  const std::size_t network = GENERATE(range(std::size_t{0}, std::size_t{10}));
  const Pipeline pipeline = GENERATE(Pipeline{}, Pipeline{0, 1, 1, 1}, Pipeline{2, 1, 3, 0});
  NetworkParams params = params_of(pipeline);
  params.router.options.speculation = true;
  params.cores = &flit_cores(params.router.options);
  check_latencies(makers[network](2), params);
}

TEST_CASE("longer links add their cycles, those of nodes stay at one", "[network]") {
  NetworkParams params = params_of({});
  params.link_latency = GENERATE(2U, 5U, 17U);
  const auto makers = small_networks();
  check_latencies(makers[GENERATE(std::size_t{0}, std::size_t{4}, std::size_t{7})](2), params);
}

TEST_CASE("start-up delays the head by ts", "[network]") {
  NetworkParams params = params_of({});
  params.startup = GENERATE(1U, 6U);
  check_latencies(mesh_network({3, 2}, 2), params);
}

TEST_CASE("every packet of a queue pays its own start-up", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  NetworkParams params = params_of({});
  params.startup = 5;
  ScriptSource source(2);
  for (int packet = 0; packet < 3; ++packet) source.add(Cycle{0}, NodeId{0}, {NodeId{1}, 4, 0});
  Recorder recorder;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params, {&recorder});
  fabric.run(100);
  REQUIRE(recorder.deliveries.size() == 3);
  for (unsigned p = 0; p < 3; ++p) {  // 5 cycles of start-up and 4 of flits each.
    CHECK(recorder.deliveries[p].packet.injected == Cycle{5 + 9 * p});
  }
}

TEST_CASE("only the first packet of a message pays a start-up", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  NetworkParams params = params_of({});
  params.startup = 5;
  ScriptSource source(2);
  for (int packet = 0; packet < 4; ++packet) {
    PacketRequest request{NodeId{1}, 4, 0};
    request.continues = packet % 3 != 0;
    source.add(Cycle{0}, NodeId{0}, request);
  }
  Recorder recorder;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params, {&recorder});
  fabric.run(100);
  REQUIRE(recorder.deliveries.size() == 4);
  for (unsigned p = 0; p < 4; ++p) {
    CHECK(recorder.deliveries[p].packet.injected == Cycle{5 + 4 * p + (p == 3 ? 5 : 0)});
  }
}

TEST_CASE("a channel of p cycles per flit spreads the flits of a packet by p", "[network]") {
  const RoutedNetwork network = mesh_network({4}, 2);
  NetworkParams params = params_of({GENERATE(0U, 1U), 1, 1, 1});
  params.cycles_per_flit = GENERATE(2U, 3U);
  for (const Delivery& delivery : visit_all_pairs(network, params)) {
    const Packet& packet = delivery.packet;
    CAPTURE(index(packet.source), index(packet.destination), packet.length);
    CHECK(delivery.arrival - packet.created ==
          zero_load_latency(network, params, packet.source, packet.destination, packet.length) +
              (packet.length - 1) * (params.cycles_per_flit - 1));
  }
}

TEST_CASE(
    "each link takes its own time for a flit, and a head that waits for its route is caught up "
    "with",
    "[network]") {
  const RouterId a{0};
  const RouterId b{1};
  const RouterId c{2};
  const std::vector<GraphLink> links{{a, b, 0, 4}, {b, a, 0, 2}, {b, c, 3, 3}, {c, b, 0, 0}};
  const Graph line("line", 3, links, {a, b, c});
  const RoutedNetwork network{std::make_unique<Graph>(line),
                              std::make_unique<ShortestPath>(line, 2)};
  for (const Delivery& delivery : visit_all_pairs(network, params_of({}))) {
    const Packet& packet = delivery.packet;
    CAPTURE(index(packet.source), index(packet.destination), packet.length);
    CHECK(delivery.arrival - packet.created ==
          latency_over(way_on_line(links, packet.source, packet.destination), packet.length));
  }
}

TEST_CASE("routers that keep packets refuse links of different flit times", "[network]") {
  const RouterId a{0};
  const RouterId b{1};
  const Graph line("line", 2, {{a, b, 0, 2}, {b, a, 0, 2}}, {a, b});
  const ShortestPath routing(line, 1);
  NetworkParams params;
  params.router.virtual_channels = 1;
  CHECK(FabricPlan::problems_of(line, routing, params).empty());
  params.cores = &packet_cores();
  CHECK(FabricPlan::problems_of(line, routing, params).size() == 1);
}

TEST_CASE("a link's credit loop is its latency, the credit wire and 3 cycles of router",
          "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  NetworkParams params = params_of({});
  params.router.buffer_depth = 4;
  params.link_latency = GENERATE(1U, 2U, 6U);
  params.credit_latency = GENERATE(1U, 3U);
  ScriptSource source(2);
  source.add(Cycle{0}, NodeId{0}, {NodeId{1}, 3000, 0});
  Fabric fabric("fabric", *network.topology, *network.routing, source, params);
  fabric.run(200);
  const std::uint64_t before = fabric.flits_ejected(NodeId{1});
  const std::uint64_t loop = 2 + params.link_latency + params.credit_latency + 1;
  fabric.run(100 * loop);
  CHECK(fabric.flits_ejected(NodeId{1}) - before == 400);
}
