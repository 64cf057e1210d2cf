// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vwormhole_router_deep.h>
#include <Vwormhole_router_fast.h>
#include <Vwormhole_router_mesh.h>
#include <Vwormhole_router_whole.h>
// clang-format on

#include "cosim/faults.h"
#include "cosim/router_cosim.h"
#include "cosim/router_neighbours.h"
#include "cosim/rtl_wormhole_router.h"
#include "network/pins/core_router.h"

using namespace flitcast;

namespace {

/// The values equal the parameters of the models in CMakeLists.txt.
RtlRouterShape fast_line() { return {{4}, 2, 3, {1, 1, {0, 0, 1, 0}}}; }
RtlRouterShape deep_line() { return {{4}, 2, 2, {3, 3, {2, 3, 2, 1}, true}}; }
RtlRouterShape whole_packet_mesh() { return {{4, 4}, 2, 2, {1, 3, {1, 1, 1, 1}, true}}; }
RtlRouterShape usual_mesh() { return {{4, 4}, 2, 4, {2, 4}}; }

/// @param max_length  Maximum number of flits of a packet.
template <class Rtl>
auto twins(const RtlRouterShape& shape, std::uint32_t here, unsigned max_length) {
  return [=] {
    return RouterCosim<pins::WormholeRouter, RtlWormholeRouter<Rtl>, WormholeNeighbours>(
        shape, RouterId{here}, max_length);
  };
}

struct Form {
  bool head;
  unsigned remaining;
};

/// True if the assertions of the router refuse these flits, which enter one a cycle by VC 0 of a
/// port.
bool refuses(const std::vector<Form>& flits) {
  VerilatedBench<Vwormhole_router_mesh> rtl;
  rtl->contextp()->fatalOnError(false);  // A failed assertion is recorded and does not abort.
  const unsigned port = 2, width = 81, place_width = 4;
  set_port_bits(rtl->in_vc_i, port, 1, 0);
  rtl->out_credit_valid_i = rtl->in_valid_i = 0;
  rtl.reset();
  for (const Form& flit : flits) {
    rtl->in_valid_i = 1U << port;
    set_port_bits(rtl->in_flit_i, port * width, place_width, 0);
    set_port_bits(rtl->in_flit_i, port * width + place_width, 4, flit.remaining);
    set_port_bits(rtl->in_flit_i, port * width + place_width + 4, 1, flit.head);
    rtl.settle();
    rtl.edge();
  }
  return rtl->contextp()->gotError();
}

}  // namespace

TEST_CASE("the wormhole routers in SystemC and RTL show the same outputs for 10^5 cycles",
          "[cosim]") {
  check_cosim("wormhole_router_mesh", cosim_cycles(),
              twins<Vwormhole_router_mesh>(usual_mesh(), 5, 16));
}

TEST_CASE("the wormhole routers in SystemC and RTL agree in a corner of the mesh", "[cosim]") {
  const std::uint32_t corner = GENERATE(0U, 3U, 15U);
  check_cosim("wormhole_router_corner", cosim_cycles(20'000),
              twins<Vwormhole_router_mesh>(usual_mesh(), corner, 5));
}

TEST_CASE("the wormhole routers in SystemC and RTL agree on cut-through in a mesh", "[cosim]") {
  check_cosim("wormhole_router_whole", cosim_cycles(50'000),
              twins<Vwormhole_router_whole>(whole_packet_mesh(), 5, 3));
}

TEST_CASE("the wormhole routers in SystemC and RTL agree with one VC and slot and no waiting",
          "[cosim]") {
  check_cosim("wormhole_router_fast", cosim_cycles(50'000),
              twins<Vwormhole_router_fast>(fast_line(), 1, 8));
}

TEST_CASE("the wormhole routers in SystemC and RTL agree on cut-through in deep pipelines",
          "[cosim]") {
  check_cosim("wormhole_router_deep", cosim_cycles(50'000),
              twins<Vwormhole_router_deep>(deep_line(), 1, 3));
}

TEST_CASE("a wormhole router in RTL refuses flits out of the order of their packet", "[rtl]") {
  CHECK_FALSE(refuses({{true, 2}, {false, 1}, {false, 0}, {true, 0}}));
  CHECK(refuses({{false, 0}}));              // The packet has no head.
  CHECK(refuses({{true, 0}, {false, 15}}));  // The packet has no head, and the count wraps below 0.
  CHECK(refuses({{true, 2}, {true, 1}}));    // A head follows inside a packet.
  CHECK(refuses({{true, 3}, {false, 1}}));   // One flit is missing.
  CHECK(refuses({{true, 2}, {false, 2}}));   // There is one flit too many.
}

TEST_CASE("lock-step finds a fault in the register bits of a wormhole router", "[faults]") {
  const auto missed = [](const auto& make, std::size_t stride, std::vector<std::string> rules) {
    rules.push_back(kRequester0IsLater);
    return unexplained(faults_not_found(make, stride, "", 50'000), rules, stride);
  };
  const std::vector<std::string> none;
  // Bits that are 0 in all destinations by an output, which are points (x, y) seen from (1, 1);
  // without a flit all bits are 0.
  CHECK(missed(twins<Vwormhole_router_mesh>(usual_mesh(), 5, 16), 97,
               {"gen_output\\[1\\].u_stages.*\\[[01]\\] stuck at 0",      // x = 0.
                "gen_output\\[2\\].u_stages.*\\[1\\] stuck at 0",         // x = 1.
                "gen_output\\[3\\].u_stages.*\\[[123]\\] stuck at 0",     // (1, 0).
                "gen_output\\[4\\].u_stages.*\\[[13]\\] stuck at 0"}) ==  // (1, 1).
        none);
  // The same holds for x seen from 1, in two stages of 80 bits.
  CHECK(missed(twins<Vwormhole_router_deep>(deep_line(), 1, 3), 29,
               {"gen_output\\[1\\].u_stages.*\\[(0|1|80|81)\\] stuck at 0",  // 0.
                "gen_output\\[2\\].u_stages.*\\[(1|81)\\] stuck at 0"}) ==   // 1.
        none);
}
