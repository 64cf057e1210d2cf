// SPDX-License-Identifier: Apache-2.0
// Packets as flows: alone as long as in a fabric, and shares that were computed by hand.
#include "network/flow/flow_network.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "network/fabric_run.h"
#include "router/invariant.h"
#include "routing/shortest_path.h"
#include "support/test_catch.h"
#include "topology/graph.h"

using namespace flitcast;

namespace {

using Counts = std::vector<std::uint64_t>;

/// A packet of a script; its tag is its place in the script.
struct Sent {
  std::uint64_t cycle = 0;
  std::uint32_t node = 0;
  PacketRequest request{};
};

Sent sent(std::uint64_t cycle, std::uint32_t from, std::uint32_t to, std::uint32_t length) {
  return {cycle, from, {NodeId{to}, length}};
}

ScriptSource script_of(const std::vector<Sent>& script, std::size_t nodes) {
  ScriptSource source(nodes);
  for (std::size_t p = 0; p < script.size(); ++p) {
    PacketRequest request = script[p].request;
    request.tag = p;
    source.add(Cycle{script[p].cycle}, NodeId{script[p].node}, request);
  }
  return source;
}

/// Buffers cover every credit round trip of these tests.
NetworkParams deep(unsigned virtual_channels) {
  NetworkParams params;
  params.router.virtual_channels = virtual_channels;
  params.router.buffer_depth = 64;
  params.full_hierarchy = false;
  return params;
}

/// A network of flows with a source, by default a script.
class FlowRun {
  // These members precede the network, which refers to them.
  const RoutedNetwork& parts_;
  const NetworkParams params_;
  std::unique_ptr<PacketSource> source_;
  Recorder recorder_;

 public:
  FlowRun(const RoutedNetwork& network, const NetworkParams& params,
          const std::vector<Sent>& script)
      : FlowRun(network, params,
                std::make_unique<ScriptSource>(script_of(script, network.topology->node_count()))) {
  }
  FlowRun(const RoutedNetwork& network, const NetworkParams& params,
          std::unique_ptr<PacketSource> source)
      : parts_(network),
        params_(params),
        source_(std::move(source)),
        flows(
            {*network.topology, params_, *source_, network.routing.get(), nullptr, {&recorder_}}) {}

  const std::vector<Delivery>& deliveries() const { return recorder_.deliveries; }
  /// By tag, the cycle in which the last flit leaves the source: the arrival less the time from
  /// there, which is that of a packet alone in the network.
  Counts ends() {
    flows.run(100000);
    Counts ends(deliveries().size());
    for (const Delivery& delivery : deliveries()) {
      const Packet& packet = delivery.packet;
      const std::uint64_t rest =
          zero_load_latency(parts_, params_, packet.source, packet.destination, 1) - 1 -
          params_.startup;
      ends[packet.tag] = index(delivery.arrival) - rest;
    }
    return ends;
  }

  FlowNetwork flows;
};

/// Four routers in a line. Nodes 0 and 1 are at router 0, 2 to 4 at router 1, 5 to 7 at router 2,
/// 8 and 9 at router 3.
RoutedNetwork crowded_line(unsigned virtual_channels, std::uint32_t latency = 0) {
  std::vector<GraphLink> links;
  for (std::uint32_t r = 0; r < 3; ++r) {
    links.push_back({RouterId{r}, RouterId{r + 1}, latency});
    links.push_back({RouterId{r + 1}, RouterId{r}, latency});
  }
  std::vector<RouterId> homes;
  for (const std::uint32_t router : {0, 0, 1, 1, 1, 2, 2, 2, 3, 3})
    homes.push_back(RouterId{router});
  const Graph line("line", 4, links, homes);
  return {std::make_unique<Graph>(line), std::make_unique<ShortestPath>(line, virtual_channels)};
}

/// The packets by tag: arrival, departure, routers on the path and port of the receiver.
using Journey = std::tuple<Cycle, Cycle, std::uint32_t, std::uint16_t>;
std::map<std::uint64_t, Journey> journeys(const std::vector<Delivery>& deliveries) {
  std::map<std::uint64_t, Journey> all;
  for (const Delivery& delivery : deliveries) {
    all[delivery.packet.tag] = {delivery.arrival, delivery.packet.injected, delivery.hops,
                                delivery.port};
  }
  return all;
}

/// A packet in every 400 cycles, over all pairs of nodes, of 1 to 40 flits.
std::vector<Sent> one_by_one(std::size_t nodes) {
  std::vector<Sent> script;
  for (std::uint32_t pair = 0; pair < nodes * nodes; ++pair) {
    const auto from = static_cast<std::uint32_t>(pair / nodes);
    const auto to = static_cast<std::uint32_t>(pair % nodes);
    script.push_back(sent(400 * pair, from, to, 1 + pair * 7 % 40));
  }
  return script;
}

std::map<std::uint64_t, Journey> in_fabric(const RoutedNetwork& network,
                                           const NetworkParams& params,
                                           const std::vector<Sent>& script, std::uint64_t cycles) {
  ScriptSource source = script_of(script, network.topology->node_count());
  Recorder recorder;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params, {&recorder});
  fabric.run(cycles);
  return journeys(recorder.deliveries);
}

