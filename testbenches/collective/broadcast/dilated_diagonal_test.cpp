// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/dilated_diagonal.h"

#include "collective/check_claim.h"
#include "collective/cost.h"
#include "collective/paths.h"
#include "collective/refusal.h"

using namespace flitcast;

namespace {

Verification verified(std::size_t columns, std::size_t rows, std::size_t source = 0) {
  const Grid grid = torus({columns, rows});
  const NodeId node{static_cast<std::uint32_t>(source)};
  const Verification verification =
      verify_broadcast(grid, node, dilated_diagonal_broadcast(grid, node));
  CHECK(verification.transmissions == grid.node_count() - 1);
  CHECK(verification.duplicates == 0);
  return verification;
}

/// True if routers take that path if they route dimension 0 first and read the tie bits half way
/// round.
bool is_xy_with_tie_bits(const Grid& grid, const Schedule& schedule, std::size_t number) {
  const Message& send = schedule.message(number);
  const Path path = schedule.path(number);
  for (std::uint8_t ties = 0; ties < 4; ++ties) {
    const std::vector<PortId> routed = dimension_order_path(grid, send.from, send.to, false, ties);
    if (routed == std::vector<PortId>(path.begin(), path.end())) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("the dilated diagonal takes the rounds of the specification", "[collective]") {
  struct Row {
    std::size_t columns, rows, source;
    Numbers fresh, longest;
  };
  const Row rows[] = {
      {5, 5, 0, {4, 4, 16}, {3, 1, 2}},
      {8, 8, 35, {4, 3, 7, 27, 22}, {5, 1, 3, 4, 1}},
      {16, 16, 0, {4, 11, 15, 60, 165}, {8, 3, 7, 7, 2}},
      {25, 25, 51, {4, 20, 24, 94, 482}, {11, 3, 10, 10, 2}},
      {6, 10, 0, {4, 1, 5, 21, 4, 24}, {6, 1, 2, 4, 2, 1}},
      {12, 4, 17, {3, 7, 4, 33}, {3, 5, 4, 2}},  // One row starts with one message, not two.
      {2, 7, 0, {4, 1, 3, 3, 2}, {4, 1, 1, 1, 1}},
      {9, 1, 0, {2, 6}, {3, 1}},
  };  // The specification requires the total rounds only, not the rounds of each phase.
  for (const Row& row : rows) {
    INFO(row.columns << " x " << row.rows);
    const Verification verification = verified(row.columns, row.rows, row.source);
    CHECK(verification.rounds == row.fresh.size());
    CHECK(verification.new_per_round == row.fresh);
    CHECK(verification.longest_path_per_round == row.longest);
  }
}

TEST_CASE("the dilated diagonal is legal on every small torus, as fast as promised",
          "[collective]") {
  for (std::size_t columns = 1; columns <= 24; ++columns) {
    for (std::size_t rows = 1; rows <= 24; ++rows) {
      INFO(columns << " x " << rows);
      const std::size_t most_excess = columns == rows ? 2 : columns < rows ? 3 : 4;
      const std::size_t rounds = verified(columns, rows).rounds;
      CHECK(rounds <= ceil_log(5, columns * rows) + most_excess);
    }
  }
}

TEST_CASE("the dilated diagonal is legal on large and slender tori", "[collective]") {
  verified(64, 63);
  verified(63, 64);
  verified(101, 7);
  verified(7, 101);
  verified(300, 2);
  verified(2, 300);
  CHECK(verified(243, 1).rounds == 5);    // 3^5 nodes on a ring,
  CHECK(verified(1, 244).rounds == 6);    // and one more.
  CHECK(verified(125, 125).rounds == 7);  // 2 log5 n + 1.
}

TEST_CASE("the dilated diagonal costs the same from every source", "[collective]") {
  const std::vector<std::vector<std::size_t>> tori = {{1, 1}, {2, 2}, {1, 5}, {2, 3},
                                                      {3, 2}, {7, 6}, {4, 9}, {9, 4}};
  for (const std::vector<std::size_t>& sizes : tori) {
    const Verification first = verified(sizes[0], sizes[1]);
    for (std::size_t source = 1; source < sizes[0] * sizes[1]; ++source) {
      const Verification other = verified(sizes[0], sizes[1], source);
      CHECK(other.new_per_round == first.new_per_round);
      CHECK(other.longest_path_per_round == first.longest_path_per_round);
    }
  }
}

TEST_CASE("messages on the dilated diagonal go as XY routers send them", "[collective]") {
  const std::vector<std::vector<std::size_t>> tori = {{2, 2},  {2, 6},   {7, 6},  {8, 8},
                                                      {6, 10}, {13, 20}, {20, 6}, {1, 8}};
  for (const std::vector<std::size_t>& sizes : tori) {
    const Grid grid = torus(sizes);
    const Schedule schedule = dilated_diagonal_broadcast(grid, NodeId{1}).schedule;
    std::size_t routed = 0;
    for (std::size_t i = 0; i < schedule.size(); ++i) {
      if (is_xy_with_tie_bits(grid, schedule, i)) ++routed;
    }
    INFO(grid.name());
    CHECK(routed == grid.node_count() - 1);
  }
}

TEST_CASE("the dilated diagonal refuses all but 2-D tori", "[collective]") {
  struct Case {
    Grid grid;
    std::string hint;
  };
  for (const Case& refused : {Case{ring(5), "use two dimensions, such as torus 4x4"},
                              Case{torus({4, 4, 4}), "use two dimensions, such as torus 4x4"},
                              Case{mesh({4, 6}), "use torus 4x6"},
                              Case{Grid("grid", {{4, true}, {5, false}}), "use torus 4x5"}}) {
    const PreconditionError error =
        refusal([&refused] { return dilated_diagonal_broadcast(refused.grid, NodeId{0}); });
    CHECK(error.subject() == PreconditionError::Subject::kTopology);
    CHECK(error.reason().find(refused.grid.name()) != std::string::npos);
    CHECK(error.hint() == refused.hint);
  }
}

TEST_CASE("the dilated diagonal refuses a source that the torus does not have", "[collective]") {
  const Grid grid = torus({3, 4});
  const PreconditionError error =
      refusal([&grid] { return dilated_diagonal_broadcast(grid, NodeId{12}); });
  CHECK(error.subject() == PreconditionError::Subject::kSource);
  CHECK(error.hint() == "use a source from 0 to 11");
}
