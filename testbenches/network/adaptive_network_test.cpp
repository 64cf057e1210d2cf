// SPDX-License-Identifier: Apache-2.0
// Networks whose routers choose among several candidate outputs.
#include <map>
#include <set>

#include "network/fabric_run.h"
#include "network/pins/structural_network.h"
#include "routing/dimension_order.h"
#include "routing/message_classes.h"
#include "routing/minimal_adaptive.h"
#include "routing/o1turn.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

/// Wraps a deterministic routing as an adaptive one with a single candidate.
class OneWay : public AdaptiveRouting {
 public:
  explicit OneWay(std::unique_ptr<const Routing> routing, bool at_once)
      : AdaptiveRouting(OutputSelection::kFreeCredits),
        routing_(std::move(routing)),
        at_once_(at_once) {}

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override {
    routing_->alternatives(request, alternatives);
    if (at_once_) alternatives.decide_at_once();
  }
  VcSet injection_vcs(NodeId source, NodeId destination) const override {
    return routing_->injection_vcs(source, destination);
  }
  std::size_t tie_dimensions() const override { return routing_->tie_dimensions(); }

 private:
  const std::unique_ptr<const Routing> routing_;
  const bool at_once_;
};

/// One setting per number: the numbers vary networks, VCs, depths, flow controls, pipelines and
/// slow channels.
NetworkParams params_of(unsigned number, unsigned virtual_channels) {
  NetworkParams params;
  params.router.virtual_channels = virtual_channels;
  params.router.buffer_depth = 7 + number % 3;
  params.router.whole_packet_credit = number % 3 == 1;
  params.router.pipeline = {number % 3, (number + 1) % 3, 1 + number % 2, number % 2};
  params.link_latency = 1 + number % 3;
  params.cycles_per_flit = number % 5 == 4 ? 2 : 1;
  params.full_hierarchy = false;
  return params;
}

RoutedNetwork adaptive_network(const std::vector<std::size_t>& sizes, bool wraps,
                               const MinimalAdaptive::Params& params) {
  auto grid = std::make_unique<Grid>(wraps ? torus(sizes) : mesh(sizes));
  auto routing = std::make_unique<MinimalAdaptive>(*grid, params);
  return {std::move(grid), std::move(routing)};
}

MinimalAdaptive::Params with(OutputSelection selection, std::size_t virtual_channels) {
  MinimalAdaptive::Params params;
  params.selection = selection;
  params.virtual_channels = virtual_channels;
  return params;
}

OutputSelection selection_by(unsigned number) {
  return std::vector<OutputSelection>{OutputSelection::kFreeCredits, OutputSelection::kRandom,
                                      OutputSelection::kRoundRobin}[number % 3];
}

constexpr FiniteTraffic::Params kOverload{150, 7, 1};

}  // namespace

TEST_CASE("routers that have one way to choose do as those that have no choice", "[network]") {
  const unsigned number = GENERATE(range(0U, 12U));
  const auto makers = small_networks();
  const unsigned virtual_channels = 2 + number % 3;
  const auto& make = makers[number % makers.size()];
  const RoutedNetwork plain = make(virtual_channels);
  RoutedNetwork wrapped = make(virtual_channels);
  wrapped.routing = std::make_unique<OneWay>(std::move(wrapped.routing), number % 2 == 1);
  const NetworkParams params = params_of(number, virtual_channels);
  FabricRun reference("reference", plain, params, {30, 6, 3});
  FabricRun run("run", wrapped, params, {30, 6, 3});
  reference.drain();
  run.drain();
  REQUIRE(reference.drained());
  const auto& flits = run.fabric->totals().flits_ejected;
  CHECK(flits == reference.fabric->totals().flits_ejected);
  CHECK(run.drained());
  // Routings without ties draw no random bits for them, so checksums are compared only where there
  // are no ties.
  if (plain.routing->tie_dimensions() == 0) CHECK(run.checksum() == reference.checksum());
  run.fabric->audit();
}

TEST_CASE("adaptive routers deliver everything at overload, by any selection", "[network]") {
  const unsigned number = GENERATE(range(0U, 12U));
  const bool wraps = number % 2 == 1;
  const unsigned virtual_channels = 3 + number % 2;
  const RoutedNetwork network =
      adaptive_network({5, 4}, wraps, with(selection_by(number), virtual_channels));
  FabricRun run("run", network, params_of(number, virtual_channels), kOverload);
  run.drain(200000);
  CHECK(run.drained());
  CHECK(run.fabric->find_deadlock().empty());
  run.fabric->audit();
}

