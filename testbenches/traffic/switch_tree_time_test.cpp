// SPDX-License-Identifier: Apache-2.0
// Operations along trees of switches: times to the cycle, sums, deadlock.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collective/catalog.h"
#include "network/check/deadlock_search.h"
#include "routing/analysis/deadlock.h"
#include "support/test_catch.h"
#include "topology/concentrated.h"
#include "topology/dragonfly.h"
#include "topology/fat_tree.h"
#include "topology/graph.h"
#include "topology/hierarchy.h"
#include "topology/regular_graph.h"
#include "traffic/forwarding_run.h"
#include "traffic/reduction_run.h"
#include "traffic/router_player.h"

using namespace flitcast;

namespace {

RouterForwarding forwarded(const CollectiveContext& context, std::size_t virtual_channels,
                           std::size_t at_once = 1) {
  const Section keys = Section::of("workload", {{"root", "centre"}, {"at_once", at_once}});
  return collectives().find("switch_tree")->forward(keys, context, virtual_channels);
}

/// One operation of all nodes, or of a group, whose source is rank 1.
class OneOperation {
  const CollectiveContext context_;
  RouterForwarding forwarding_;
  std::unique_ptr<CollectivePlayer> source_;
  Recorder recorder_;
  Fabric fabric_;

  static std::unique_ptr<CollectivePlayer> player(const CollectiveContext& context,
                                                  const RouterForwarding& forwarding,
                                                  std::uint32_t length) {
    const Demand demand{context.operation, context.rank_count(), context.source};
    if (demand.adds_up()) {
      return std::make_unique<ReductionPlayer>(forwarding.injections, demand, length, 5,
                                               context.placement);
    }
    return std::make_unique<ForwardingPlayer>(forwarding.injections, demand, length, 5,
                                              context.placement);
  }

 public:
  OneOperation(CollectiveContext context, const NetworkParams& params, std::uint32_t length)
      : context_(std::move(context)),
        forwarding_(forwarded(context_, params.router.virtual_channels)),
        source_(player(context_, forwarding_, length)),
        fabric_(sc_core::sc_gen_unique_name("fabric"), context_.topology, *forwarding_.routing,
                *source_, params, {&recorder_}) {}

  /// Runs to the end and some cycles beyond, and checks the data of all receivers.
  void run() {
    while (!source_->finished() && index(fabric_.now()) < 20000) fabric_.run(20);
    fabric_.run(20);
    REQUIRE(source_->finished());
    CHECK(source_->wrong() == (context_.operation == Operation::kReduce ? 0 : source_->wrong()));
    fabric_.audit();
  }
  std::uint64_t cycles() const { return source_->cycles(); }
  std::uint64_t wrong() const { return source_->wrong(); }
  std::size_t deliveries() const { return recorder_.deliveries.size(); }
  const RouterForwarding& forwarding() const { return forwarding_; }
};

CollectiveContext context_of(const Topology& topology, Operation operation,
                             std::vector<NodeId> group = {}) {
  CollectiveContext context{topology, NodeId{1}, 1, operation};
  context.ranks = group.size();
  if (!group.empty()) context.placement = Placement(std::move(group), topology.node_count());
  return context;
}

/// The time of the slowest path, in the cost model.
std::uint64_t slowest(const NetworkParams& params, std::uint32_t length,
                      const std::vector<RouterForwarding::Path>& paths) {
  std::uint64_t most = 0;
  for (const auto& [channels, combinations] : paths) {
    most = std::max(
        most, analytic_cycles(params, length, channels) + combinations * params.router.combine);
  }
  return most;
}

const std::vector<Operation> kOperations{Operation::kBroadcast, Operation::kReduce,
                                         Operation::kAllReduce, Operation::kBarrier};

}  // namespace

