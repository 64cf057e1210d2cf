// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vpacket_router_ring.h>
#include <Vpacket_router_uneven.h>
#include <Vvc_router_ring.h>
#include <Vvc_router_slow.h>
#include <Vvc_router_torus.h>
#include <Vvc_router_uneven.h>
// clang-format on

#include <memory>
#include <random>
#include <vector>

#include "cosim/faults.h"
#include "cosim/router_cosim.h"
#include "cosim/router_neighbours.h"
#include "cosim/rtl_vc_router.h"
#include "network/pins/core_router.h"

using namespace flitcast;

namespace {

/// Any output, and any set of VCs, drawn for every input VC and destination.
class DrawnRouting : public OnAllVcs<Routing> {
 public:
  DrawnRouting(const pins::Site& place, std::uint32_t nodes)
      : OnAllVcs(vc_range(0, place.core.virtual_channels)), nodes_(nodes) {
    std::mt19937 random(9);
    vcs_ = place.core.virtual_channels;
    for (std::size_t i = 0; i < std::size_t{place.inputs} * vcs_ * nodes; ++i) {
      const auto output = static_cast<std::uint16_t>(random() % place.outputs);
      routes_.push_back({PortId{output}, static_cast<VcSet>(1 + random() % all_)});
    }
  }
  Route route(const RouteRequest& request) const override {
    return routes_[(index(request.input) * vcs_ + index(request.vc)) * nodes_ +
                   index(request.destination)];
  }

 private:
  std::size_t nodes_;
  std::size_t vcs_;
  std::vector<Route> routes_;
};

/// A router for the lock-step. The values equal the parameters of the models in CMakeLists.txt.
struct Case {
  pins::Site place;
  std::shared_ptr<const Routing> routing;
  std::uint32_t nodes = 0;
  VcFlit flit;
  unsigned max_length = 1;
};

pins::Site site(std::uint32_t here, unsigned inputs, unsigned outputs, const RouterParams& core) {
  return {RouterId{here}, inputs, outputs, core};
}

std::shared_ptr<const Routing> on_grid(const Grid& grid, VcClasses classes, std::size_t vcs) {
  DimensionOrder::Params params;
  params.classes = classes;
  params.virtual_channels = vcs;
  params.tie_by_coin = false;
  return std::make_shared<DimensionOrder>(grid, params);
}

/// Router (3, 0) of a torus: its channels up in x and down in y wrap around.
Case torus_router() {
  return {site(3, 5, 5, {4, 4}), on_grid(torus({4, 4}), VcClasses::kDateline, 4), 16, {4, 4}, 16};
}
/// Router 0 of a ring, at the end of a dateline.
Case ring_router() {
  return {site(0, 3, 3, {2, 3, {2, 0, 1, 0}}),
          on_grid(ring(5), VcClasses::kDallySeitz, 2),
          5,
          {3, 3},
          8};
}
Case uneven_router() {
  const pins::Site place = site(0, 3, 2, {3, 3, {0, 2, 2, 1}, true});
  return {place, std::make_shared<DrawnRouting>(place, 32), 32, {5, 2}, 3};
}
/// Three outputs whose channels take 3, 1 and 2 cycles for a flit.
Case slow_router() {
  pins::Site place = site(0, 3, 3, {2, 3, {1, 0, 1, 0}});
  place.channels = {{3, 1, false}, {1, 1, false}, {2, 1, false}};
  return {place, std::make_shared<DrawnRouting>(place, 32), 32, {5, 2}, 4};
}

/// A place for a router that stores packets: nodes are at the first inputs and the last outputs.
pins::Site storing(pins::Site place, std::vector<OutputChannel> channels, unsigned node_inputs) {
  place.unit = BufferUnit::kPacket;
  place.core.multicast = false;
  place.core.flit_time = channels.front().cycles_per_flit;
  place.channels = std::move(channels);
  for (unsigned port = 0; port < place.inputs; ++port) {
    place.from_node.push_back(port < node_inputs);
  }
  return place;
}
/// Router 0 of a ring, at the end of a dateline, with channels of 2 and 5 cycles.
Case storing_ring_router() {
  return {
      storing(site(0, 3, 3, {2, 3, {2, 0, 1, 0}}), {{2, 2, false}, {2, 5, false}, {2, 1, true}}, 0),
      on_grid(ring(5), VcClasses::kDallySeitz, 2),
      5,
      {3, 3, true},
      8};
}
/// Decisions take no time.
Case storing_uneven_router() {
  const pins::Site place =
      storing(site(0, 3, 2, {3, 2, {0, 0, 2, 1}}), {{1, 4, false}, {1, 1, true}}, 1);
  return {place, std::make_shared<DrawnRouting>(place, 32), 32, {5, 2, true}, 3};
}

template <class Rtl, class Model = pins::WormholeRouter, class Neighbours = WormholeNeighbours>
auto twins(const Case& at) {
  return [at] {
    std::vector<std::vector<NodeId>> groups(at.place.outputs);
    for (std::uint32_t node = 0; node < at.nodes; ++node) {
      const Route route = at.routing->route({at.place.router, PortId{0}, VcId{0}, NodeId{node}});
      groups[index(route.output)].push_back(NodeId{node});
    }
    return RouterCosim<Model, RtlVcRouter<Rtl>, Neighbours>(
        table_of(*at.routing, at.place, at.nodes, at.flit), at.place, at.routing, groups,
        at.max_length);
  };
}
template <class Rtl>
auto storing_twins(const Case& at) {
  return twins<Rtl, pins::StoreForwardRouter, StoreForwardNeighbours>(at);
}

/// The same with one wrong entry in the table: the answer to the heads in VC 0 of the first input
/// for a destination.
template <class Rtl>
auto wrong_twins(const Case& at, std::uint32_t node, Route answer) {
  return [=] {
    VcRouterTable table = table_of(*at.routing, at.place, at.nodes, at.flit);
    table.answers[0].at(node) = answer;
    std::vector<std::vector<NodeId>> groups{{NodeId{node}}};
    return RouterCosim<pins::WormholeRouter, RtlVcRouter<Rtl>, WormholeNeighbours>(
        table, at.place, at.routing, groups, at.max_length);
  };
}

template <class MakeBench>
bool differs(const MakeBench& make) {
  testing::install_fresh_kernel();
  auto bench = make();
  Lockstep lockstep;
  while (!lockstep.first_difference() && lockstep.cycles() < 1000) step_cosim(bench, lockstep);
  return lockstep.first_difference().has_value();
}

}  // namespace

