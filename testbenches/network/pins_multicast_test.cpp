// SPDX-License-Identifier: Apache-2.0
#include "network/broadcasts.h"
#include "network/check/inspection.h"
#include "network/fabric_run.h"
#include "network/pins_bench.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Bit o of the destination selects output o; copies carry the output's number as their reach.
class ToPorts : public Routing {
 public:
  explicit ToPorts(std::size_t virtual_channels) : all_(vc_range(0, virtual_channels)) {}
  bool multicast() const override { return true; }
  void branches(const RouteRequest& request, Branches& branches) const override {
    for (std::uint16_t output = 0; output < 3; ++output) {
      if ((index(request.destination) >> output & 1) == 0) continue;
      branches.add({PortId{output}, all_, output});
    }
  }
  Route route(const RouteRequest&) const override { return {}; }
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }

 private:
  VcSet all_;
};

class MulticastBench : private ToPorts, public PinsBench<pins::MulticastRouter> {
 public:
  explicit MulticastBench(const RouterParams& params)
      : ToPorts(params.virtual_channels), PinsBench({RouterId{0}, 0, 0, params}, *this) {}
};

constexpr unsigned kBoth = 0b110;

RouterParams multicast_params(bool synchronous = false, const Pipeline& pipeline = {}) {
  RouterParams params;
  params.virtual_channels = 2;
  params.buffer_depth = 4;
  params.synchronous_copies = synchronous;
  params.pipeline = pipeline;
  return params;
}

}  // namespace

TEST_CASE("copies are on all outputs R + V + S + T - 1 cycles after the head", "[network]") {
  const Pipeline pipeline = GENERATE(Pipeline{}, Pipeline{0, 0, 1, 0}, Pipeline{2, 3, 2, 3});
  MulticastBench bench(multicast_params(GENERATE(false, true), pipeline));
  bench.put(0, 1, flit_to(kBoth));
  CHECK(bench.cycles_until(bench.out_valid[2]) == pipeline.route + pipeline.vc_allocation +
                                                      pipeline.switch_allocation +
                                                      pipeline.traversal - 1);
  CHECK(bench.out_valid[1].read());
  CHECK_FALSE(bench.out_valid[0].read());
  CHECK(bench.out_flit[1].read().route_field == 1);
  CHECK(bench.out_flit[2].read().route_field == 2);
}

TEST_CASE("a slot's credit goes out once, with the last copy", "[network]") {
  MulticastBench bench(multicast_params());
  bench.put(0, 0, flit_to(kBoth));
  CHECK(bench.cycles_until(bench.in_credit_valid[0]) == 2);
  CHECK(bench.count(bench.in_credit_valid[0], 20) == 0);
}

// Four flits use up the credits of output 1; later ones wait for its next credit.
TEST_CASE("asynchronous copies leave by the outputs that are free", "[network]") {
  const bool synchronous = GENERATE(false, true);
  MulticastBench bench(multicast_params(synchronous));
  for (unsigned f = 0; f < 4; ++f) {
    bench.put(0, 0, flit_to(kBoth, 9 - f, f == 0));
    bench.cycle();
  }
  for (int c = 0; c < 20; ++c) bench.cycle();
  bench.give_credit(2, 0);  // Both outputs used VC 0.
  bench.put(0, 0, flit_to(kBoth, 5, false));
  CHECK(bench.count(bench.out_valid[2], 20) == (synchronous ? 0 : 1));
  bench.give_credit(1, 0);
  CHECK(bench.count(bench.in_credit_valid[0], 20) == 1);
}

TEST_CASE("flits that differ in their reach alone are different signals", "[network]") {
  Flit flit = flit_to(1);
  const Flit before = flit;
  flit.route_field = 3;
  CHECK_FALSE(flit == before);
}

namespace {

/// One setting per number: VCs, pipelines, node ports, kinds of copies.
struct MulticastSetting {
  explicit MulticastSetting(unsigned number) {
    network = broadcast_network(3, kNodes, 1 + number % 3);
    params.router.virtual_channels = kNodes;
    params.router.synchronous_copies = number % 3 == 1;
    if (number % 3 == 2) params.cores = &packet_cores();
    params.router.buffer_depth = params.cores == &packet_cores() ? 1 + number % 2 : 5;
    params.router.whole_packet_credit = number % 6 == 3;
    params.router.pipeline = {number % 3, (number + 1) % 3, 1 + number % 2, number % 2};
    params.link_latency = 1 + number % 3;
    params.credit_latency = 1 + number % 2;
    params.cycles_per_flit = number % 4 == 3 ? 2 : 1;
    params.full_hierarchy = false;
    traffic.longest = 5;
    traffic.longest_gap = number % 2 == 0 ? 2 : 40;
  }
  std::unique_ptr<FabricRun> run(const char* name, const NetworkParams& with,
                                 const std::vector<ExternalSlot>& external = {}) const {
    return std::make_unique<FabricRun>(name, network, with,
                                       std::make_unique<Broadcasts>(kNodes, traffic),
                                       kNodes * (kNodes - 1) * traffic.packets_per_node, external);
  }

  static constexpr unsigned kNodes = 8;
  RoutedNetwork network;
  NetworkParams params;
  Broadcasts::Params traffic;
};

}  // namespace

TEST_CASE("copying routers behind pins deliver like the native ones", "[network]") {
  const MulticastSetting setting(GENERATE(range(0U, 12U)));
  const auto slot = [&](std::uint32_t router) { return pins_slot(setting.network, router); };
  NetworkParams params = setting.params;
  const auto reference = setting.run("reference", params);
  const auto one = setting.run("one", params, {slot(1)});
  params.threads = 2;
  const auto several = setting.run("several", params, {slot(0), slot(2), slot(7)});
  reference->drain();  // Lockstep fabrics advance with the kernel's time.
  REQUIRE(reference->drained());
  for (const FabricRun* run : {one.get(), several.get()}) {
    REQUIRE(run->drained());
    CHECK(run->checksum() == reference->checksum());
    CHECK(run->fabric->flit_hops() == reference->fabric->flit_hops());
    CHECK_NOTHROW(audit(*run->fabric->inspection()));
  }
}
