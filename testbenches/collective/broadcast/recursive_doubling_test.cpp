// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/cost.h"
#include "collective/refusal.h"
#include "collective/routed_sends.h"
#include "routing/dimension_order.h"

using namespace flitcast;

namespace {

/// The time of the recursive-doubling broadcast from any source in closed form,
///   sum over i of (ts + m tm) ceil(log2 z_i) + td (z_i - 1),
/// with or without rounds that wait for all nodes. A segment of k nodes leaves one of ceil(k/2)
/// nodes and costs floor(k/2) hops, hence z - 1 in all. The lecture's z/2^i hops in round i add up
/// to that for powers of two only.
std::uint64_t recursive_doubling_cycles(const CostModel& cost, const Grid& grid) {
  std::uint64_t cycles = 0;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    cycles += (cost.startup + cost.length * cost.flit) * ceil_log(2, grid.size(d)) +
              cost.hop * (grid.size(d) - 1);
  }
  return cycles;
}

Verification run(const Grid& grid, std::uint32_t source) {
  const NodeId node{source};
  return verify_broadcast(grid, node, recursive_doubling_broadcast(grid, node), 1);
}

void run_from_everywhere(const Grid& grid) {
  for (std::uint32_t source = 0; source < grid.node_count(); ++source) run(grid, source);
}

/// The time of the last arrival without rounds: a node sends as soon as its message has arrived.
std::uint64_t cycles_without_rounds(const CostModel& cost, const Grid& grid, NodeId source) {
  const Schedule schedule = recursive_doubling_broadcast(grid, source).schedule;
  std::vector<std::uint64_t> free_at(grid.node_count());
  for (std::size_t number = 0; number < schedule.size(); ++number) {
    const Message& send = schedule.message(number);
    const std::uint64_t done = free_at[index(send.from)] + cost.startup +
                               cost.hop * schedule.path(number).size() + cost.flit * cost.length;
    free_at[index(send.from)] = done;
    free_at[index(send.to)] = done;
  }
  return *std::max_element(free_at.begin(), free_at.end());
}

constexpr CostModel kCost{50, 3, 1, 64};

}  // namespace

TEST_CASE("recursive doubling takes the rounds and paths of the specification", "[collective]") {
  struct Row {
    Grid grid;
    std::uint32_t source;
    Numbers fresh;
    Numbers longest;
    std::uint64_t cycles;
  };
  const Row rows[] = {
      {mesh({8}), 0, {1, 2, 4}, {4, 2, 1}, 363},
      {mesh({7}), 3, {1, 2, 3}, {3, 2, 1}, 360},
      {mesh({4, 8}), 13, {1, 2, 4, 8, 16}, {2, 1, 4, 2, 1}, 600},
      {mesh({5, 5}), 12, {1, 2, 1, 5, 10, 5}, {2, 1, 1, 2, 1, 1}, 708},
      {torus({8}), 0, {1, 2, 4}, {4, 2, 1}, 363},
      {torus({6, 10}), 11, {1, 2, 2, 6, 12, 24, 12}, {3, 1, 1, 5, 2, 1, 1}, 840},
  };
  for (const Row& row : rows) {
    const Verification verification = run(row.grid, row.source);
    INFO(row.grid.name());
    CHECK(verification.rounds == row.fresh.size());
    CHECK(verification.transmissions == row.grid.node_count() - 1);
    CHECK(verification.duplicates == 0);
    CHECK(verification.new_per_round == row.fresh);
    CHECK(verification.longest_path_per_round == row.longest);
    CHECK(analytic_cycles(kCost, Switching::kWormhole, verification) == row.cycles);
  }
}

TEST_CASE("recursive doubling is legal from every node of any small grid", "[collective]") {
  for (std::size_t x = 1; x <= 5; ++x) {
    for (std::size_t y = 1; y <= 5; ++y) {
      for (const bool wraps_x : {false, true}) {
        for (const bool wraps_y : {false, true}) {
          run_from_everywhere(Grid("grid", {{x, wraps_x}, {y, wraps_y}}));
        }
      }
    }
  }
  run_from_everywhere(Grid("grid", {{2, true}, {3, false}, {4, true}}));
  run_from_everywhere(mesh({3, 2, 5}));
  run_from_everywhere(torus({2, 2, 2, 2}));
}

TEST_CASE("recursive doubling in a line is legal from every place", "[collective]") {
  for (std::size_t size = 1; size <= 40; ++size) run_from_everywhere(mesh({size}));
}

TEST_CASE("the longest paths of a line add up to its length from every place", "[collective]") {
  for (std::size_t size = 1; size < 40; ++size) {
    for (std::uint32_t source = 0; source < size; ++source) {
      CHECK(sum(run(mesh({size}), source).longest_path_per_round) == size - 1);
    }
  }
}

TEST_CASE("the longest paths of a ring add up to its size less one", "[collective]") {
  for (std::size_t size = 1; size < 260; ++size) {
    const auto source = static_cast<std::uint32_t>(size / 2);
    CHECK(sum(run(ring(size), source).longest_path_per_round) == size - 1);
  }
}

TEST_CASE("recursive doubling takes the time of the closed formula, in rounds or without",
          "[collective]") {
  for (const Grid& grid : {ring(1), ring(2), ring(13), mesh({11}), torus({5, 6}), mesh({5, 9}),
                           torus({3, 4, 7}), Grid("grid", {{6, true}, {7, false}})}) {
    INFO(grid.name());
    const std::uint64_t expected = recursive_doubling_cycles(kCost, grid);
    for (std::uint32_t source = 0; source < grid.node_count(); ++source) {
      CHECK(analytic_cycles(kCost, Switching::kWormhole, run(grid, source)) == expected);
      CHECK(cycles_without_rounds(kCost, grid, NodeId{source}) == expected);
    }
  }
}

TEST_CASE("in wrapped dimensions all messages of recursive doubling go upwards", "[collective]") {
  const Schedule schedule = recursive_doubling_broadcast(torus({7, 4, 2}), NodeId{33}).schedule;
  for (std::size_t number = 0; number < schedule.size(); ++number) {
    for (const PortId output : schedule.path(number)) CHECK(index(output) % 2 == 0);
  }
}

TEST_CASE("recursive doubling is optimal if the logarithms round up to that of the whole",
          "[collective]") {
  CHECK(run(mesh({4, 8}), 0).rounds == ceil_log(2, 32));
  CHECK(run(torus({6, 10}), 0).rounds == ceil_log(2, 60) + 1);
  CHECK(run(mesh({5, 5}), 0).rounds == ceil_log(2, 25) + 1);
}

TEST_CASE("routers by dimension order take every message of recursive doubling as planned",
          "[collective]") {
  DimensionOrder::Params params;
  params.tie_by_coin = false;  // Ties half way round go in the plus direction.
  for (const Grid& grid : {mesh({7, 5}), torus({6, 10}), torus({2, 3, 4}),
                           Grid("grid", {{4, true}, {5, false}, {2, true}})}) {
    for (const bool descending : {false, true}) {
      params.descending = descending;
      const DimensionOrder routing(grid, params);
      const Schedule schedule = recursive_doubling_broadcast(grid, NodeId{11}).schedule;
      CHECK(sends_as_routed(grid, routing, schedule) == schedule.size());
    }
  }
}

TEST_CASE("recursive doubling refuses a source that the grid does not have", "[collective]") {
  const PreconditionError error = refusal([] {
    return recursive_doubling_broadcast(mesh({3, 4}), NodeId{12});
  });
  CHECK(error.subject() == PreconditionError::Subject::kSource);
  CHECK(error.hint() == "use a source from 0 to 11");
}
