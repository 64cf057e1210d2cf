// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "network/broadcasts.h"
#include "network/check/deadlock_search.h"
#include "network/check/inspection.h"
#include "network/fabric_run.h"
#include "support/test_catch.h"
#include "topology/graph.h"

using namespace flitcast;

namespace {

constexpr NodeId kBoth{4};  ///< Destination of packets to the nodes of routers 1 and 2.

/// At router 0, output 0 leads to router 1 and output 1 to router 2; a packet takes one output or
/// both.
class Fork : public Routing {
 public:
  bool multicast() const override { return true; }
  void branches(const RouteRequest& request, Branches& branches) const override {
    if (request.router != RouterId{0}) return branches.add({PortId{1}, 1, 0});
    branches.add({PortId{0}, 1, 0});
    if (request.destination == kBoth) branches.add({PortId{1}, 1, 0});
  }
  Route route(const RouteRequest&) const override { return {}; }
  VcSet injection_vcs(NodeId, NodeId) const override { return 1; }
};

/// Nodes 0, 1 and 2 are at router 0, node 3 is at router 1, and node 4 at router 2.
Graph fork_graph() {
  const RouterId hub{0};
  return Graph("fork", 3,
               {{hub, RouterId{1}}, {hub, RouterId{2}}, {RouterId{1}, hub}, {RouterId{2}, hub}},
               {hub, hub, hub, RouterId{1}, RouterId{2}});
}

/// Node 0 keeps output 0 busy while a packet of node 2 takes output 1; then node 1 is served next
/// at output 0. The inputs of router 0 are those from routers 1 and 2, then those from its nodes.
struct Crossing {
  explicit Crossing(std::uint32_t length, bool synchronous) {
    source.add(Cycle{0}, NodeId{0}, {NodeId{3}, 20});
    PacketRequest both{kBoth, length};
    both.receivers = 2;
    source.add(Cycle{4}, NodeId{2}, both);
    source.add(Cycle{8}, NodeId{1}, both);
    params.router.virtual_channels = 1;
    params.router.buffer_depth = 4;
    params.router.synchronous_copies = synchronous;
  }

  const Graph graph = fork_graph();
  const Fork routing;
  ScriptSource source{5};
  NetworkParams params;
};

/// Router 0 sends packets of node 0 to node 1 at router 1 and, through router 2, to node 2 at
/// router 1. Node 3 at router 2 sends to node 1.
class Detour : public Routing {
 public:
  bool multicast() const override { return true; }
  void branches(const RouteRequest& request, Branches& branches) const override {
    const bool to_both = request.destination == NodeId{2};
    switch (index(request.router)) {
      case 0:  // To routers 1 and 2.
        branches.add({PortId{0}, 1, 0});
        return branches.add({PortId{1}, 1, 0});
      case 1:  // To node 2 if it comes from router 2.
        return branches.add(
            {PortId{static_cast<std::uint16_t>(to_both && request.input == PortId{1} ? 2 : 1)}, 1,
             0});
      default:  // To router 1.
        return branches.add({PortId{1}, 1, 0});
    }
  }
  Route route(const RouteRequest&) const override { return {}; }
  VcSet injection_vcs(NodeId, NodeId) const override { return 1; }
};

Graph detour_graph() {
  const RouterId a{0}, b{1}, c{2};
  return Graph("detour", 3, {{a, b}, {a, c}, {b, a}, {c, a}, {c, b, 20}}, {a, b, b, c});
}

}  // namespace

TEST_CASE("packets that take the same two outputs in opposite order are a deadlock", "[network]") {
  const bool synchronous = GENERATE(false, true);
  Crossing crossing(synchronous ? 1 : 2, synchronous);
  Fabric fabric("fabric", crossing.graph, crossing.routing, crossing.source, crossing.params);
  const auto inspected = fabric.inspection();
  const Inspection& inspection = *inspected;
  fabric.run(20);
  CHECK(find_deadlock(inspection).empty());  // Node 0's packet is still in flight.
  fabric.run(100);
  const std::vector<BlockedVc> cycle = find_deadlock(inspection);
  REQUIRE(cycle.size() == 2);
  std::set<std::pair<unsigned, unsigned>> seen;  // Input port and source.
  for (const BlockedVc& vc : cycle) {
    CHECK(vc.router == RouterId{0});
    CHECK(vc.destination == kBoth);
    seen.insert({index(vc.input), static_cast<unsigned>(index(vc.packet) >> 32)});
  }
  CHECK(seen == std::set<std::pair<unsigned, unsigned>>{{3, 1}, {4, 2}});
  CHECK(fabric.totals().packets_delivered == 1);
}

TEST_CASE("packets of one flit, each copy of which leaves alone, are none", "[network]") {
  Crossing crossing(1, false);
  Fabric fabric("fabric", crossing.graph, crossing.routing, crossing.source, crossing.params);
  const auto inspected = fabric.inspection();
  const Inspection& inspection = *inspected;
  for (int cycle = 0; cycle < 100; ++cycle) {
    fabric.run(1);
    REQUIRE(find_deadlock(inspection).empty());
  }
  CHECK(fabric.totals().packets_delivered == 5);
}

// Node 0's packet holds the channel to node 1; node 3's packet waits for it and holds the channel
// from router 2 to router 1. Therefore the copy for node 2 fills the buffer of router 2, and its
// tail stays in router 0. There it waits for the slow channel to router 1 only, so it will be sent
// on that branch alone.
TEST_CASE("a branch that can send the tail ends a cycle through another", "[network]") {
  const Graph graph = detour_graph();
  const Detour routing;
  ScriptSource source(4);
  source.add(Cycle{0}, NodeId{3}, {NodeId{1}, 3});
  PacketRequest both{NodeId{2}, 3};
  both.receivers = 2;
  source.add(Cycle{12}, NodeId{0}, both);
  NetworkParams params;
  params.router.virtual_channels = 1;
  params.router.buffer_depth = 2;
  params.cycles_per_flit = 20;
  Fabric fabric("fabric", graph, routing, source, params);
  const auto inspected = fabric.inspection();
  const Inspection& inspection = *inspected;
  for (int cycle = 0; cycle < 300; ++cycle) {
    fabric.run(1);
    REQUIRE(find_deadlock(inspection).empty());
  }
  CHECK(fabric.totals().packets_delivered == 3);
}

TEST_CASE("trees with VCs of their own are busy, not in deadlock", "[network]") {
  constexpr unsigned kNodes = 8;
  const bool synchronous = GENERATE(false, true);
  const bool whole_packets = GENERATE(false, true);
  const RoutedNetwork network = broadcast_network(3, kNodes);
  NetworkParams params;
  params.router.virtual_channels = kNodes;
  params.router.buffer_depth = whole_packets ? 6 : 1;
  params.router.whole_packet_credit = whole_packets;
  params.router.synchronous_copies = synchronous;
  params.full_hierarchy = false;
  FabricRun run("fabric", network, params,
                std::make_unique<Broadcasts>(kNodes, Broadcasts::Params{10, 6, 1, 0}),
                std::size_t{kNodes} * (kNodes - 1) * 10);
  const auto inspected = run.fabric->inspection();
  const Inspection& inspection = *inspected;
  while (!run.drained() && index(run.fabric->now()) < 4000) {
    run.fabric->run(3);
    REQUIRE(find_deadlock(inspection).empty());
  }
  CHECK(run.drained());
}
