// SPDX-License-Identifier: Apache-2.0
#include "network/check/deadlock_search.h"

#include <set>

#include "network/check/inspection.h"
#include "network/fabric/fabric.h"
#include "network/networks.h"
#include "network/sources.h"
#include "routing/dimension_order.h"
#include "support/test_catch.h"
#include "topology/grid.h"

namespace {

using namespace flitcast;

/// A ring whose packets all go two hops in the plus direction, without dateline classes: the packet
/// of every node holds the first channel of its path and waits for the second, which its
/// neighbour's packet holds.
struct Ring {
  explicit Ring(std::uint32_t nodes, std::uint32_t length, bool whole_packets = false)
      : grid(ring(nodes)), routing(grid, {false, false, VcClasses::kNone, 1}), source(nodes) {
    for (std::uint32_t n = 0; n < nodes; ++n) {
      source.add(Cycle{1}, NodeId{n}, {NodeId{(n + 2) % nodes}, length});
    }
    params.router.virtual_channels = 1;
    params.router.buffer_depth = 4;
    params.router.whole_packet_credit = whole_packets;
  }

  const Grid grid;
  const DimensionOrder routing;
  ScriptSource source;
  NetworkParams params;
};

/// The ways of another routing, for packets that take none before it has space.
class OnlyWithSpace : public AdaptiveRouting {
 public:
  explicit OnlyWithSpace(const Routing& ways)
      : AdaptiveRouting(OutputSelection::kFreeCredits), ways_(ways) {}
  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override {
    ways_.alternatives(request, alternatives);
    for (Alternative& option : alternatives) option.waits = false;
  }
  VcSet injection_vcs(NodeId source, NodeId destination) const override {
    return ways_.injection_vcs(source, destination);
  }

 private:
  const Routing& ways_;
};

}  // namespace

TEST_CASE("a ring of packets that each hold what the next wants is a deadlock", "[network]") {
  Ring ring(4, 16);
  Fabric fabric("fabric", ring.grid, ring.routing, ring.source, ring.params);
  const auto inspected = fabric.inspection();
  const Inspection& inspection = *inspected;
  fabric.run(4);
  CHECK(find_deadlock(inspection).empty());  // The packets are still entering.
  fabric.run(200);
  const std::vector<BlockedVc> cycle = find_deadlock(inspection);
  REQUIRE_FALSE(cycle.empty());
  std::set<RouterId> routers;
  for (const BlockedVc& vc : cycle) routers.insert(vc.router);
  CHECK(routers.size() == 4);
  CHECK(fabric.totals().packets_delivered == 0);
  CHECK(to_text(cycle).find("router 0 port") != std::string::npos);
}

TEST_CASE("packets that leave room in the buffers ahead get out of the ring", "[network]") {
  Ring ring(4, 2, GENERATE(false, true));
  Fabric fabric("fabric", ring.grid, ring.routing, ring.source, ring.params);
  const auto inspected = fabric.inspection();
  const Inspection& inspection = *inspected;
  for (int cycle = 0; cycle < 200; ++cycle) {
    fabric.run(1);
    REQUIRE(find_deadlock(inspection).empty());
  }
  CHECK(fabric.totals().packets_delivered == 4);
}

TEST_CASE("a ring of packets that each keep the VC behind them until they move on is a deadlock",
          "[network]") {
  Ring ring(4, 2);
  ring.params.router.options.vc_reuse = VcReuse::kTailCredit;
  ring.params.cores = &flit_cores(ring.params.router.options);
  Fabric fabric("fabric", ring.grid, ring.routing, ring.source, ring.params);
  fabric.run(200);
  CHECK(fabric.totals().packets_delivered == 0);
  CHECK(find_deadlock(*fabric.inspection()).size() == 4);
}

TEST_CASE("packets that fill the buffers ahead, whole, are a deadlock under cut-through too",
          "[network]") {
  Ring ring(4, 4, true);
  Fabric fabric("fabric", ring.grid, ring.routing, ring.source, ring.params);
  fabric.run(200);
  CHECK(find_deadlock(*fabric.inspection()).size() == 4);
}

TEST_CASE("packets that hold no virtual channel, and wait for space only, are a deadlock too",
          "[network]") {
  Ring ring(4, 4, true);
  const OnlyWithSpace routing(ring.routing);
  Fabric fabric("fabric", ring.grid, routing, ring.source, ring.params);
  fabric.run(200);
  CHECK(fabric.totals().packets_delivered == 0);
  CHECK(find_deadlock(*fabric.inspection()).size() == 4);
}

TEST_CASE("a deadlock is found while the rest of the network still runs", "[network]") {
  Ring ring(8, 32);
  for (std::uint32_t cycle = 2; cycle < 400; cycle += 40) {  // Shares no channel with it.
    ring.source.add(Cycle{cycle}, NodeId{0}, {NodeId{7}, 1});
  }
  Fabric fabric("fabric", ring.grid, ring.routing, ring.source, ring.params);
  const auto inspected = fabric.inspection();
  const Inspection& inspection = *inspected;
  fabric.run(400);
  CHECK_FALSE(find_deadlock(inspection).empty());
}

TEST_CASE("congestion without a cycle is no deadlock", "[network]") {
  const RoutedNetwork network = mesh_network({4, 4}, 2);
  ScriptSource source(16);
  for (std::uint32_t n = 0; n < 16; ++n) {
    for (std::uint32_t packet = 0; packet < 20; ++packet) {
      source.add(Cycle{packet}, NodeId{n}, {NodeId{5}, 12});
    }
  }
  NetworkParams params;
  params.router.virtual_channels = 2;
  params.router.buffer_depth = 2;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params);
  const auto inspected = fabric.inspection();
  const Inspection& inspection = *inspected;
  for (int step = 0; step < 300; ++step) {
    fabric.run(7);
    REQUIRE(find_deadlock(inspection).empty());
  }
}
