// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vwormhole_router_deep.h>
#include <Vwormhole_router_fast.h>
#include <Vwormhole_router_mesh.h>
// clang-format on

#include "network/pins/wormhole_router.h"
#include "twins/faults.h"
#include "twins/router_neighbours.h"
#include "twins/router_twins.h"
#include "twins/rtl_wormhole_router.h"

using namespace flitcast;

namespace {

/// As the parameters of the models in CMakeLists.txt.
RtlRouterShape fast_line() { return {{4}, 2, {1, 1, {0, 0, 1, 0}}}; }
RtlRouterShape deep_mesh() { return {{3, 3}, 2, {3, 3, {2, 3, 2, 1}, true}}; }
RtlRouterShape usual_mesh() { return {{4, 4}, 2, {2, 4}}; }

/// @param max_length  Flits of a packet, at most.
template <class Rtl>
auto twins(const RtlRouterShape& shape, std::uint32_t here, unsigned max_length) {
  return [=] {
    return RouterTwins<pins::WormholeRouter, RtlWormholeRouter<Rtl>, WormholeNeighbours>(
        shape, RouterId{here}, max_length);
  };
}

}  // namespace

TEST_CASE("the wormhole routers in SystemC and RTL show the same outputs for 10^5 cycles",
          "[twins]") {
  check_twins("wormhole_router_mesh", twin_cycles(),
              twins<Vwormhole_router_mesh>(usual_mesh(), 5, 9));
}

TEST_CASE("the wormhole routers in SystemC and RTL agree in a corner of the mesh", "[twins]") {
  const std::uint32_t corner = GENERATE(0U, 3U, 15U);
  check_twins("wormhole_router_corner", twin_cycles(20'000),
              twins<Vwormhole_router_mesh>(usual_mesh(), corner, 5));
}

TEST_CASE("the wormhole routers in SystemC and RTL agree with one VC and slot and no waiting",
          "[twins]") {
  check_twins("wormhole_router_fast", twin_cycles(50'000),
              twins<Vwormhole_router_fast>(fast_line(), 1, 4));
}

TEST_CASE("the wormhole routers in SystemC and RTL agree on cut-through in deep pipelines",
          "[twins]") {
  check_twins("wormhole_router_deep", twin_cycles(50'000),
              twins<Vwormhole_router_deep>(deep_mesh(), 4, 3));
}

TEST_CASE("lock-step finds a fault in the register bits of a wormhole router", "[faults]") {
  const std::vector<std::string> none;
  const auto mesh = twins<Vwormhole_router_mesh>(usual_mesh(), 5, 9);
  CHECK(unexplained(faults_not_found(mesh, 97),
                    // One node of 16 lies behind port 3: hardly ever do two ask for one of its VCs.
                    {"gen_output\\[[67]\\].u_grant.later_q"}) == none);
  const auto deep = twins<Vwormhole_router_deep>(deep_mesh(), 4, 3);
  CHECK(unexplained(faults_not_found(deep, 197),
                    {// Port 0 leads to column 2 and no farther.
                     "gen_output\\[0\\].*stages_q\\[1\\] stuck at 1",
                     // Remaining is below 3, in bits 4 to 19.
                     "stages_q\\[([6-9]|1[0-9])\\] stuck at 0",
                     // One node of 9 lies behind port 2, so its last VC is seldom chosen.
                     "u_pick.later_q\\[8\\] stuck at 0"}) == none);
}
