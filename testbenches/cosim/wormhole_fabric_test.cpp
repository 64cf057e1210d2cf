// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vwormhole_router_mesh.h>
// clang-format on

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "cosim/rtl_fabric.h"
#include "cosim/rtl_wormhole_router.h"

using namespace flitcast;

namespace {

constexpr std::uint32_t kRouters = 12;

/// The values equal the parameters of the model in CMakeLists.txt.
RouterParams router_params() {
  RouterParams params;
  params.virtual_channels = 2;
  params.buffer_depth = 4;
  return params;
}

RoutedNetwork network() { return mesh_network({4, 3}, router_params().virtual_channels); }

NetworkParams params() {
  NetworkParams params;
  params.router = router_params();
  params.full_hierarchy = false;
  return params;
}

std::vector<ExternalSlot> in_rtl(const std::vector<std::uint32_t>& routers) {
  return flitcast::in_rtl<RtlWormholeRouter<Vwormhole_router_mesh>>(
      routers, {{4, 3}, 2, 4, router_params()});
}

std::vector<std::uint32_t> all_routers() {
  std::vector<std::uint32_t> routers;
  for (std::uint32_t router = 0; router < kRouters; ++router) routers.push_back(router);
  return routers;
}

}  // namespace

TEST_CASE("a fabric delivers the same in the same cycles with routers in RTL", "[cosim]") {
  const RoutedNetwork mesh = network();
  FiniteTraffic::Params traffic;
  traffic.packets_per_node = 60;
  traffic.longest_gap = GENERATE(1U, 40U);  // Saturating or moderate.
  FabricRun reference("reference", mesh, params(), traffic);
  const FabricRun one("one", mesh, params(), traffic, in_rtl({5}));
  const FabricRun some("some", mesh, params(), traffic, in_rtl({0, 1, 6, 11}));
  const FabricRun all("all", mesh, params(), traffic, in_rtl(all_routers()));
  reference.drain();  // The other fabrics run with the kernel's time.
  REQUIRE(reference.drained());
  check_same(one, reference);
  check_same(some, reference);
  check_same(all, reference);
}

TEST_CASE("a fabric of other buffers refuses a router in RTL", "[cosim]") {
  const RoutedNetwork mesh = network();
  NetworkParams deeper = params();
  deeper.router.buffer_depth = 5;
  CHECK_THROWS_AS(FabricRun("fabric", mesh, deeper, {}, in_rtl({5})), std::invalid_argument);
}
