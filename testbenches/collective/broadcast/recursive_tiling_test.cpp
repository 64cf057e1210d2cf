// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/paths.h"
#include "collective/refusal.h"
#include "collective/routed_sends.h"
#include "routing/dimension_order.h"

using namespace flitcast;

namespace {

Verification tile(const Grid& grid, std::uint32_t source) {
  const NodeId node{source};
  return verify_broadcast(grid, node, recursive_tiling_broadcast(grid, node));
}

PreconditionError refusal_of(const Grid& grid) {
  return refusal([&grid] { return recursive_tiling_broadcast(grid, NodeId{0}); });
}

/// Returns the same messages, all on their XY paths.
Schedule by_xy(const Grid& grid, const Schedule& schedule) {
  Schedule result;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    result.begin_round();
    for (std::size_t number = schedule.begin(round); number < schedule.end(round); ++number) {
      const Message& send = schedule.message(number);
      result.add(send.from, send.to, send.chunk, dimension_order_path(grid, send.from, send.to));
    }
  }
  return result;
}

}  // namespace

TEST_CASE("recursive tiling takes the rounds and paths of the specification", "[collective]") {
  struct Row {
    Grid grid;
    std::uint32_t source;
    Numbers fresh;
    Numbers longest;
  };
  const Row rows[] = {
      {torus({1, 1}), 0, {}, {}},
      {torus({5, 5}), 0, {4, 20}, {3, 1}},
      {torus({25, 25}), 82, {4, 20, 100, 500}, {15, 5, 3, 1}},
      {torus({125, 125}), 7777, {4, 20, 100, 500, 2500, 12500}, {75, 25, 15, 5, 3, 1}},
  };
  for (const Row& row : rows) {
    const Verification verification = tile(row.grid, row.source);
    INFO(row.grid.name());
    CHECK(verification.rounds == row.fresh.size());
    CHECK(verification.transmissions == row.grid.node_count() - 1);
    CHECK(verification.duplicates == 0);
    CHECK(verification.new_per_round == row.fresh);
    CHECK(verification.longest_path_per_round == row.longest);
  }
}

TEST_CASE("recursive tiling is legal from every node", "[collective]") {
  for (std::uint32_t source = 0; source < 25; ++source) tile(torus({5, 5}), source);
  const Grid grid = torus({25, 25});
  for (std::uint32_t source = 0; source < grid.node_count(); source += 6) tile(grid, source);
}

TEST_CASE("routers take every message of recursive tiling as planned, by XY or by YX",
          "[collective]") {
  const Grid grid = torus({25, 25});
  DimensionOrder::Params params;
  const DimensionOrder xy(grid, params);
  params.descending = true;
  const DimensionOrder yx(grid, params);
  const Adjacency adjacency(grid);
  const Schedule schedule = recursive_tiling_broadcast(grid, NodeId{82}).schedule;
  for (std::size_t send = 0; send < schedule.size(); ++send) {
    CHECK((goes_as_routed(grid, adjacency, xy, schedule, send) ||
           goes_as_routed(grid, adjacency, yx, schedule, send)));
  }
}

TEST_CASE("two of four knights' messages need YX", "[collective]") {
  const Grid grid = torus({25, 25});
  const DimensionOrder xy(grid, {});
  const Schedule schedule = recursive_tiling_broadcast(grid, NodeId{0}).schedule;
  // The remaining messages are 2 in the first round and 2 from each of 25 nodes in the third.
  CHECK(sends_as_routed(grid, xy, schedule) == schedule.size() - 2 - 2 * 25);
}

TEST_CASE("with all messages by XY, recursive tiling shares channels", "[collective]") {
  const Grid grid = torus({25, 25});
  Demand demand;
  demand.nodes = grid.node_count();
  const Schedule schedule = by_xy(grid, recursive_tiling_broadcast(grid, NodeId{0}).schedule);
  const Verification verification =
      verify(grid, schedule, demand, {Switching::kWormhole, kAllPorts});
  REQUIRE_FALSE(verification.legal());
  CHECK(verification.violations.front().fault == Fault::kLinkShared);
}

TEST_CASE("recursive tiling refuses other grids, and names the nearest tori", "[collective]") {
  CHECK(refusal_of(torus({6, 6})).subject() == PreconditionError::Subject::kTopology);
  CHECK(refusal_of(torus({6, 6})).reason() ==
        "recursive tiling is defined on the tori 5^k x 5^k only, not on torus 6x6");
  CHECK(refusal_of(torus({6, 6})).hint() == "use torus 5x5 or torus 25x25");
  CHECK(refusal_of(torus({4, 4})).hint() == "use torus 5x5");
  CHECK(refusal_of(torus({5, 25})).hint() == "use torus 5x5 or torus 25x25");
  CHECK(refusal_of(mesh({25, 25})).hint() == "use torus 25x25");
  CHECK(refusal_of(Grid("grid", {{5, true}, {5, false}})).hint() == "use torus 5x5");
  CHECK(refusal_of(ring(5)).hint() == "use torus 5x5");
  CHECK(refusal_of(torus({5, 5, 5})).hint() == "use torus 5x5 or torus 25x25");
  CHECK(refusal_of(torus({26, 26})).hint() == "use torus 25x25 or torus 125x125");
}

TEST_CASE("recursive tiling refuses a source that the torus does not have", "[collective]") {
  const PreconditionError error = refusal([] {
    return recursive_tiling_broadcast(torus({5, 5}), NodeId{25});
  });
  CHECK(error.subject() == PreconditionError::Subject::kSource);
  CHECK(error.hint() == "use a source from 0 to 24");
}
