// SPDX-License-Identifier: Apache-2.0
// Applies the misuses that routers with pins report (testbenches/network/pins_misuse_test.cpp) to
// the RTL, whose assertions must find them, too.
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vstore_forward_router_3x3.h>
#include <Vwormhole_router_deep.h>
// clang-format on

#include "cosim/router_cosim.h"
#include "cosim/rtl_store_forward_router.h"
#include "cosim/rtl_wormhole_router.h"
#include "network/misuses.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// True if an assertion of router 1 fails while the beats are on its pins.
template <class Router>
bool refuses(const RtlRouterShape& shape, const std::vector<Beat>& beats) {
  testing::install_fresh_kernel();
  PinsBench<Router, RtlRouterShape> bench(site_of(shape, RouterId{1}), shape);
  VerilatedContext& context = *bench.router.rtl()->contextp();
  context.fatalOnError(false);  // A failed assertion is recorded and does not abort.
  play(bench, beats);
  return context.gotError();
}

template <class Router>
void check_misuses(const RtlRouterShape& shape, const std::vector<Misuse>& misuses) {
  for (const Misuse& misuse : misuses) {
    INFO(misuse.report << " (port " << misuse.port << ", VC " << misuse.vc << ")");
    std::vector<Beat> sound = misuse.beats;
    sound.pop_back();
    CHECK_FALSE(refuses<Router>(shape, sound));
    CHECK(refuses<Router>(shape, misuse.beats) == misuse.asserted);
  }
}

}  // namespace

TEST_CASE("assertions of the wormhole router in RTL find what its model reports", "[cosim]") {
  check_misuses<RtlWormholeRouter<Vwormhole_router_deep>>({{4}, 2, 2, {3, 3, {2, 3, 2, 1}, true}},
                                                          flit_misuses());
}

TEST_CASE("assertions of the store-and-forward router in RTL find what its model reports",
          "[cosim]") {
  RtlRouterShape shape{{4}, 2, 3, {3, 3, {1, 2, 1, 2}}};
  shape.unit = BufferUnit::kPacket;
  shape.core.multicast = false;
  check_misuses<RtlStoreForwardRouter<Vstore_forward_router_3x3>>(shape, packet_misuses());
}
