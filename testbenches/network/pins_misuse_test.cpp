// SPDX-License-Identifier: Apache-2.0
// Reports of routers with pins about wrong use. testbenches/cosim applies the same table to the
// RTL.
#include "network/misuses.h"
#include "network/pins/core_router.h"
#include "network/pins/router.h"
#include "routing/dimension_order.h"
#include "support/collected_errors.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

struct Line {
  Grid grid = mesh({4});
  DimensionOrder routing{grid, {false, true, VcClasses::kNone, 3}};
};

/// Offers several candidate outputs to every packet.
class Undecided : public AdaptiveRouting {
 public:
  Undecided() : AdaptiveRouting(OutputSelection::kRandom) {}
  void alternatives(const RouteRequest&, Alternatives&) const override {}
  VcSet injection_vcs(NodeId, NodeId) const override { return 1; }
};

/// Returns the place that misuses.h describes.
pins::Site place_in(const Line& line, BufferUnit unit) {
  NetworkParams params;
  params.router.virtual_channels = 3;
  params.router.buffer_depth = 3;
  params.router.pipeline = {2, 3, 2, 1};
  if (unit == BufferUnit::kPacket) params.cores = &packet_cores();
  return pins::sites_of(line.grid, params)[1];
}

/// Returns the report to the kernel while `work` runs, or "" if there is none.
template <class Work>
std::string report_of(Work&& work) {
  try {
    work();
  } catch (const sc_core::sc_report& report) {
    return report.what();
  }
  return "";
}

bool says(const std::string& report, const std::string& part) {
  return report.find(part) != std::string::npos;
}

template <class Router>
void check_misuses(const std::vector<Misuse>& misuses, BufferUnit unit) {
  const Line line;
  const pins::Site place = place_in(line, unit);
  for (const Misuse& misuse : misuses) {
    testing::install_fresh_kernel();
    PinsBench<Router> bench(place, line.routing);
    std::vector<Beat> sound = misuse.beats;
    sound.pop_back();
    CHECK(report_of([&] { play(bench, sound); }).empty());

    testing::install_fresh_kernel();
    PinsBench<Router> misused(place, line.routing);
    const std::string report = report_of([&] { play(misused, misuse.beats); });
    INFO(misuse.report << "\n" << report);
    CHECK(says(report, "router: " + misuse.report));
    CHECK(says(report,
               "(port " + std::to_string(misuse.port) + ", VC " + std::to_string(misuse.vc) + ")"));
    CHECK(says(report, "cycle " + std::to_string(misuse.beats.back().cycle)));
  }
}

}  // namespace

TEST_CASE("misuse of a router with pins is reported with its name, port, VC and cycle",
          "[network]") {
  check_misuses<pins::WormholeRouter>(flit_misuses(), BufferUnit::kFlit);
  check_misuses<pins::MulticastRouter>(flit_misuses(), BufferUnit::kFlit);
  check_misuses<pins::StoreForwardRouter>(packet_misuses(), BufferUnit::kPacket);
}

namespace {

/// Sends everything by one output and allows some VCs.
class Constant : public Routing {
 public:
  explicit Constant(const Route& route) : route_(route) {}
  Route route(const RouteRequest&) const override { return route_; }
  VcSet injection_vcs(NodeId, NodeId) const override { return 1; }

 private:
  Route route_;
};

std::string report_of_head(const Routing& routing, const Flit& head) {
  testing::install_fresh_kernel();
  const Line line;
  PinsBench<pins::WormholeRouter> bench(place_in(line, BufferUnit::kFlit), routing);
  bench.put(0, 1, head);
  return report_of([&] {
    for (int c = 0; c < 5; ++c) bench.cycle();
  });
}

}  // namespace

