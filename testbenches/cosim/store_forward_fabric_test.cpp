// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vstore_forward_router_mesh.h>
// clang-format on

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "cosim/rtl_fabric.h"
#include "cosim/rtl_store_forward_router.h"

using namespace flitcast;

namespace {

/// The values equal the parameters of the model in CMakeLists.txt.
RouterParams router_params() {
  RouterParams params;
  params.virtual_channels = params.buffer_depth = 2;
  params.multicast = false;
  return params;
}

NetworkParams params() {
  NetworkParams params;
  params.router = router_params();
  params.cores = &packet_cores();
  params.full_hierarchy = false;
  return params;
}

std::vector<ExternalSlot> in_rtl(const std::vector<std::uint32_t>& routers) {
  return flitcast::in_rtl<RtlStoreForwardRouter<Vstore_forward_router_mesh>>(
      routers, {{3, 4}, 2, 2, router_params()});
}

}  // namespace

TEST_CASE("a fabric delivers the same in the same cycles with stores in RTL", "[cosim]") {
  const RoutedNetwork mesh = mesh_network({3, 4}, 2);
  FiniteTraffic::Params traffic;
  traffic.longest = 4;
  traffic.longest_gap = GENERATE(1U, 40U);  // Saturating or moderate.
  FabricRun reference("reference", mesh, params(), traffic);
  const FabricRun one("one", mesh, params(), traffic, in_rtl({4}));
  const FabricRun some("some", mesh, params(), traffic, in_rtl({0, 1, 7, 11}));
  reference.drain();  // The other fabrics run with the kernel's time.
  REQUIRE(reference.drained());
  check_same(one, reference);
  check_same(some, reference);
}

TEST_CASE("a fabric of more places or other queues refuses a store in RTL", "[cosim]") {
  const RoutedNetwork mesh = mesh_network({3, 4}, 2);
  NetworkParams other = params();
  if (GENERATE(true, false)) {
    other.router.buffer_depth = 3;
  } else {
    other.priority = std::make_shared<Fifo>();
  }
  CHECK_THROWS_AS(FabricRun("fabric", mesh, other, {}, in_rtl({5})), std::invalid_argument);
}