TEST_CASE("the VC routers in SystemC and RTL agree in a torus with dateline classes", "[cosim]") {
  check_cosim("vc_router_torus", cosim_cycles(), twins<Vvc_router_torus>(torus_router()));
}

TEST_CASE("the VC routers in SystemC and RTL agree in a ring with a deep pipeline", "[cosim]") {
  check_cosim("vc_router_ring", cosim_cycles(), twins<Vvc_router_ring>(ring_router()));
}

TEST_CASE("the VC routers in SystemC and RTL agree with three inputs, two outputs, cut-through",
          "[cosim]") {
  check_cosim("vc_router_uneven", cosim_cycles(), twins<Vvc_router_uneven>(uneven_router()));
}

TEST_CASE("the VC routers in SystemC and RTL agree on channels of different speed", "[cosim]") {
  check_cosim("vc_router_slow", cosim_cycles(), twins<Vvc_router_slow>(slow_router()));
}

TEST_CASE(
    "the packet routers in SystemC and RTL agree in a ring with channels of different latency",
    "[cosim]") {
  check_cosim("packet_router_ring", cosim_cycles(20'000),
              storing_twins<Vpacket_router_ring>(storing_ring_router()));
}

TEST_CASE("the packet routers in SystemC and RTL agree with any VC sets and decisions in no time",
          "[cosim]") {
  check_cosim("packet_router_uneven", cosim_cycles(20'000),
              storing_twins<Vpacket_router_uneven>(storing_uneven_router()));
}

TEST_CASE("lock-step finds a wrong entry in the table beside a VC router", "[cosim]") {
  const Case at = torus_router();
  const std::uint32_t node = 0;  // One hop in x, over the dateline.
  const Route right = at.routing->route({at.place.router, PortId{0}, VcId{0}, NodeId{node}});
  CHECK_FALSE(differs(wrong_twins<Vvc_router_torus>(at, node, right)));
  const VcSet others = vc_range(0, 4) & ~right.vcs;
  REQUIRE(others != 0);
  CHECK(differs(wrong_twins<Vvc_router_torus>(at, node, {right.output, others})));
  CHECK(differs(wrong_twins<Vvc_router_torus>(at, node, {right.output, vc_range(0, 4)})));
  CHECK(differs(wrong_twins<Vvc_router_torus>(at, node, {PortId{2}, right.vcs})));
}

TEST_CASE("lock-step finds a fault in the register bits of a VC router", "[faults]") {
  const auto missed = [](const auto& make, std::size_t stride, std::vector<std::string> rules) {
    rules.push_back(kRequester0IsLater);
    return unexplained(faults_not_found(make, stride, "", 50'000), rules, stride);
  };
  const std::vector<std::string> none;
  CHECK(missed(twins<Vvc_router_uneven>(uneven_router()), 29, {}) == none);
  // Channels 0 and 3 cross the dateline: no packet takes their VCs 0 and 1.
  CHECK(missed(twins<Vvc_router_torus>(torus_router()), 211,
               {"gen_output\\[(0|1|12|13)\\].u_grant", "gen_port\\[[03]\\].gen_vc\\[[01]\\]"}) ==
        none);
}
