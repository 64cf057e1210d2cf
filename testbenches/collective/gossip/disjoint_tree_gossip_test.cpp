// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/refusal.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

Verification verified(std::size_t columns, std::size_t rows) {
  const Grid grid = torus({columns, rows});
  return verify_gossip(grid, disjoint_tree_gossip(grid), 1);
}

}  // namespace

TEST_CASE("gossip on disjoint trees costs what the specification lists", "[collective]") {
  struct Row {
    std::size_t columns, rows, rounds, transmissions;
  };
  for (const Row& row : {Row{3, 3, 2, 72}, Row{3, 4, 3, 132}, Row{4, 4, 4, 240}, Row{5, 7, 9, 1190},
                         Row{6, 6, 9, 1260}}) {
    const Verification verification = verified(row.columns, row.rows);
    CAPTURE(row.columns, row.rows);
    CHECK(verification.legal());
    CHECK(verification.rounds == row.rounds);
    CHECK(verification.transmissions == row.transmissions);
    CHECK(verification.duplicates == 0);
  }
}

TEST_CASE("gossip on disjoint trees is legal and keeps its claim", "[collective]") {
  for (std::size_t columns = 3; columns <= 9; ++columns) {
    for (std::size_t rows = 3; rows <= 9; ++rows) {
      CAPTURE(columns, rows);
      CHECK(verified(columns, rows).faults == 0);
    }
  }
}

TEST_CASE("gossip on disjoint trees is legal and keeps its claim on larger tori", "[collective]") {
  struct Sizes {
    std::size_t columns, rows;
  };
  const auto sizes =
      GENERATE(Sizes{3, 24}, Sizes{24, 4}, Sizes{15, 15}, Sizes{16, 16}, Sizes{24, 23});
  const Verification verification = verified(sizes.columns, sizes.rows);
  CAPTURE(sizes.columns, sizes.rows);
  CHECK(verification.faults == 0);
}

TEST_CASE("gossip on disjoint trees is refused elsewhere, with what would work", "[collective]") {
  struct Case {
    Grid grid;
    std::string hint;
  };
  for (const Case& refused :
       {Case{torus({2, 5}), "use torus 3x5"}, Case{mesh({4, 6}), "use torus 4x6"},
        Case{torus({9, 1}), "use torus 9x3"},
        Case{ring(9), "use two dimensions, such as torus 4x4"},
        Case{torus({3, 3, 3}), "use two dimensions, such as torus 4x4"},
        Case{torus({128, 129}), "use at most 16384 nodes"}}) {
    INFO(refused.grid.name());
    const PreconditionError error = refusal([&refused] { disjoint_tree_gossip(refused.grid); });
    CHECK(error.subject() == PreconditionError::Subject::kTopology);
    CHECK(error.hint() == refused.hint);
  }
}
