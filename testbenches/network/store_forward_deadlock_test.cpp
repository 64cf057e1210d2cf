// SPDX-License-Identifier: Apache-2.0
#include "network/check/deadlock_search.h"
#include "network/check/inspection.h"
#include "network/fabric_run.h"
#include "routing/dimension_order.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

/// A ring of routers with one slot per VC, whose nodes all send two hops in the plus direction.
struct StoreRing {
  StoreRing(std::uint32_t nodes, VcClasses classes, unsigned virtual_channels, int packets)
      : grid(ring(nodes)),
        routing(grid, {false, false, classes, virtual_channels}),
        source(nodes),
        expected(nodes * static_cast<unsigned>(packets)) {
    for (std::uint32_t n = 0; n < nodes; ++n) {
      for (int packet = 0; packet < packets; ++packet) {
        source.add(Cycle{1}, NodeId{n}, {NodeId{(n + 2) % nodes}, 3});
      }
    }
    params.cores = &packet_cores();
    params.router.virtual_channels = virtual_channels;
    params.router.buffer_depth = 1;
  }

  const Grid grid;
  const DimensionOrder routing;
  ScriptSource source;
  const unsigned expected;
  NetworkParams params;
};

NetworkParams tiny_stores(unsigned virtual_channels) {
  NetworkParams params;
  params.cores = &packet_cores();
  params.router.virtual_channels = virtual_channels;
  params.router.buffer_depth = 1;
  params.full_hierarchy = false;
  return params;
}

}  // namespace

TEST_CASE("a ring of full stores is a deadlock of each packet with the next", "[network]") {
  const std::uint32_t nodes = GENERATE(4U, 5U, 8U);
  StoreRing ring(nodes, VcClasses::kNone, 1, 1);
  Fabric fabric("fabric", ring.grid, ring.routing, ring.source, ring.params);
  const auto inspected = fabric.inspection();
  const Inspection& inspection = *inspected;
  fabric.run(6);
  CHECK(find_deadlock(inspection).empty());  // The packets are still entering.
  fabric.run(100);
  const std::vector<BlockedVc> cycle = find_deadlock(inspection);
  REQUIRE(cycle.size() == nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const std::uint32_t here = index(cycle[i].router);
    CHECK(index(cycle[(i + 1) % nodes].router) == (here + 1) % nodes);
    CHECK(cycle[i].input == Grid::minus(0));
    CHECK(cycle[i].vc == VcId{0});
    CHECK(index(cycle[i].packet) >> 32 == (here + nodes - 1) % nodes);  // The packet is half way.
    CHECK(index(cycle[i].destination) == (here + 1) % nodes);
  }
  CHECK(fabric.totals().packets_delivered == 0);
}

TEST_CASE("the same with dateline classes, or a second place, is none", "[network]") {
  const bool dateline = GENERATE(false, true);
  StoreRing ring(6, dateline ? VcClasses::kDateline : VcClasses::kNone, dateline ? 2 : 1,
                 dateline ? 9 : 1);
  ring.params.router.buffer_depth = dateline ? 1 : 2;
  Fabric fabric("fabric", ring.grid, ring.routing, ring.source, ring.params);
  const auto inspected = fabric.inspection();
  const Inspection& inspection = *inspected;
  for (int cycle = 0; cycle < 600; ++cycle) {
    fabric.run(1);
    REQUIRE(find_deadlock(inspection).empty());
  }
  CHECK(fabric.totals().packets_delivered == ring.expected);
}

TEST_CASE("stores that are full for a while are no deadlock", "[network]") {
  const std::size_t family = GENERATE(range(std::size_t{0}, std::size_t{8}));
  const RoutedNetwork network = small_networks()[family](2);
  NetworkParams params = tiny_stores(2);
  params.cycles_per_flit = 1 + static_cast<unsigned>(family % 2);
  FabricRun run("fabric", network, params, {20, 5, 1});
  const auto inspected = run.fabric->inspection();
  const Inspection& inspection = *inspected;
  while (!run.drained() && index(run.fabric->now()) < 4000) {
    run.fabric->run(3);
    REQUIRE(find_deadlock(inspection).empty());
  }
  CHECK(run.drained());
}

TEST_CASE("a mesh with a single place per link saturates without a deadlock", "[network]") {
  const RoutedNetwork network = mesh_network({4, 4}, 1);
  FabricRun run("fabric", network, tiny_stores(1), {40, 4, 1});
  const auto inspected = run.fabric->inspection();
  const Inspection& inspection = *inspected;
  while (!run.drained() && index(run.fabric->now()) < 6000) {
    run.fabric->run(1);
    REQUIRE(find_deadlock(inspection).empty());
  }
  CHECK(run.drained());
}
