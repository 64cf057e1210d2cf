// SPDX-License-Identifier: Apache-2.0
// Algorithms between ranks on real networks: where no two messages of a round share a channel they
// take their analytic time to the cycle, and elsewhere they are not faster.
#include <algorithm>
#include <memory>

#include "collective/cost.h"
#include "collective/paths.h"
#include "collective/rank_cases.h"
#include "support/collective_network.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

/// A network of 64 nodes, and the node of each of up to 64 ranks.
struct PlacedNetwork {
  std::unique_ptr<Topology> topology;
  std::vector<NodeId> places;
};

/// Places ranks along the rows of a grid, every second row backwards.
std::vector<NodeId> turning_rows() {
  std::vector<NodeId> places;
  for (std::uint32_t place = 0; place < 64; ++place) {
    const std::uint32_t row = place / 8;
    const std::uint32_t column = row % 2 == 0 ? place % 8 : 7 - place % 8;
    places.push_back(NodeId{row * 8 + column});
  }
  return places;
}

PlacedNetwork placed_network(int number) {
  if (number == 1) return {std::make_unique<Grid>(mesh({8, 8})), turning_rows()};
  if (number == 2) return {std::make_unique<Grid>(torus({8, 8})), turning_rows()};
  PlacedNetwork cube{std::make_unique<Hypercube>(6), {}};
  for (std::uint32_t node = 0; node < 64; ++node) cube.places.push_back(NodeId{node});
  return cube;
}

constexpr CostModel kCost{40, 3, 1, 24};

}  // namespace

TEST_CASE("algorithms between ranks take their analytic time where they share no channel",
          "[collective]") {
  const PlacedNetwork network = placed_network(GENERATE(0, 1, 2));
  const std::size_t p = GENERATE(range(std::size_t{2}, std::size_t{65}));
  const std::vector<RankCase> cases = rank_cases();
  // Each number of ranks runs every sixteenth algorithm: all combinations together take minutes.
  const std::size_t first = p % 16;
  for (std::size_t number = first; number < cases.size(); number += 16) {
    const std::optional<Collective> made = cases[number].if_defined(p);
    if (!made) continue;
    const Placement placement(
        {network.places.begin(), network.places.begin() + static_cast<std::ptrdiff_t>(p)}, 64);
    const auto routing = routing_of_play(*network.topology, made->plan.schedule);
    const auto paths = paths_of(*network.topology, *routing, made->plan.schedule, placement);
    // Half way round a torus both directions are shortest, so the path is not certain.
    if (!paths) continue;
    const Switching switching = p % 2 == 0 ? Switching::kWormhole : Switching::kStoreAndForward;
    const Verification verification = verified(*made);
    const std::uint64_t analytic =
        analytic_cycles(kCost, switching, made->demand, made->plan.schedule, *paths, verification);
    INFO(cases[number].name() << " on " << p << " ranks of " << network.topology->name());
    testing::install_fresh_kernel();
    const NetworkOutcome outcome =
        play({*network.topology, made->plan.schedule, made->demand, switching, kCost,
              SchedulePlayer::Timing::kRounds, 1, placement});
    CHECK(outcome.wrong_chunks == 0);
    const bool shared = std::any_of(paths->load_per_round.begin(), paths->load_per_round.end(),
                                    [](std::size_t load) { return load > 1; });
    if (shared) {
      CHECK(outcome.cycles >= analytic);
    } else {
      CHECK(outcome.cycles == analytic);
    }
  }
}

TEST_CASE("self-timed ranks are in different rounds, and all data and sums are right",
          "[collective]") {
  const PlacedNetwork network = placed_network(GENERATE(0, 2));
  const std::size_t p = GENERATE(5, 8, 31, 64);
  const Placement placement(
      {network.places.begin(), network.places.begin() + static_cast<std::ptrdiff_t>(p)}, 64);
  const unsigned threads = p % 2 == 0 ? 2 : 1;
  std::size_t faster = 0;
  for (const RankCase& one : rank_cases()) {
    const std::optional<Collective> made = one.if_defined(p);
    if (!made || made->demand.operation == Operation::kMulticast) continue;
    const auto cycles = [&](SchedulePlayer::Timing timing) {
      testing::install_fresh_kernel();
      const NetworkOutcome outcome =
          play({*network.topology, made->plan.schedule, made->demand, Switching::kWormhole, kCost,
                timing, threads, placement});
      INFO(one.name() << " on " << p << " ranks of " << network.topology->name());
      CHECK(outcome.finished);
      CHECK(outcome.wrong_chunks == 0);
      return outcome.cycles;
    };
    const bool sums = made->demand.adds_up();
    faster += sums &&
              cycles(SchedulePlayer::Timing::kSelfTimed) < cycles(SchedulePlayer::Timing::kRounds);
  }
  CHECK(faster > 3);
}