TEST_CASE("a head for no node, and a routing to an unconnected output, are reported", "[network]") {
  const Line line;
  CHECK(says(report_of_head(line.routing, flit_to(4)), "packet for a node outside of the network"));
  CHECK(report_of_head(line.routing, flit_to(3)).empty());
  CHECK(says(report_of_head(Constant({PortId{3}, 1}), flit_to(2)), "output 3 of 3"));
  CHECK(says(report_of_head(Constant({PortId{0}, 0}), flit_to(2)), "no virtual channel"));
  CHECK(says(report_of_head(Constant({PortId{0}, 8}), flit_to(2)), "no virtual channel"));
  CHECK(report_of_head(Constant({PortId{0}, 7}), flit_to(2)).empty());
}

namespace {

template <class Router>
void check_report_of_no_node(BufferUnit unit) {
  testing::install_fresh_kernel();
  const Line line;
  PinsBench<Router> bench(place_in(line, unit), line.routing);
  const testing::CollectedErrors errors;
  bench.put(0, 1, flit_to(4));
  for (int c = 0; c < 150; ++c) bench.cycle();
  REQUIRE(errors.texts().size() == 1);
  CHECK(says(errors.texts()[0], "packet for a node outside of the network"));
  const auto flits_of_next_head = [&bench] {
    bench.put(0, 0, flit_to(3));  // Leaves by output 0, to the higher neighbour.
    return bench.count(bench.out_valid[0], 30);
  };
  CHECK(flits_of_next_head() == 0);
  bench.rst_n = false;
  bench.cycle();
  bench.rst_n = true;
  CHECK(flits_of_next_head() == 1);
  CHECK(errors.texts().size() == 1);
}

}  // namespace

TEST_CASE("a head for no node is reported once, and the router is idle until its reset",
          "[network]") {
  check_report_of_no_node<pins::WormholeRouter>(BufferUnit::kFlit);
  check_report_of_no_node<pins::MulticastRouter>(BufferUnit::kFlit);
  check_report_of_no_node<pins::StoreForwardRouter>(BufferUnit::kPacket);
}

TEST_CASE("a site that does not fit is reported when the router is built, with all problems",
          "[network]") {
  const Line line;
  const pins::Site sound = place_in(line, BufferUnit::kFlit);
  const auto report = [&](void (*change)(pins::Site&)) {
    testing::install_fresh_kernel();
    pins::Site place = sound;
    change(place);
    return report_of([&] { pins::WormholeRouter("router", place, line.routing); });
  };
  CHECK(report([](pins::Site&) {}).empty());
  CHECK(says(report([](pins::Site& p) { p.core.buffer_depth = 0; }), "buffer depth of 0"));
  CHECK(says(report([](pins::Site& p) { p.core.virtual_channels = 0; }), "0 virtual channels"));
  CHECK(says(report([](pins::Site& p) { p.core.virtual_channels = 33; }), "33 virtual channels"));
  CHECK(says(report([](pins::Site& p) { p.core.pipeline.switch_allocation = 0; }),
             "no cycle of switch allocation"));
  CHECK(says(report([](pins::Site& p) { p.core.options.speculation = true; }),
             "options such as speculation, which pins do not have"));
  CHECK(says(report([](pins::Site& p) { p.router = RouterId{4}; }), "router 4 of mesh 4"));
  CHECK(says(report([](pins::Site& p) { p.inputs = p.outputs = 0; }), "no inputs"));
  CHECK(says(report([](pins::Site& p) { p.connected.pop_back(); }), "an entry for each port"));
  const std::string both = report([](pins::Site& p) {
    p.inputs = 2;
    p.from_node.clear();
    p.core.buffer_depth = 70000;
  });
  CHECK(says(both, "2 inputs and 3 outputs, where router 1 of mesh 4 uses 3 and 3"));
  CHECK(says(both, "buffer depth of 70000"));
}

TEST_CASE("a router with pins whose packets have one route refuses a routing that offers several",
          "[network]") {
  const Line line;
  const pins::Site place = place_in(line, BufferUnit::kFlit);
  const Undecided undecided;
  const std::string report = report_of([&] { pins::WormholeRouter("router", place, undecided); });
  CHECK(says(report, "cannot choose among the outputs that the routing offers"));
  CHECK(says(report, "router"));
  testing::install_fresh_kernel();
  CHECK(report_of([&] { pins::AdaptiveRouter("router", place, undecided); }).empty());
}
