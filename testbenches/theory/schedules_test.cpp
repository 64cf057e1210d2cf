// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "collective/algorithms.h"
#include "collective/instances.h"
#include "router/invariant.h"
#include "support/collective_network.h"
#include "support/test_catch.h"
#include "topology/adjacency.h"
#include "topology/grid.h"
#include "topology/hypercube.h"
#include "traffic/collective_player.h"

using namespace flitcast;

namespace {

template <class Family>
std::unique_ptr<Topology> copy_if(const Topology& topology) {
  const auto* family = dynamic_cast<const Family*>(&topology);
  return family == nullptr ? nullptr : std::make_unique<Family>(*family);
}

/// Makes the instance's network with the node ports that its schedule needs.
std::unique_ptr<Topology> network_of(const Instance& instance) {
  std::unique_ptr<Topology> topology = copy_if<Grid>(*instance.topology);
  if (topology == nullptr) topology = copy_if<Hypercube>(*instance.topology);
  if (topology == nullptr) topology = copy_if<Complete>(*instance.topology);
  if (topology != nullptr && instance.discipline.ports == kAllPorts) {
    topology->widen_nodes(most_router_ports(*topology));
  }
  return topology;
}

const Instance& an_instance() {
  return collective_instances()[GENERATE(range(std::size_t{0}, collective_instances().size()))];
}

NetworkOutcome play(const Instance& instance, Switching switching, const CostModel& cost,
                    SchedulePlayer::Timing timing = SchedulePlayer::Timing::kRounds,
                    std::uint32_t threads = 1) {
  const std::unique_ptr<Topology> topology = network_of(instance);
  return flitcast::play(
      {*topology, instance.plan.schedule, instance.demand, switching, cost, timing, threads});
}

constexpr CostModel kCosts[] = {{50, 3, 1, 8}, {9, 2, 2, 3}, {4, 5, 1, 1}};

}  // namespace

TEST_CASE("every algorithm takes its analytic time on the network, to the cycle", "[collective]") {
  const Instance& instance = an_instance();
  const CostModel cost = kCosts[GENERATE(0, 1, 2)];
  INFO(instance.name());
  const NetworkOutcome outcome = play(instance, instance.discipline.switching, cost);
  CHECK(outcome.finished);
  CHECK(outcome.cycles ==
        analytic_cycles(cost, instance.discipline.switching, instance.verified()));
}

TEST_CASE("at the end every node holds the right bytes", "[collective]") {
  const Instance& instance = an_instance();
  INFO(instance.name());
  CHECK(play(instance, instance.discipline.switching, kCosts[0]).wrong_chunks == 0);
}

TEST_CASE("without barriers nothing takes longer, and all bytes arrive", "[collective]") {
  const Instance& instance = an_instance();
  INFO(instance.name());
  const Switching switching = instance.discipline.switching;
  const NetworkOutcome free =
      play(instance, switching, kCosts[0], SchedulePlayer::Timing::kSelfTimed, 2);
  CHECK(free.finished);
  CHECK(free.wrong_chunks == 0);
  CHECK(free.cycles <= analytic_cycles(kCosts[0], switching, instance.verified()));
}

TEST_CASE("where a mesh has borders on all sides, nodes still send through all ports at once",
          "[collective]") {
  Grid grid = mesh({8, 2});
  grid.widen_nodes(most_router_ports(grid));
  const Plan plan = flooding_broadcast(grid, NodeId{5});
  const Demand demand{Operation::kBroadcast, grid.node_count(), NodeId{5}};
  const Discipline discipline{Switching::kStoreAndForward, kAllPorts};
  const Verification verification = verify(grid, plan.schedule, demand, discipline, plan.claim);
  const Switching switching = GENERATE(Switching::kStoreAndForward, Switching::kWormhole);
  CHECK(flitcast::play({grid, plan.schedule, demand, switching, kCosts[0]}).cycles ==
        analytic_cycles(kCosts[0], switching, verification));
}

TEST_CASE("a schedule that lets a node send what it lacks stops the run", "[collective]") {
  const Grid line = mesh({3});
  Schedule schedule;
  schedule.begin_round();
  schedule.add(NodeId{1}, NodeId{2}, ChunkId{0}, Grid::plus(0));
  const Demand demand{Operation::kBroadcast, 3, NodeId{0}};
  CHECK_THROWS_AS(flitcast::play({line, schedule, demand, Switching::kWormhole, kCosts[0]}),
                  InvariantError);
}

TEST_CASE("a node that is left out is missed", "[collective]") {
  const Grid line = mesh({3});
  Schedule schedule;
  schedule.begin_round();
  schedule.add(NodeId{0}, NodeId{1}, ChunkId{0}, Grid::plus(0));
  const Demand demand{Operation::kBroadcast, 3, NodeId{0}};
  CHECK(flitcast::play({line, schedule, demand, Switching::kWormhole, kCosts[0]}).wrong_chunks ==
        1);
}
