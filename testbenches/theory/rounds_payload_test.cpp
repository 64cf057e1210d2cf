// SPDX-License-Identifier: Apache-2.0
// Rounds bring the right data on every network, and wrong rounds do not.
#include <memory>

#include "router/invariant.h"
#include "routing/dimension_order.h"
#include "routing/e_cube.h"
#include "routing/multistage_routing.h"
#include "support/test_catch.h"
#include "theory/rounds_run.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

constexpr unsigned kVirtualChannels = 2;
constexpr auto kRounds = SchedulePlayer::Timing::kRounds;

struct Direct {
  std::unique_ptr<Topology> topology;
  std::unique_ptr<Routing> routing;
};

template <class SomeGrid>
Direct grid(SomeGrid&& make, const std::vector<std::size_t>& sizes) {
  auto topology = std::make_unique<Grid>(make(sizes));
  DimensionOrder::Params params;
  params.virtual_channels = kVirtualChannels;
  auto routing = std::make_unique<DimensionOrder>(*topology, params);
  return {std::move(topology), std::move(routing)};
}

Direct direct_network(int number) {
  if (number == 0) return grid(mesh, {4, 4});
  if (number == 1) return grid(torus, {4, 3});
  if (number == 2) {
    auto cube = std::make_unique<Hypercube>(4);
    auto routing =
        std::make_unique<ECube>(*cube, ECube::Order::kMostSignificantFirst, kVirtualChannels);
    return {std::move(cube), std::move(routing)};
  }
  auto clos = std::make_unique<Clos>(Clos({{4, 7}}, 3));
  auto routing = std::make_unique<MiddleSpread>(*clos, kVirtualChannels);
  return {std::move(clos), std::move(routing)};
}

NetworkParams wormhole() {
  NetworkParams params;
  params.router.virtual_channels = kVirtualChannels;
  params.full_hierarchy = false;
  return params;
}

}  // namespace

TEST_CASE("all nodes know the right data in the end, on every network", "[collective]") {
  const Direct network = direct_network(GENERATE(0, 1, 2, 3));
  const std::size_t nodes = network.topology->node_count();
  const std::vector<RoundCase> cases = round_cases(nodes, false, 5);
  const RoundCase one = cases[GENERATE_COPY(range(std::size_t{0}, cases.size()))];
  NetworkParams params = wormhole();
  params.threads = GENERATE(1U, 3U);
  INFO(one.name << " on " << network.topology->name());
  const RoundOutcome outcome = play_direct(*network.topology, *network.routing, one, 6, params);
  CHECK(outcome.finished);
  CHECK(outcome.wrong == 0);
}

TEST_CASE("a plan that leaves a node out ends with wrong data", "[collective]") {
  const auto& entry = operations()[GENERATE(range(std::size_t{0}, std::size_t{10}))];
  const RoundCase one = round_case(entry, 8, false);
  const Schedule whole = one.plan().schedule;
  Schedule part;  // The schedule without its last message.
  for (std::size_t round = 0; round < whole.rounds(); ++round) {
    part.begin_round();
    for (std::size_t m = whole.begin(round); m < whole.end(round) && m + 1 < whole.size(); ++m) {
      const Message& message = whole.message(m);
      part.add(message.from, message.to, message.chunk);
    }
  }
  const Hypercube cube(3);
  SchedulePlayer player(cube, part, one.demand, kRounds, 3, 1);
  const ECube routing(cube, ECube::Order::kMostSignificantFirst, kVirtualChannels);
  Fabric fabric("fabric", cube, routing, player, wormhole());
  INFO(entry.name);
  CHECK(run_rounds(fabric, player).wrong > 0);
}

TEST_CASE("a node that is to send what it does not hold stops the run", "[collective]") {
  Schedule schedule;
  schedule.begin_round();
  schedule.add(NodeId{1}, NodeId{2}, ChunkId{0});
  const Grid line = mesh({4});
  SchedulePlayer player(line, schedule, {Operation::kBroadcast, 4}, kRounds, 3, 1);
  std::vector<PacketRequest> packets;
  CHECK_THROWS_AS(player.create(NodeId{1}, Cycle{0}, packets), InvariantError);
}

TEST_CASE("packets that the round does not send there stop the run", "[collective]") {
  const RoundCase one{"", {Operation::kBroadcast, 4}, GENERATE(false, true)};
  const Schedule schedule = one.plan().schedule;
  const Grid line = mesh({4});
  DestinationGroups groups(4);
  SchedulePlayer player(line, schedule, one.demand, kRounds, 3, 1, &groups);
  Delivery delivery{};
  // The first unicast goes to node 2, and the multicast to all nodes but node 0; this node is not a
  // receiver.
  delivery.node = NodeId{one.multicast ? 0U : 1U};
  std::vector<WakeUp> wake_ups;
  CHECK_THROWS_AS(player.delivered(delivery, wake_ups), InvariantError);
}

TEST_CASE("a network without multicast gets no plan with multicasts", "[collective]") {
  const RoundCase one{"", {Operation::kBroadcast, 4}, true};
  const Schedule schedule = one.plan().schedule;
  CHECK_THROWS_AS(SchedulePlayer(mesh({4}), schedule, one.demand, kRounds, 3, 1),
                  std::invalid_argument);
}

TEST_CASE("self-timed sums are not sent to several nodes at once", "[collective]") {
  const RoundCase one{"", {Operation::kAllReduce, 4}, true};
  const Schedule schedule = one.plan().schedule;
  DestinationGroups groups(4);
  CHECK_THROWS_AS(SchedulePlayer(mesh({4}), schedule, one.demand,
                                 SchedulePlayer::Timing::kSelfTimed, 3, 1, &groups),
                  std::invalid_argument);
}

TEST_CASE("where there is no other node there is nothing to do", "[collective]") {
  const Grid alone = mesh({1});
  for (const bool multicast : {true, false}) {
    for (const RoundCase& one : round_cases(1, multicast)) {
      const Schedule schedule = one.plan().schedule;
      const SchedulePlayer player(alone, schedule, one.demand, kRounds, 3, 1);
      CHECK(player.finished());
      CHECK(player.wrong() == 0);
      CHECK(player.cycles() == 0);
    }
  }
}