// A path crosses `up` channels between routers to the root and as many back; each router on the way
// up has several children.
TEST_CASE("on a star and on fat trees the time is that of the path through the root", "[traffic]") {
  const std::vector<std::pair<std::shared_ptr<const Topology>, std::size_t>> cases{
      {std::make_shared<Concentrated>(full_crossbar(6)), 0},
      {std::make_shared<FatTree>(folded_clos(3, 4, 2)), 1},
      {std::make_shared<FatTree>(k_ary_n_tree(2, 3)), 2}};
  const auto& [topology, up] = cases[GENERATE(range(std::size_t{0}, std::size_t{3}))];
  const std::uint32_t length = GENERATE(1U, 6U);
  NetworkParams params = adding_routers();
  params.router.combine = GENERATE(0U, 3U);
  params.router.whole_packet_credit = GENERATE(false, true);
  params.startup = 9;
  std::vector<std::unique_ptr<OneOperation>> runs;
  for (const Operation operation : kOperations) {
    runs.push_back(std::make_unique<OneOperation>(context_of(*topology, operation), params,
                                                  operation == Operation::kBarrier ? 1 : length));
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    INFO(topology->name() << " " << to_text(kOperations[r]));
    runs[r]->run();
    const bool combines = kOperations[r] != Operation::kBroadcast;
    const std::uint32_t flits = kOperations[r] == Operation::kBarrier ? 1 : length;
    CHECK(runs[r]->cycles() == analytic_cycles(params, flits, 2 * up) +
                                   (combines ? (up + 1) * params.router.combine : 0));
    CHECK(runs[r]->wrong() == 0);
    const std::size_t all = topology->node_count();
    CHECK(runs[r]->deliveries() == (kOperations[r] == Operation::kReduce      ? 1
                                    : kOperations[r] == Operation::kBroadcast ? all - 1
                                                                              : all));
  }
}

TEST_CASE("elsewhere it is the time of the slowest path of the tree, to the cycle", "[traffic]") {
  const auto die = std::make_shared<Grid>(mesh({2, 2}));
  const std::vector<std::shared_ptr<const Topology>> all{
      std::make_shared<Dragonfly>(Dragonfly::Params{2, 4, 1}),
      std::make_shared<Concentrated>(flattened_butterfly({3, 2}, {2, 1})),
      std::make_shared<Concentrated>(concentrated_mesh({3, 4}, {2, 1})),
      std::make_shared<RegularGraph>(jellyfish(12, 3, 1)),
      std::make_shared<Hierarchy>(die, std::make_shared<Grid>(mesh({3})),
                                  std::vector<std::size_t>{0}),
      // Router 0 has a deep branch of routers without nodes, and a shallow one with many nodes.
      std::make_shared<Graph>(
          "lopsided", 6,
          std::vector<GraphLink>{{RouterId{0}, RouterId{1}},
                                 {RouterId{1}, RouterId{0}},
                                 {RouterId{1}, RouterId{2}},
                                 {RouterId{2}, RouterId{1}},
                                 {RouterId{2}, RouterId{3}},
                                 {RouterId{3}, RouterId{2}},
                                 {RouterId{0}, RouterId{4}},
                                 {RouterId{4}, RouterId{0}},
                                 {RouterId{4}, RouterId{5}},
                                 {RouterId{5}, RouterId{4}}},
          std::vector<RouterId>{RouterId{3}, RouterId{5}, RouterId{5}, RouterId{4}, RouterId{4}})};
  const auto& topology = all[GENERATE(range(std::size_t{0}, std::size_t{6}))];
  NetworkParams params = adding_routers();
  params.router.combine = GENERATE(0U, 1U, 20U);
  std::vector<std::unique_ptr<OneOperation>> runs;
  for (const Operation operation : kOperations) {
    runs.push_back(std::make_unique<OneOperation>(context_of(*topology, operation), params, 5));
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    INFO(topology->name() << " " << to_text(kOperations[r]));
    runs[r]->run();
    const std::uint32_t flits = kOperations[r] == Operation::kBarrier ? 1 : 5;
    CHECK(runs[r]->cycles() == slowest(params, flits, runs[r]->forwarding().paths));
    CHECK(runs[r]->wrong() == 0);
  }
}

// With a combination of 20 cycles the shallow branch of "lopsided", with three combinations, is
// slower than the deep one, with one.
TEST_CASE("a short path with more combinations may be the slowest", "[traffic]") {
  const Graph graph("fork", 5,
                    {{RouterId{0}, RouterId{1}},
                     {RouterId{1}, RouterId{0}},
                     {RouterId{1}, RouterId{2}},
                     {RouterId{2}, RouterId{1}},
                     {RouterId{0}, RouterId{3}},
                     {RouterId{3}, RouterId{0}}},
                    {RouterId{2}, RouterId{3}, RouterId{3}});
  const Section keys = Section::of("workload", {{"root", 0}, {"at_once", 1}});
  const RouterForwarding forwarding =
      collectives()
          .find("switch_tree")
          ->forward(keys, {graph, NodeId{0}, 1, Operation::kAllReduce}, 1);
  // To router 2 and back are 2 + 2 channels and the combination of the root; to router 3 and on to
  // router 2 are 1 + 2 channels and two combinations.
  const std::vector<RouterForwarding::Path>& paths = forwarding.paths;
  CHECK(contains(paths, RouterForwarding::Path{4, 1}));
  CHECK(contains(paths, RouterForwarding::Path{3, 2}));
}

