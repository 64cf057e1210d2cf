// SPDX-License-Identifier: Apache-2.0
// Networks whose routers have options.
#include <algorithm>
#include <vector>

#include "network/fabric_run.h"
#include "network/pins/structural_network.h"
#include "router/option_sets.h"
#include "routing/minimal_adaptive.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

NetworkParams params_with(const RouterOptions& options, unsigned virtual_channels = 4) {
  NetworkParams params;
  params.router.virtual_channels = virtual_channels;
  params.router.buffer_depth = 6;
  params.router.options = options;
  params.cores = &flit_cores(options);
  params.full_hierarchy = false;
  return params;
}

/// Returns the number of flits that an overloaded 4 x 4 mesh delivers in 2000 cycles after the
/// first 500.
std::uint64_t accepted_with(const RouterOptions& options) {
  testing::install_fresh_kernel();
  const RoutedNetwork network = mesh_network({4, 4}, 4);
  FabricRun run("fabric", network, params_with(options), {3000, 5, 1});
  run.fabric->run(500);
  const std::uint64_t before = run.fabric->totals().flits_ejected;
  run.fabric->run(2000);
  return run.fabric->totals().flits_ejected - before;
}

double gain_of(const RouterOptions& options) {
  return static_cast<double>(accepted_with(options)) / static_cast<double>(accepted_with({}));
}

bool mentions(const std::vector<std::string>& problems, const std::string& words) {
  return std::any_of(problems.begin(), problems.end(), [&](const std::string& problem) {
    return problem.find(words) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("an allocator may have 1 to 32 rounds", "[network]") {
  RouterParams params;
  const auto problems = [&](unsigned iterations) {
    params.options.iterations = iterations;
    return problems_of_options(params).size();
  };
  CHECK(problems(0) == 1);
  CHECK(problems(1) == 0);
  CHECK(problems(32) == 0);
  CHECK(problems(33) == 1);
}

TEST_CASE("networks of routers with options lose nothing, in any number of threads", "[network]") {
  for (const RouterOptions& options : option_sets()) {
    for (const bool cut_through : {false, true}) {
      testing::install_fresh_kernel();
      const RoutedNetwork network = mesh_network({4, 3}, 4);
      NetworkParams params = params_with(options);
      params.router.whole_packet_credit = cut_through;
      params.router.buffer_depth = 8;
      FabricRun alone("alone", network, params, {60, 7, 2});
      params.threads = 3;
      params.sleep = false;
      params.shuffle_seed = 5;
      FabricRun split("split", network, params, {60, 7, 2});
      for (FabricRun* run : {&alone, &split}) {
        run->drain();
        run->fabric->audit();
        CHECK(run->drained());
        CHECK(run->fabric->find_deadlock().empty());
      }
      CHECK(alone.checksum() == split.checksum());
    }
  }
}

TEST_CASE("an overloaded network accepts more by speed-up and by better matchings", "[network]") {
  RouterOptions options;
  options.input_speedup = 2;
  CHECK(gain_of(options) > 1.02);
  options = {};
  options.allocator = AllocatorKind::kWavefront;
  CHECK(gain_of(options) > 1.0);
  options = {};
  options.iterations = 3;
  CHECK(gain_of(options) > 1.0);
}

TEST_CASE("an overloaded network accepts less where output VCs wait for the tail's credit",
          "[network]") {
  RouterOptions options;
  options.vc_reuse = VcReuse::kTailCredit;
  CHECK(gain_of(options) < 0.95);
}

TEST_CASE("a node waits for the tail's credit before its next packet where routers do",
          "[network]") {
  const auto gap_with = [](VcReuse reuse) {
    testing::install_fresh_kernel();
    RouterOptions options;
    options.vc_reuse = reuse;
    const RoutedNetwork network = mesh_network({2}, 1);
    ScriptSource source(2);
    for (int packet = 0; packet < 2; ++packet) source.add(Cycle{0}, NodeId{0}, {NodeId{1}, 2});
    Recorder recorder;
    Fabric fabric("fabric", *network.topology, *network.routing, source, params_with(options, 1),
                  {&recorder});
    fabric.run(100);
    REQUIRE(recorder.deliveries.size() == 2);
    return recorder.deliveries[1].packet.injected - recorder.deliveries[0].packet.injected;
  };
  CHECK(gap_with(VcReuse::kTail) == 2);
  CHECK(gap_with(VcReuse::kTailCredit) > 4);
}

TEST_CASE("a fabric refuses options that its cores or its routing do not go with", "[network]") {
  RouterOptions options;
  options.iterations = 2;
  const RoutedNetwork mesh = mesh_network({3, 3}, 4);
  NetworkParams params = params_with(options);
  CHECK(FabricPlan::problems_of(*mesh.topology, *mesh.routing, params).empty());
  params.cores = &flit_cores();
  CHECK(mentions(FabricPlan::problems_of(*mesh.topology, *mesh.routing, params), "flit_cores"));
  params = params_with(options);
  params.router.options.input_speedup = 5;
  params.router.options.speculation = true;
  params.router.pipeline.vc_allocation = 2;
  const auto problems = FabricPlan::problems_of(*mesh.topology, *mesh.routing, params);
  CHECK(mentions(problems, "input_speedup"));
  CHECK(mentions(problems, "speculation"));
  const Grid grid = flitcast::mesh({3, 3});
  const MinimalAdaptive adaptive(grid, {});
  CHECK(mentions(FabricPlan::problems_of(grid, adaptive, params_with(options)), kNoChoice));
  CHECK(mentions(pins::StructuralNetwork::problems(grid, params_with(options)), "iterations"));
}

TEST_CASE("a external router has no neighbours that give several credits back at once",
          "[network]") {
  RouterOptions options;
  options.input_speedup = 2;
  const RoutedNetwork network = mesh_network({3, 3}, 4);
  const std::vector<ExternalSlot> external{pins_slot(network, 4)};
  CHECK_THROWS_WITH(FabricRun("fast", network, params_with(options), {3, 5, 1}, external),
                    Catch::Contains("input_speedup"));
}

namespace {

/// A mesh with `slots` slots for each VC behind its last channel.
Grid mesh_with_slots(std::uint32_t slots) {
  Grid grid = flitcast::mesh({3, 3});
  grid.channel(grid.channels().size() - 1).buffer_depth = slots;
  return grid;
}

}  // namespace

TEST_CASE("a fabric refuses buffers that cannot hold the packets of nodes", "[network]") {
  const RoutedNetwork mesh = mesh_network({3, 3}, 4);
  NetworkParams params;
  params.router.buffer_depth = 6;
  const auto problems = [&](std::uint32_t slots) {
    return FabricPlan::problems_of(mesh_with_slots(slots), *mesh.routing, params);
  };
  CHECK(problems(5).empty());
  params.router.whole_packet_credit = true;
  CHECK(mentions(problems(5), "virtual cut-through needs buffers of at least buffer_depth"));
  CHECK(problems(6).empty());
  CHECK(problems(7).empty());
}

TEST_CASE("memory is estimated for the deepest buffer at all routers", "[network]") {
  NetworkParams params;
  params.router.buffer_depth = 6;
  const auto bytes = [&](const Grid& grid) {
    return FabricPlan::memory_estimate(grid, params, OutputMode::kOne);
  };
  const std::uint64_t deep = bytes(mesh_with_slots(5000));
  CHECK(bytes(mesh_with_slots(5)) == bytes(mesh_with_slots(0)));
  params.router.buffer_depth = 5000;
  CHECK(bytes(mesh_with_slots(0)) == deep);
}