NetworkParams with_slow_routers(NetworkParams params) {
  params.router.pipeline = {2, 1, 2, 3};
  params.link_latency = 3;
  params.startup = 5;
  return params;
}

NetworkParams with_slow_channels(NetworkParams params) {
  params.cycles_per_flit = 3;
  params.router.options.speculation = true;
  params.cores = &flit_cores(params.router.options);
  return params;
}

/// Asks for a call in the cycle of the call.
class StuckSource : public SilentSource {
 public:
  Cycle first(NodeId) override { return Cycle{3}; }
  Cycle create(NodeId, Cycle now, std::vector<PacketRequest>&) override { return now; }
};

/// Sends one packet and, when it has arrived, asks for a call in the cycle of the arrival.
class LateSource : public SilentSource {
 public:
  Cycle first(NodeId node) override { return index(node) == 0 ? Cycle{0} : kNever; }
  Cycle create(NodeId, Cycle, std::vector<PacketRequest>& packets) override {
    packets.push_back({NodeId{1}, 2});
    return kNever;
  }
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override {
    wake_ups.push_back({NodeId{0}, delivery.arrival});
  }
};

/// Nodes send a packet each time they are called: node 0 in cycle 0 and three cycles after the
/// arrival of the first packet.
class AnsweringSource : public LateSource {
 public:
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override {
    if (delivery.packet.id == PacketId{0}) wake_ups.push_back({NodeId{0}, delivery.arrival + 3});
  }
};

}  // namespace

TEST_CASE("a packet alone takes the cycles that it takes in a fabric", "[network]") {
  const RoutedNetwork network =
      small_networks()[GENERATE(range(std::size_t{0}, std::size_t{10}))](2);
  network.topology->widen_nodes(GENERATE(std::size_t{1}, std::size_t{3}));
  const NetworkParams params =
      GENERATE(deep(2), with_slow_routers(deep(2)), with_slow_channels(deep(2)));
  CAPTURE(network.topology->name(), params.cycles_per_flit, params.startup);
  const std::vector<Sent> script = one_by_one(network.topology->node_count());
  const auto expected = in_fabric(network, params, script, 400 * script.size());
  REQUIRE(expected.size() == script.size());
  FlowRun run(network, params, script);
  run.flows.run(400 * script.size());
  CHECK(journeys(run.deliveries()) == expected);
}

TEST_CASE("packets of a message follow without a start-up, in flows as in a fabric", "[network]") {
  const RoutedNetwork network = mesh_network({4}, 2);
  NetworkParams params = deep(2);
  params.startup = 9;
  std::vector<Sent> script{sent(0, 0, 3, 10), sent(0, 0, 3, 6), sent(0, 0, 3, 4)};
  script[1].request.continues = true;
  const auto expected = in_fabric(network, params, script, 200);
  FlowRun run(network, params, script);
  CHECK(run.ends() == Counts{9 + 10, 19 + 6, 25 + 9 + 4});
  CHECK(journeys(run.deliveries()) == expected);
}

TEST_CASE("a channel that has its own width gives a flow its flits per cycle", "[network]") {
  std::vector<GraphLink> links{{RouterId{0}, RouterId{1}, 1}, {RouterId{1}, RouterId{0}, 1}};
  links[0].cycles_per_flit = 4;
  const Graph pair("pair", 2, links, {RouterId{0}, RouterId{1}});
  const RoutedNetwork network{std::make_unique<Graph>(pair),
                              std::make_unique<ShortestPath>(pair, 2)};
  FlowRun run(network, deep(2), {sent(0, 0, 1, 50), sent(0, 1, 0, 50)});
  // The last of the 50 flits is 49 * 4 cycles behind the head, which waits 2 cycles in router 1.
  CHECK(run.ends() == Counts{49 * 4 - 2 + 1, 50});
}

