// SPDX-License-Identifier: Apache-2.0
// Reduction by the routers: times to the cycle, sums, deadlock.
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "network/check/deadlock_search.h"
#include "network/check/inspection.h"
#include "routing/analysis/deadlock.h"
#include "support/test_catch.h"
#include "traffic/forwarding_run.h"
#include "traffic/reduction_run.h"
#include "traffic/router_player.h"

using namespace flitcast;

namespace {

/// One reduction, of all nodes or of some.
class OneReduction {
  RouterForwarding forwarding_;
  ReductionPlayer source_;
  Recorder recorder_;
  Fabric fabric_;

 public:
  OneReduction(const Topology& topology, const RootedReduction& reduction,
               const NetworkParams& params, std::uint32_t length)
      : forwarding_(forwarding_of(topology, {reduction}, params.router.virtual_channels)),
        source_(forwarding_.injections,
                {reduction.to_all ? Operation::kAllReduce : Operation::kReduce,
                 topology.node_count(), reduction.root},
                length, 5),
        fabric_(sc_core::sc_gen_unique_name("fabric"), topology, *forwarding_.routing, source_,
                params, {&recorder_}) {}

  void run() {
    while (!source_.finished() && index(fabric_.now()) < 20000) fabric_.run(20);
    fabric_.run(20);
    REQUIRE(source_.finished());
    fabric_.audit();
  }
  std::uint64_t cycles() const { return source_.cycles(); }
  std::uint64_t wrong() const { return source_.wrong(); }
  const Totals totals() const { return fabric_.totals(); }
  const std::vector<Delivery>& deliveries() const { return recorder_.deliveries; }
  const RouterForwarding& forwarding() const { return forwarding_; }
  /// The most combinations on a path.
  std::size_t combinations() const {
    return largest_of<std::size_t>(forwarding_.paths, &RouterForwarding::Path::combinations);
  }
};

std::size_t channels_between(const Topology& topology, NodeId a, NodeId b) {
  if (dynamic_cast<const Hypercube*>(&topology) != nullptr) {
    return static_cast<std::size_t>(__builtin_popcount(index(a) ^ index(b)));
  }
  const auto& grid = dynamic_cast<const Grid&>(topology);
  std::size_t sum = 0;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    const std::size_t from = std::min(grid.coordinate(a, d), grid.coordinate(b, d));
    const std::size_t to = std::max(grid.coordinate(a, d), grid.coordinate(b, d));
    sum += grid.wraps(d) ? std::min(to - from, grid.size(d) - (to - from)) : to - from;
  }
  return sum;
}

std::size_t farthest(const Topology& topology, const RootedReduction& reduction) {
  std::size_t most = 0;
  for (const NodeId node : reduction.contributors) {
    most = std::max(most, channels_between(topology, node, reduction.root));
  }
  return most;
}

/// Checks that every node gets the sum at the earliest time possible for its first flit.
void check_times_of_all(const Topology& topology, const NetworkParams& params,
                        std::uint32_t length) {
  std::vector<std::unique_ptr<OneReduction>> runs;
  std::vector<RootedReduction> reductions;
  for (const NodeId root : every_node(topology)) {
    for (const bool to_all : {false, true}) {
      reductions.push_back({root, every_node(topology), to_all});
      runs.push_back(std::make_unique<OneReduction>(topology, reductions.back(), params, length));
    }
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::size_t depth = farthest(topology, reductions[r]);
    CAPTURE(topology.name(), index(reductions[r].root), reductions[r].to_all, length, depth);
    runs[r]->run();
    if (topology.node_count() == 1) continue;
    for (const Delivery& delivery : runs[r]->deliveries()) {
      const std::size_t down = channels_between(topology, delivery.node, reductions[r].root);
      CHECK(delivery.arrival + 1 ==
            Cycle{analytic_cycles(params, length, depth + down) + depth * params.router.combine});
      CHECK(delivery.hops == depth + down + 1);
    }
    CHECK(runs[r]->forwarding().depth() == (reductions[r].to_all ? 2 * depth : depth));
    CHECK(runs[r]->combinations() == depth);
    CHECK(runs[r]->deliveries().size() ==
          (reductions[r].to_all ? topology.node_count() : std::size_t{1}));
    CHECK((reductions[r].to_all || runs[r]->wrong() == 0));
  }
}

}  // namespace

