// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vstore_forward_router_1x1.h>
#include <Vstore_forward_router_3x3.h>
#include <Vstore_forward_router_mesh.h>
// clang-format on

#include "cosim/faults.h"
#include "cosim/router_cosim.h"
#include "cosim/router_neighbours.h"
#include "cosim/rtl_store_forward_router.h"
#include "network/pins/core_router.h"

using namespace flitcast;

namespace {

template <class Rtl>
using Cosim =
    RouterCosim<pins::StoreForwardRouter, RtlStoreForwardRouter<Rtl>, StoreForwardNeighbours>;

/// The values equal the parameters of the models in CMakeLists.txt.
RtlRouterShape shape_of(const std::vector<std::size_t>& sides, unsigned remaining_width,
                        const RouterParams& core) {
  RtlRouterShape shape{sides, 2, remaining_width, core};
  shape.unit = BufferUnit::kPacket;
  shape.core.multicast = false;
  return shape;
}
auto in_mesh() {
  return Cosim<Vstore_forward_router_mesh>(shape_of({4, 4}, 2, {2, 2}), RouterId{6}, 4);
}
auto in_corner() {
  return Cosim<Vstore_forward_router_mesh>(shape_of({4, 4}, 2, {2, 2}), RouterId{12}, 4);
}
auto on_slow_channels() {
  RtlRouterShape shape = shape_of({4}, 3, {3, 3, {1, 2, 1, 2}});
  shape.core.flit_time = shape.link_latency = 2;
  shape.stored_injection = true;
  return Cosim<Vstore_forward_router_3x3>(shape, RouterId{1}, 3);
}
auto with_one_place() {
  return Cosim<Vstore_forward_router_1x1>(shape_of({4}, 16, {1, 1, {0, 1, 1, 0}}), RouterId{1}, 1);
}

}  // namespace

TEST_CASE("store-and-forward routers in SystemC and RTL show the same outputs in every cycle",
          "[cosim]") {
  check_cosim("store_forward_router_mesh", cosim_cycles(), in_mesh);
}

TEST_CASE("store-and-forward routers in SystemC and RTL agree in a corner of the mesh", "[cosim]") {
  check_cosim("store_forward_router_corner", cosim_cycles(20'000), in_corner);
}

TEST_CASE("store-and-forward routers in SystemC and RTL agree on slow channels", "[cosim]") {
  check_cosim("store_forward_router_3x3", cosim_cycles(20'000), on_slow_channels);
}

TEST_CASE("store-and-forward routers in SystemC and RTL agree with one place for one flit",
          "[cosim]") {
  check_cosim("store_forward_router_1x1", cosim_cycles(20'000), with_one_place);
}

TEST_CASE("lock-step finds a fault in the register bits of a store-and-forward router",
          "[faults]") {
  // Numbers decide only between packets that join a queue together, so some faults take long to
  // find.
  const auto missed = [](const auto& make, std::size_t stride, std::vector<std::string> rules) {
    rules.push_back(kRequester0IsLater);
    return unexplained(faults_not_found(make, stride, "", 100'000), rules, stride);
  };
  const std::vector<std::string> none;
  // Making two numbers equal leaves the first input first and the last one last, as before.
  const std::string equal_to_next = "gen_input\\[0\\].*packet_q\\[0\\] stuck at 1";
  // Slot 18 of 20 is never before itself.
  const std::string own_order = "before_q\\[378\\] stuck at 0";
  CHECK(missed(in_mesh, 397,
               {equal_to_next, own_order, "gen_input\\[4\\].*packet_q\\[0\\] stuck at 0",
                // This fault can be observed, but rarely: packets from the node join 2 cycles after
                // their arrival, earlier than others at most outputs.
                "gen_input\\[4\\].*packet_q\\[[0-9]+\\] flipping"}) == none);
  CHECK(missed(on_slow_channels, 997,
               {equal_to_next, "gen_input\\[2\\].*packet_q\\[0\\] stuck at 0"}) == none);
}