TEST_CASE("a group of nodes adds up and broadcasts, and the others get nothing", "[traffic]") {
  const FatTree tree = k_ary_n_tree(2, 3);
  const std::vector<NodeId> group{NodeId{6}, NodeId{1}, NodeId{4}};
  std::vector<std::unique_ptr<OneOperation>> runs;
  for (const Operation operation : kOperations) {
    runs.push_back(
        std::make_unique<OneOperation>(context_of(tree, operation, group), adding_routers(), 4));
  }
  const std::vector<std::size_t> deliveries{2, 1, 3, 3};
  for (std::size_t r = 0; r < runs.size(); ++r) {
    INFO(to_text(kOperations[r]));
    runs[r]->run();
    CHECK(runs[r]->wrong() == 0);
    CHECK(runs[r]->deliveries() == deliveries[r]);
  }
}

TEST_CASE("trees that share channels and one virtual channel are refused, those apart are not",
          "[traffic]") {
  const std::vector<std::shared_ptr<const Topology>> all{
      std::make_shared<Concentrated>(full_crossbar(3)),
      std::make_shared<FatTree>(folded_clos(2, 3, 2)),
      std::make_shared<Dragonfly>(Dragonfly::Params{1, 2, 1})};
  for (const auto& topology : all) {
    INFO(topology->name());
    const CollectiveContext context = context_of(*topology, Operation::kAllReduce);
    const auto acyclic = [&](std::size_t reductions, std::size_t vcs) {
      return check_dependencies(*topology, *forwarded(context, vcs, reductions).routing, vcs)
          .acyclic();
    };
    CHECK(acyclic(1, 1));
    CHECK_FALSE(acyclic(2, 1));
    CHECK(acyclic(2, 2));
    CHECK_FALSE(acyclic(2, 3));
    CHECK(acyclic(3, 3));
    CHECK(check_dependencies(*topology,
                             *forwarded(context_of(*topology, Operation::kBroadcast), 1).routing, 1)
              .acyclic());
  }
}

// Node 0 starts with reduction 0, node 1 with reduction 1.
TEST_CASE("two reductions on one virtual channel stop each other, and on two they end",
          "[traffic]") {
  const FatTree clos = folded_clos(2, 3, 2);
  const std::size_t vcs = GENERATE(std::size_t{1}, std::size_t{2});
  const RouterForwarding forwarding = forwarded(context_of(clos, Operation::kAllReduce), vcs, 2);
  ReductionPlayer source(forwarding.injections, {Operation::kAllReduce, 6, NodeId{0}}, 4, 1);
  NetworkParams params = adding_routers();
  params.router.virtual_channels = static_cast<unsigned>(vcs);
  Fabric fabric("fabric", clos, *forwarding.routing, source, params);
  fabric.run(500);
  fabric.audit();
  CHECK(source.finished() == (vcs == 2));
  CHECK(fabric.find_deadlock().empty() == (vcs == 2));
}

TEST_CASE("parts that come to switches in any order, by the smallest buffers, make the right sums",
          "[traffic]") {
  NetworkParams params = adding_routers();
  params.router.buffer_depth = GENERATE(1U, 3U);
  params.router.virtual_channels = 2;
  params.router.combine = GENERATE(0U, 2U);
  params.threads = GENERATE(1U, 2U);
  const FatTree tree = k_ary_n_tree(2, 3);
  const RouterForwarding forwarding = forwarded(context_of(tree, Operation::kAllReduce), 2, 2);
  TurnsOfReductions source(8, forwarding, 20, 6, 30);
  std::vector<Recorder> recorders(params.threads);
  std::vector<Probe*> probes;
  for (Recorder& recorder : recorders) probes.push_back(&recorder);
  Fabric fabric("fabric", tree, *forwarding.routing, source, params, probes);
  fabric.run(6000);
  fabric.audit();
  std::size_t delivered = 0;
  for (const Recorder& recorder : recorders) {
    for (const Delivery& delivery : recorder.deliveries) {
      ++delivered;
      REQUIRE(delivery.packet.payload == source.sums[delivery.packet.tag]);
    }
  }
  CHECK(delivered == 2 * 20 * 8);
}