TEST_CASE("results of adaptive routers depend neither on threads nor on sleep nor on order",
          "[network]") {
  const OutputSelection selection = selection_by(GENERATE(range(0U, 3U)));
  const RoutedNetwork network = adaptive_network({4, 4}, true, with(selection, 4));
  NetworkParams params = params_of(0, 4);
  FabricRun reference("reference", network, params, kOverload);
  params.sleep = false;
  FabricRun awake("awake", network, params, kOverload);
  params.shuffle_seed = 5;
  FabricRun shuffled("shuffled", network, params, kOverload);
  params.threads = 3;
  FabricRun threads("threads", network, params, kOverload);
  for (FabricRun* run : {&reference, &awake, &shuffled, &threads}) run->drain(200000);
  CHECK(reference.drained());
  CHECK(awake.checksum() == reference.checksum());
  CHECK(shuffled.checksum() == reference.checksum());
  CHECK(threads.checksum() == reference.checksum());
}

TEST_CASE("selections differ in their results", "[network]") {
  std::set<std::uint64_t> checksums;
  for (const unsigned number : {0U, 1U, 2U}) {
    testing::install_fresh_kernel();
    const RoutedNetwork network = adaptive_network({4, 4}, false, with(selection_by(number), 4));
    FabricRun run("run", network, params_of(0, 4), kOverload);
    run.drain();
    CHECK(run.drained());
    checksums.insert(run.checksum());
  }
  CHECK(checksums.size() == 3);
}

TEST_CASE("adaptive routers with pins deliver like those without", "[network]") {
  const unsigned number = GENERATE(range(0U, 6U));
  const RoutedNetwork network = adaptive_network({4, 3}, true, with(selection_by(number), 4));
  const NetworkParams params = params_of(number, 4);
  FabricRun reference("reference", network, params, {30, 6, 2});
  FiniteTraffic source(network.topology->node_count(), {30, 6, 2});
  CheckingProbe probe;
  pins::StructuralNetwork pins(
      "pins", {*network.topology, params, source, network.routing.get(), nullptr, {&probe}});
  while (!reference.drained()) {
    REQUIRE(index(reference.fabric->now()) < 50000);
    reference.fabric->run(50);
    REQUIRE_NOTHROW(pins.audit());
  }
  reference.fabric->run(50);
  CHECK(probe.checksum.value() == reference.checksum());
}

TEST_CASE("without escape channels full rings of adaptive packets are found to be a deadlock",
          "[network]") {
  MinimalAdaptive::Params params = with(OutputSelection::kFreeCredits, 1);
  params.escape = false;
  const RoutedNetwork network = adaptive_network({4, 4}, false, params);
  NetworkParams router = params_of(0, 1);
  router.router.whole_packet_credit = GENERATE(false, true);
  FabricRun run("run", network, router, {300, 7, 1});
  run.drain(20000);
  REQUIRE_FALSE(run.drained());
  CHECK_FALSE(run.fabric->find_deadlock().empty());
}

TEST_CASE("classes of messages adapt each on virtual channels of its own", "[network]") {
  auto grid = std::make_unique<Grid>(mesh({4, 4}));
  auto one = std::make_unique<MinimalAdaptive>(*grid, with(OutputSelection::kFreeCredits, 2));
  auto routing = std::make_unique<MessageClasses>(std::move(one), 2, 4);
  CHECK(routing->adaptive());
  const RoutedNetwork network{std::move(grid), std::move(routing)};
  FabricRun run("run", network, params_of(0, 4), {50, 7, 1});
  run.drain();
  CHECK(run.drained());
}

// All packets of node 0 go to node 15; two minimal paths lead there, which differ only in
// congestion.
TEST_CASE("routers that decide by the load at the source use both orders of a full way",
          "[network]") {
  auto grid = std::make_unique<Grid>(mesh({4, 4}));
  auto routing = std::make_unique<AdaptiveXyYx>(*grid, 2);
  const RoutedNetwork network{std::move(grid), std::move(routing)};
  auto source = std::make_unique<ScriptSource>(16);
  for (unsigned packet = 0; packet < 40; ++packet) {
    source->add(Cycle{packet + 1}, NodeId{0}, {NodeId{15}, 5});
  }
  NetworkParams params = params_of(0, 2);
  params.cycles_per_flit = 4;  // Slower than the node, so that flits queue behind its router.
  FabricRun run("run", network, params, std::move(source), 40);
  run.drain();
  REQUIRE(run.drained());
  const auto x = run.fabric->flits_from({RouterId{0}, Grid::plus(0)});
  const auto y = run.fabric->flits_from({RouterId{0}, Grid::plus(1)});
  CHECK(x + y == 200);
  CHECK(x >= 80);
  CHECK(y >= 80);
  // A packet that goes along x first turns into y in its last column only.
  CHECK(run.fabric->flits_from({RouterId{3}, Grid::plus(1)}) == x);
}

TEST_CASE("routers that keep packets refuse to choose among ways", "[network]") {
  const RoutedNetwork network =
      adaptive_network({3, 3}, false, with(OutputSelection::kFreeCredits, 2));
  NetworkParams params;
  params.router.virtual_channels = 2;
  params.cores = &packet_cores();
  CHECK_THROWS_WITH(FabricRun("run", network, params, kOverload),
                    Catch::Contains("cannot choose among the outputs"));
}
