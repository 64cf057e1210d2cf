// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vvc_router_torus.h>
// clang-format on

#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/rtl_fabric.h"
#include "network/pins/verilated_router.h"
#include "routing/dimension_order.h"
#include "topology/grid.h"

using namespace flitcast;
using Catch::Contains;

namespace {

constexpr std::uint32_t kRouters = 16;

/// A torus with a dateline. The values equal the parameters of the RTL in CMakeLists.txt.
RoutedNetwork network(std::size_t side = 4, bool tie_by_coin = false) {
  const Grid grid = torus({side, side});
  DimensionOrder::Params order;
  order.virtual_channels = 4;
  order.tie_by_coin = tie_by_coin;
  return {std::make_unique<Grid>(grid), std::make_unique<DimensionOrder>(grid, order)};
}

NetworkParams params() {
  NetworkParams params;
  params.router.virtual_channels = 4;
  params.router.buffer_depth = 4;
  params.full_hierarchy = false;
  params.lockstep = true;
  return params;
}

ExternalSlot slot(const RoutedNetwork& torus, std::uint32_t router, const FlitLayout& layout = {}) {
  return pins::verilated_slot<Vvc_router_torus>(RouterId{router}, *torus.routing, layout);
}

std::vector<ExternalSlot> in_rtl(const RoutedNetwork& torus,
                                 const std::vector<std::uint32_t>& routers) {
  std::vector<ExternalSlot> slots;
  for (const std::uint32_t router : routers) slots.push_back(slot(torus, router));
  return slots;
}

std::vector<std::uint32_t> all_routers() {
  std::vector<std::uint32_t> routers;
  for (std::uint32_t router = 0; router < kRouters; ++router) routers.push_back(router);
  return routers;
}

/// Sends packets into a fabric with a clock of 2 ns, and returns their sources, destinations, hops
/// and times of flight after these cycles.
std::vector<std::vector<std::uint64_t>> flights(Fabric& fabric, unsigned cycles, bool starts) {
  for (std::uint32_t node = 0; node < kRouters; ++node) {
    Terminal& terminal = fabric.terminal(NodeId{node});
    if (!terminal.listening()) terminal.listen();
    for (std::uint32_t p = 0; starts && p < 9; ++p) {
      terminal.send({NodeId{(node * 5 + p * 7) % kRouters}, 1 + p});
    }
  }
  if (cycles > 0) sc_core::sc_start(2.0 * cycles, sc_core::SC_NS);
  std::vector<std::vector<std::uint64_t>> flights;
  for (std::uint32_t node = 0; node < kRouters; ++node) {
    for (const Arrival& arrival : fabric.terminal(NodeId{node}).take_deliveries()) {
      flights.push_back({index(arrival.packet.source), node, arrival.packet.length,
                         arrival.arrival - arrival.packet.created, arrival.hops});
    }
  }
  return flights;
}

}  // namespace

TEST_CASE("a fabric delivers the same in the same cycles with Verilated routers of a user",
          "[cosim]") {
  const RoutedNetwork torus = network();
  FiniteTraffic::Params traffic;
  traffic.packets_per_node = 60;
  traffic.longest_gap = GENERATE(1U, 40U);  // Saturating or moderate.
  FabricRun reference("reference", torus, params(), traffic);
  const FabricRun one("one", torus, params(), traffic, in_rtl(torus, {5}));
  const FabricRun some("some", torus, params(), traffic, in_rtl(torus, {0, 1, 6, 11}));
  const FabricRun all("all", torus, params(), traffic, in_rtl(torus, all_routers()));
  reference.drain();  // The other fabrics run with the kernel's time.
  REQUIRE(reference.drained());
  check_same(one, reference);
  check_same(some, reference);
  check_same(all, reference);
  CHECK_NOTHROW(all.fabric->audit());
}