// Flits catch up with their head where it waits: in every router behind the narrow channel.
TEST_CASE("a packet over channels of several widths takes the cycles that it takes in a fabric",
          "[network]") {
  std::vector<GraphLink> links;
  for (std::uint32_t r = 0; r < 3; ++r) links.push_back({RouterId{r}, RouterId{r + 1}, 2});
  links.push_back({RouterId{3}, RouterId{0}, 2});
  links[GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{2})].cycles_per_flit = 3;
  const Graph line("line", 4, links, {RouterId{0}, RouterId{3}});
  const RoutedNetwork network{std::make_unique<Graph>(line),
                              std::make_unique<ShortestPath>(line, 2)};
  NetworkParams params = deep(2);
  params.cycles_per_flit = GENERATE(1U, 2U);
  const std::vector<Sent> script{sent(0, 0, 1, GENERATE(1U, 2U, 3U, 4U, 7U, 40U))};
  CAPTURE(params.cycles_per_flit, script[0].request.length);
  FlowRun run(network, params, script);
  run.flows.run(400);
  CHECK(journeys(run.deliveries()) == in_fabric(network, params, script, 400));
}

TEST_CASE("flows over a line of channels have max-min fair shares", "[network]") {
  // Packet 0 takes all three channels, 1 and 2 the middle one, 3 the last one. All rates rise to a
  // third, when the middle channel is full, and that of packet 3 to two thirds. Packet 1 ends after
  // 180 cycles. Then 0 and 2 have a half of the middle channel, and so have 0 and 3 of the last
  // one: packet 2 has 40 flits left and ends 80 cycles later. Of the last channel 0 and 3 keep
  // halves: 0 has 200 flits left and ends 400 cycles later; then 3 has 40 flits left and a rate
  // of 1.
  const RoutedNetwork network = crowded_line(4);
  FlowRun run(network, deep(4),
              {sent(0, 0, 8, 300), sent(0, 2, 5, 60), sent(0, 3, 6, 100), sent(0, 7, 9, 400)});
  CHECK(run.ends() == Counts{660, 180, 260, 700});
}

TEST_CASE("a flow that begins later takes its share from then on", "[network]") {
  // Packet 0 has sent 30 flits when packet 1 begins; 70 are left, 40 of them when 1 ends.
  const RoutedNetwork network = crowded_line(4);
  FlowRun run(network, deep(4), {sent(0, 0, 8, 100), sent(30, 2, 5, 30)});
  CHECK(run.ends() == Counts{130, 90});
}

TEST_CASE("flows to one node share its ejection channel", "[network]") {
  const RoutedNetwork network = small_networks()[6](2);
  FlowRun run(network, deep(2), {sent(0, 1, 0, 30), sent(0, 2, 0, 50), sent(0, 3, 4, 50)});
  CHECK(run.ends() == Counts{60, 80, 50});
}

TEST_CASE("as many flows share a channel as it has virtual channels", "[network]") {
  const auto ends = [](unsigned virtual_channels) {
    const RoutedNetwork network = crowded_line(virtual_channels);
    return FlowRun(network, deep(virtual_channels),
                   {sent(0, 2, 5, 20), sent(0, 3, 6, 20), sent(0, 4, 7, 20)})
        .ends();
  };
  CHECK(ends(1) == Counts{20, 40, 60});
  CHECK(ends(2) == Counts{40, 40, 60});
  CHECK(ends(3) == Counts{60, 60, 60});
}

TEST_CASE("a flow that waits holds the virtual channels that it has reached", "[network]") {
  // Packet 1 has the first channel while it waits for the second, and packet 2 wants the first.
  const RoutedNetwork network = crowded_line(1);
  FlowRun run(network, deep(1), {sent(0, 2, 5, 100), sent(1, 0, 6, 10), sent(2, 1, 3, 10)});
  CHECK(run.ends() == Counts{100, 110, 120});
  // Heads leave their sources when they begin to wait in the network, as in a fabric.
  for (const Delivery& delivery : run.deliveries()) {
    CHECK(delivery.packet.injected == delivery.packet.created);
  }
}