TEST_CASE("a reduction takes ts + e (td + combine) + m tm, and td e more if all get the sum",
          "[traffic]") {
  static const std::vector<Grid> grids{mesh({1}),     mesh({2}),    mesh({1, 3}),    mesh({2, 2}),
                                       mesh({4, 3}),  mesh({5, 5}), ring(5),         torus({3, 4}),
                                       torus({2, 2}), mesh({6}),    mesh({3, 2, 3}), torus({4, 4})};
  const std::size_t grid = GENERATE(range(std::size_t{0}, std::size_t{12}));
  NetworkParams params = adding_routers();
  params.router.combine = GENERATE(0U, 3U);
  params.router.whole_packet_credit = GENERATE(false, true);
  check_times_of_all(grids[grid], params, GENERATE(1U, 7U));
}

TEST_CASE("hypercubes reduce along the e-cube tree in ts + n td + m tm", "[traffic]") {
  const Hypercube cube(GENERATE(range(std::size_t{0}, std::size_t{5})));
  NetworkParams params = adding_routers();
  params.router.combine = GENERATE(0U, 1U);
  check_times_of_all(cube, params, 5);
}

TEST_CASE("start-up, slow and long channels enter the time of a reduction as the model says",
          "[traffic]") {
  NetworkParams params = with_slow_channels(adding_routers(), GENERATE(1U, 3U));
  params.router.buffer_depth = 20;
  check_times_of_all(mesh({4, 2}), params, 5);
}

TEST_CASE("some contribute: the way of the farthest counts, and passing through is free",
          "[traffic]") {
  const Grid grid = mesh({5, 4});
  std::vector<std::unique_ptr<OneReduction>> runs;
  std::vector<RootedReduction> reductions;
  Random random(3);
  for (int turn = 0; turn < 60; ++turn) {
    RootedReduction reduction;
    for (const NodeId node : every_node(grid)) {
      if (random.below(4) == 0) reduction.contributors.push_back(node);
    }
    if (reduction.contributors.empty()) reduction.contributors.push_back(NodeId{7});
    if (turn == 0) reduction.contributors = {NodeId{19}};
    reduction.root = NodeId{static_cast<std::uint32_t>(random.below(20))};
    if (reduction.contributors.front() == reduction.root) continue;
    reductions.push_back(reduction);
    runs.push_back(std::make_unique<OneReduction>(grid, reduction, adding_routers(), 6));
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    runs[r]->run();
    const std::size_t depth = farthest(grid, reductions[r]);
    CHECK(runs[r]->cycles() == analytic_cycles(adding_routers(), 6, depth));
    CHECK(runs[r]->totals().receivers_combined == reductions[r].contributors.size() - 1);
  }
}

TEST_CASE("parts that come in any order, with gaps, by the smallest buffers, make the right sums",
          "[traffic]") {
  NetworkParams params = adding_routers();
  params.router.buffer_depth = GENERATE(1U, 2U, 5U);
  params.router.virtual_channels = 2;
  params.router.combine = GENERATE(0U, 2U);
  params.threads = GENERATE(1U, 3U);
  params.cycles_per_flit = GENERATE(1U, 2U);
  const Grid grid = mesh({3, 4});
  std::vector<RootedReduction> reductions{{NodeId{5}, every_node(grid), GENERATE(false, true)},
                                          {NodeId{8}, {NodeId{0}, NodeId{3}, NodeId{11}}}};
  const RouterForwarding forwarding = forwarding_of(grid, reductions, 2);
  TurnsOfReductions source(12, forwarding, 20, 6, 30);
  std::vector<Recorder> recorders(params.threads);
  std::vector<Probe*> probes;
  for (Recorder& recorder : recorders) probes.push_back(&recorder);
  Fabric fabric("fabric", grid, *forwarding.routing, source, params, probes);
  const auto inspected = fabric.inspection();
  const Inspection& inspection = *inspected;
  for (int slice = 0; slice < 200; ++slice) {
    fabric.run(30);
    REQUIRE(find_deadlock(inspection).empty());
  }
  fabric.audit();
  std::size_t delivered = 0;
  for (const Recorder& recorder : recorders) {
    for (const Delivery& delivery : recorder.deliveries) {
      ++delivered;
      REQUIRE(delivery.packet.payload == source.sums[delivery.packet.tag]);
    }
  }
  CHECK(delivered == 20 * (reductions[0].to_all ? 12 + 1 : 1 + 1));
}

TEST_CASE("a reduction uses the first virtual channel of its message class at every router",
          "[traffic]") {
  const Grid grid = mesh({3, 3});
  ReductionTrees trees(grid, 4, 2);
  for (const NodeId root : {NodeId{0}, NodeId{8}}) {
    const RootedReduction rooted{root, every_node(grid)};
    trees.add(rooted.tree(grid), rooted.reduction());
  }
  for (std::uint16_t reduction = 0; reduction < 2; ++reduction) {
    for (const NodeId node : every_node(grid)) {
      const Attachment& at = grid.attachment(node);
      RouteRequest request{at.injection.router, at.injection.port};
      request.route_field = reduction;
      Combination combination;
      trees.combination(request, combination);
      REQUIRE(combination.branches.size() == 1);
      CHECK(combination.branches.begin()->vcs == VcSet{1} << 2U * reduction);
    }
  }
}