TEST_CASE("Verilated routers are reset with their fabric, which has a clock of the user's",
          "[cosim]") {
  const RoutedNetwork torus = network();
  Fabric reference("reference", *torus.topology, *torus.routing, params());
  Fabric fabric("fabric", *torus.topology, *torus.routing, params(), {},
                in_rtl(torus, {0, 5, 6, 15}));
  sc_core::sc_clock clock("clock", 2, sc_core::SC_NS);
  sc_core::sc_signal<bool> reset("reset", true);
  for (Fabric* each : {&reference, &fabric}) {
    each->clk_i(clock);
    each->rst_ni(reset);
  }
  sc_core::sc_start(10, sc_core::SC_NS);
  const auto both = [&](unsigned cycles) {
    flights(reference, 0, true);
    const auto result = flights(fabric, cycles, true);
    CHECK(flights(reference, 0, false) == result);
    return result;
  };
  const auto first = both(600);
  CHECK(first.size() == kRouters * 9);
  both(GENERATE(9U, 30U));
  reset = false;
  sc_core::sc_start(2 * GENERATE(1, 4), sc_core::SC_NS);
  reset = true;
  sc_core::sc_start(2, sc_core::SC_NS);
  CHECK(fabric.totals().receivers_dropped > 0);
  CHECK(both(600) == first);
  CHECK_NOTHROW(fabric.audit());
}

TEST_CASE("the fields of a flit are on the wires where the layout says", "[cosim]") {
  const FlitLayout layout{5, 3};
  VlWide<3> wires{};
  Flit flit{NodeId{19}, PacketSlot{0x89abcdef}, 6, 0x1234, 0x5a, true, 0xfedc};
  layout.put(wires, 2, flit);
  CHECK(layout.width() == 81);
  CHECK(port_bits(wires, 0, 2) == 0);
  CHECK(port_bits(wires, 2, 5) == 19);
  CHECK(port_bits(wires, 7, 3) == 6);
  CHECK(port_bit(wires, 10));
  CHECK(port_bits(wires, 11, 32) == 0x89abcdef);
  CHECK(port_bits(wires, 43, 16) == 0x1235);
  CHECK(port_bits(wires, 59, 8) == 0x5a);
  CHECK(port_bits(wires, 67, 16) == 0xfedc);
  CHECK(port_bits(wires, 83, 13) == 0);
  ++flit.hops;
  CHECK(layout.take(wires, 2) == flit);
}

TEST_CASE("a Verilated router is refused where it cannot take the place of a router", "[cosim]") {
  RoutedNetwork torus = network();
  NetworkParams wanted = params();
  FlitLayout layout;
  SECTION("packets as a whole") { wanted.cores = &packet_cores(); }
  SECTION("an option") {
    wanted.router.options.vc_reuse = VcReuse::kTailCredit;
    wanted.cores = &flit_cores(wanted.router.options);
  }
  SECTION("ties by coin") { torus = network(4, true); }
  SECTION("flits of another width") { layout.header_width = 12; }
  CHECK_THROWS_WITH(
      FabricRun("fabric", torus, wanted, FiniteTraffic::Params{}, {slot(torus, 5, layout)}),
      Contains("the RTL has another kind of router"));
}

TEST_CASE("a Verilated router whose header is no node of the network reports it", "[cosim]") {
  struct Faulty : Vvc_router_torus {
    void eval() {
      Vvc_router_torus::eval();
      for (std::uint32_t word : {0, 1, 2}) header_o[word] = ~0U;
    }
  };
  const RoutedNetwork torus = network(3);
  Fabric fabric("fabric", *torus.topology, *torus.routing, params(), {},
                {pins::verilated_slot<Faulty>(RouterId{5}, *torus.routing, {})});
  fabric.terminal(NodeId{5}).send({NodeId{8}, 8});
  CHECK_THROWS_WITH(sc_core::sc_start(50, sc_core::SC_NS),
                    Contains("fabric.bridge_5.router") && Contains("outside of the network"));
}