TEST_CASE("flows that wait for each other in a cycle are a deadlock", "[network]") {
  // Packets 0 to 3 keep every second channel of a ring until cycle 100. Packets 4 to 7 wait for
  // them, each with the channel before; then each has two, and wants the first one of the next.
  std::vector<GraphLink> links;
  std::vector<RouterId> homes;
  for (std::uint32_t r = 0; r < 8; ++r) {
    links.push_back({RouterId{r}, RouterId{(r + 1) % 8}});
    links.push_back({RouterId{(r + 1) % 8}, RouterId{r}});
    homes.push_back(RouterId{r});
  }
  const Graph ring("ring", 8, links, homes);
  const RoutedNetwork network{std::make_unique<Graph>(ring),
                              std::make_unique<ShortestPath>(ring, 1)};
  std::vector<Sent> script;
  for (const std::uint32_t n : {1U, 3U, 5U, 7U}) script.push_back(sent(0, n, (n + 1) % 8, 100));
  for (const std::uint32_t n : {0U, 2U, 4U, 6U}) script.push_back(sent(1, n, (n + 3) % 8, 50));
  FlowRun run(network, deep(1), script);
  run.flows.run(99);
  CHECK(run.flows.find_deadlock().empty());
  run.flows.run(1000);
  CHECK(run.deliveries().size() == 4);
  CHECK(run.flows.idle_cycles() == Network::kNoLimit);
  CHECK_NOTHROW(run.flows.audit());
  const std::vector<BlockedVc> cycle = run.flows.find_deadlock();
  REQUIRE(cycle.size() == 4);
  for (std::size_t at = 0; at < 4; ++at) {
    // The head for node n waits a channel before its router, for the packet to node n + 2.
    CHECK((index(cycle[at].router) + 1) % 8 == index(cycle[at].destination));
    CHECK(index(cycle[(at + 1) % 4].destination) == (index(cycle[at].destination) + 2) % 8);
  }
}

TEST_CASE("flows get a virtual channel in the order in which they began to wait", "[network]") {
  // Node 2 has more packets behind the first; that of node 3 waits no longer than for the first.
  const RoutedNetwork network = crowded_line(1);
  FlowRun run(network, deep(1),
              {sent(0, 2, 5, 20), sent(0, 2, 5, 20), sent(0, 2, 5, 20), sent(1, 3, 6, 20),
               sent(2, 4, 7, 20)});
  CHECK(run.ends() == Counts{20, 80, 100, 40, 60});
}

TEST_CASE("behind shallow buffers a flow has a buffer in each credit round trip", "[network]") {
  // A flit leaves two cycles after its grant, takes 10 cycles, its credit takes 10 more and counts
  // in the next: 23. So 4 slots carry 4 flits in 23 cycles, and two such flows do not meet. No
  // flit waits for the credits of the last 4.
  const RoutedNetwork network = crowded_line(2, 10);
  NetworkParams params = deep(2);
  params.router.buffer_depth = 4;
  params.credit_latency = 0;
  FlowRun run(network, params, {sent(0, 2, 5, 200), sent(0, 3, 6, 400)});
  CHECK(run.ends() == Counts{49 * 23 + 4, 99 * 23 + 4});
}

TEST_CASE("behind shallow buffers flows are as fast as packets in a fabric", "[network]") {
  const RoutedNetwork network = crowded_line(2, 10);
  NetworkParams params = GENERATE(deep(2), with_slow_channels(deep(2)));
  params.router.pipeline.route = GENERATE(0U, 3U);
  params.router.buffer_depth = GENERATE(1U, 2U, 3U, 8U, 22U, 23U, 30U);
  const std::uint32_t to = GENERATE(5U, 9U, 3U);  // Over one channel, two channels, none.
  const std::uint32_t flits = GENERATE(1U, 2U, 8U, 9U, 25U, 480U);
  const std::vector<Sent> script{sent(0, 2, to, flits)};
  const auto expected = std::get<0>(in_fabric(network, params, script, 20000).at(0));
  FlowRun run(network, params, script);
  run.flows.run(20000);
  const auto found = std::get<0>(journeys(run.deliveries()).at(0));
  CAPTURE(params.router.buffer_depth, params.router.pipeline.route, params.cycles_per_flit, to,
          flits);
  CHECK(index(found) == index(expected));
}