TEST_CASE("reductions that share a virtual channel are refused, those apart are not", "[traffic]") {
  const Grid grid = mesh({3, 3});
  const std::vector<RootedReduction> two{{NodeId{0}, every_node(grid)},
                                         {NodeId{8}, every_node(grid)}};
  const RouterForwarding shared = forwarding_of(grid, two, 1);
  const DependencyCheck check = check_dependencies(grid, *shared.routing, 1);
  CHECK_FALSE(check.acyclic());
  CHECK(cyclic_dependency(check.cycle).find("injection into router") != std::string::npos);
  CHECK(check_dependencies(grid, *forwarding_of(grid, two, 2).routing, 2).acyclic());
  CHECK(check_dependencies(grid, *forwarding_of(grid, {two[0]}, 1).routing, 1).acyclic());
  // The two trees have no common input: 0 <- 1, and 7 -> 8.
  const std::vector<RootedReduction> apart{{NodeId{0}, {NodeId{1}}}, {NodeId{8}, {NodeId{7}}}};
  CHECK(check_dependencies(grid, *forwarding_of(grid, apart, 1).routing, 1).acyclic());
}

// Node 0 starts with the reduction to node 0, node 1 with the reduction to node 1.
TEST_CASE("two reductions in opposite orders stop each other, and the search sees it",
          "[traffic]") {
  const Grid grid = mesh(GENERATE(std::vector<std::size_t>{2}, std::vector<std::size_t>{3, 3}));
  const NodeId last{static_cast<std::uint32_t>(grid.node_count() - 1)};
  const std::size_t vcs = GENERATE(std::size_t{1}, std::size_t{2});
  const std::vector<RootedReduction> two{{NodeId{0}, every_node(grid)}, {last, every_node(grid)}};
  const RouterForwarding forwarding = forwarding_of(grid, two, vcs);
  ReductionPlayer source(forwarding.injections, {Operation::kReduce, grid.node_count(), NodeId{0}},
                         4, 1);
  NetworkParams params = adding_routers();
  params.router.virtual_channels = static_cast<unsigned>(vcs);
  Fabric fabric("fabric", grid, *forwarding.routing, source, params);
  fabric.run(500);
  fabric.audit();
  CHECK(source.finished() == (vcs == 2));
  CHECK(fabric.find_deadlock().empty() == (vcs == 2));
}

// Node 3 injects late.
TEST_CASE("a part that has not left its node is not waited for in a cycle", "[traffic]") {
  const Grid grid = mesh({4});
  const RouterForwarding forwarding = forwarding_of(grid, {{NodeId{1}, {NodeId{0}, NodeId{3}}}}, 1);
  ScriptSource source(4);
  PacketRequest request{NodeId{1}, 3};
  request.route_field = 0;
  source.add(Cycle{0}, NodeId{0}, request);
  source.add(Cycle{300}, NodeId{3}, request);
  Fabric fabric("fabric", grid, *forwarding.routing, source, adding_routers());
  for (int slice = 0; slice < 28; ++slice) {
    fabric.run(10);
    REQUIRE(fabric.find_deadlock().empty());
  }
  CHECK(fabric.totals().packets_delivered == 0);
  fabric.run(100);
  CHECK(fabric.totals().packets_delivered == 1);
  CHECK(fabric.totals().receivers_combined == 1);
}

TEST_CASE("networks that cannot combine refuse reductions", "[traffic]") {
  const Grid grid = mesh({2, 2});
  const RouterForwarding forwarding = forwarding_of(grid, {{NodeId{0}, every_node(grid)}}, 1);
  NetworkParams params = adding_routers();
  CHECK(FabricPlan::problems_of(grid, *forwarding.routing, params).empty());
  params.combine = nullptr;
  CHECK(FabricPlan::problems_of(grid, *forwarding.routing, params).size() == 1);
  params = adding_routers();
  params.cores = &packet_cores();
  CHECK(FabricPlan::problems_of(grid, *forwarding.routing, params) ==
        std::vector<std::string>{kNoCombinations});
  CHECK_THROWS_AS(forwarding_of(grid, {{NodeId{0}, {}}}, 1), std::invalid_argument);
  CHECK_THROWS_AS(forwarding_of(grid, {{NodeId{0}, {NodeId{1}, NodeId{1}}}}, 1),
                  std::invalid_argument);
  CHECK_THROWS_AS(forwarding_of(grid, {{NodeId{0}, {NodeId{4}}}}, 1), std::invalid_argument);
}