TEST_CASE("packets one behind the other wait for the credits of their virtual channels",
          "[network]") {
  const unsigned vcs = GENERATE(1U, 2U, 4U);
  const RoutedNetwork network = crowded_line(vcs, 10);
  NetworkParams params = deep(vcs);
  params.router.buffer_depth = 4;
  params.credit_latency = 0;
  const std::vector<Sent> script(50, sent(0, 2, 5, 4));
  const auto last = [](const auto& all) {
    return static_cast<double>(index(std::get<0>(all.at(49))));
  };
  FlowRun run(network, params, script);
  run.flows.run(20000);
  CAPTURE(vcs);
  CHECK(last(journeys(run.deliveries())) ==
        Approx(last(in_fabric(network, params, script, 20000))).epsilon(0.05));
}

TEST_CASE("a node sends from all its ports at once, and from each in turn", "[network]") {
  RoutedNetwork network = small_networks()[6](2);
  network.topology->widen_nodes(2);
  std::vector<Sent> script{sent(0, 0, 1, 30), sent(0, 0, 2, 50), sent(0, 0, 3, 20)};
  CHECK(FlowRun(network, deep(2), script).ends() == Counts{30, 50, 50});
  for (Sent& packet : script) packet.request.port = 1;
  FlowRun run(network, deep(2), script);
  CHECK(run.ends() == Counts{30, 80, 100});
  CHECK(run.flows.flits_injected(NodeId{0}, 0) == 0);
  CHECK(run.flows.flits_injected(NodeId{0}, 1) == 100);
  CHECK(run.flows.flits_injected(NodeId{0}) == 100);
}

TEST_CASE("message classes queue apart and share the channels", "[network]") {
  const RoutedNetwork network = mesh_of_classes({4}, {{0, 1}, {1, 1}});
  std::vector<Sent> script{sent(0, 0, 3, 40), sent(0, 0, 3, 40), sent(0, 0, 2, 30)};
  CHECK(FlowRun(network, deep(2), script).ends() == Counts{40, 80, 110});
  script[2].request.message_class = 1;
  // Packet 2 has a half of the channels until it ends in cycle 60, when 10 flits of packet 0 are
  // left.
  CHECK(FlowRun(network, deep(2), script).ends() == Counts{70, 110, 60});
}

TEST_CASE("flows are counted where their packets are", "[network]") {
  const RoutedNetwork network = mesh_network({4}, 2);
  FlowRun run(network, deep(2), {sent(0, 0, 3, 5), sent(0, 0, 1, 40), sent(2, 2, 2, 7)});
  FlowNetwork& flows = run.flows;
  const auto tags = [&] {
    std::vector<std::uint64_t> all;
    flows.for_each_packet([&](const Packet& packet) { all.push_back(packet.tag); });
    std::sort(all.begin(), all.end());
    return all;
  };
  flows.run(6);  // Packet 0 has left its source, and packets 1 and 2 leave.
  CHECK(tags() == Counts{0, 1, 2});
  CHECK(flows.totals().packets_created == 3);
  CHECK(flows.totals().flits_created == 52);
  CHECK(flows.totals().flits_injected == 5);
  CHECK(flows.totals().flits_ejected == 0);
  CHECK(flows.flits_created(NodeId{0}) == 45);
  CHECK(flows.flits_injected(NodeId{0}) == 5);
  flows.run(24);  // Packets 0 and 2 have arrived, packet 1 has not left.
  CHECK(tags() == Counts{1});
  CHECK(flows.totals().packets_delivered == 2);
  CHECK(flows.totals().receivers == 3);
  CHECK(flows.flits_ejected(NodeId{3}) == 5);
  CHECK(flows.flits_ejected(NodeId{2}) == 7);
  CHECK(flows.flits_ejected(NodeId{1}) == 0);
  flows.run(100);
  CHECK(tags().empty());
  CHECK(flows.totals().flits_ejected == 52);
  CHECK(flows.totals().flits_injected == 52);
  // Five flits over four routers, 40 over two, 7 over one.
  CHECK(flows.flit_hops() == 4 * 5 + 2 * 40 + 7);
  const ChannelNumbering numbering(*network.topology);
  std::map<std::string, std::uint64_t> flits;
  for (std::size_t c = 0; c < numbering.count(); ++c) {
    if (numbering.is_injection(c)) continue;
    const std::uint64_t count = flows.flits_from(numbering.begin(c));
    if (count != 0) flits[numbering.name(c)] = count;
  }
  CHECK(flits == std::map<std::string, std::uint64_t>{{"0 -> 1", 45},
                                                      {"1 -> 2", 5},
                                                      {"2 -> 3", 5},
                                                      {"1 -> node 1", 40},
                                                      {"2 -> node 2", 7},
                                                      {"3 -> node 3", 5}});
}

TEST_CASE("flows give the figures of a fabric that do not depend on buffers", "[network]") {
  const RoutedNetwork network = small_networks()[2](2);
  SilentSource source;
  const NetworkParams params = deep(2);
  const Fabric fabric("fabric", *network.topology, *network.routing, source, params);
  nlohmann::ordered_json expected;
  fabric.write_figures(expected);
  nlohmann::ordered_json figures;
  const FlowRun run(network, params, std::vector<Sent>{});
  run.flows.write_figures(figures);
  CHECK(figures["cost"]["crosspoints"] == expected["cost"]["crosspoints"]);
}

TEST_CASE("flows do not depend on how the run is cut, and pass the audit after every cut",
          "[network]") {
  const std::size_t family = GENERATE(range(std::size_t{0}, std::size_t{10}));
  const RoutedNetwork network = small_networks()[family](2);
  network.topology->widen_nodes(1 + family % 2);
  const std::size_t nodes = network.topology->node_count();
  const auto traffic = [&] {
    return std::make_unique<FiniteTraffic>(nodes, FiniteTraffic::Params{25, 30, 12});
  };
  FlowRun whole(network, deep(2), traffic());
  whole.flows.run(20000);
  REQUIRE(whole.deliveries().size() == 25 * nodes);
  CHECK(whole.flows.idle_cycles() == Network::kNoLimit);
  FlowRun pieces(network, deep(2), traffic());
  for (std::uint64_t cut = 0; index(pieces.flows.now()) < 2000; ++cut) {
    pieces.flows.run(cut % 4);
    REQUIRE_NOTHROW(pieces.flows.audit());
    CHECK(pieces.flows.find_deadlock().empty());
  }
  pieces.flows.run(18000);
  const auto same = [](const Delivery& a, const Delivery& b) {
    return a.packet.id == b.packet.id && a.arrival == b.arrival &&
           a.packet.injected == b.packet.injected && a.node == b.node && a.port == b.port;
  };
  CHECK(std::equal(whole.deliveries().begin(), whole.deliveries().end(),
                   pieces.deliveries().begin(), pieces.deliveries().end(), same));
}

TEST_CASE("nothing happens in the idle cycles of flows", "[network]") {
  const RoutedNetwork network = mesh_network({4}, 2);
  FlowRun run(network, deep(2), {sent(10, 0, 3, 50)});
  FlowNetwork& flows = run.flows;
  CHECK(flows.idle_cycles() == 10);
  flows.run(10);
  CHECK(flows.totals().packets_created == 0);
  flows.run(1);
  CHECK(flows.totals().packets_created == 1);
  CHECK(flows.idle_cycles() == 49);  // The packet leaves its source in cycle 60.
  flows.run(49);
  CHECK(flows.totals().flits_injected == 0);
  flows.run(1);
  CHECK(flows.totals().flits_injected == 50);
  flows.run(flows.idle_cycles());
  CHECK(flows.totals().packets_delivered == 0);
  flows.run(1);
  CHECK(flows.totals().packets_delivered == 1);
  CHECK(flows.idle_cycles() == Network::kNoLimit);
}

TEST_CASE("a source that hears of an arrival is called in the cycle that it names", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  FlowRun run(network, deep(2), std::make_unique<AnsweringSource>());
  run.flows.run(1000);
  REQUIRE(run.deliveries().size() == 2);
  CHECK(run.deliveries()[1].packet.created == run.deliveries()[0].arrival + 3);
}

TEST_CASE("a node is woken in the cycle given, or earlier", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  FlowRun run(network, deep(2), std::make_unique<LateSource>());
  run.flows.wake(NodeId{1}, Cycle{7});
  CHECK_NOTHROW(run.flows.run(8));
  CHECK(run.flows.totals().packets_created == 2);  // By node 0 in cycle 0, by node 1 in cycle 7.
}

TEST_CASE("a source that asks for a call in the past breaks a rule of flows", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 2);
  FlowRun stuck(network, deep(2), std::make_unique<StuckSource>());
  CHECK_NOTHROW(stuck.flows.run(3));
  CHECK_THROWS_AS(stuck.flows.run(1), InvariantError);
  FlowRun late(network, deep(2), std::make_unique<LateSource>());
  CHECK_THROWS_AS(late.flows.run(100), InvariantError);
}
