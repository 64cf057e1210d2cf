// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/gossip/trail_checks.h"
#include "collective/refusal.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Sizes = std::vector<std::size_t>;

Verification verified(const Sizes& sizes) {
  const Grid grid = torus(sizes);
  return verify_gossip(grid, zigzag_cycle_gossip(grid), 2);
}

void check_cycles(const Sizes& sizes, std::size_t length) {
  const Grid grid = torus(sizes);
  const std::vector<Trail> cycles = zigzag_cycles(grid);
  INFO(grid.name());
  REQUIRE(cycles.size() == 2);
  CHECK(are_edge_disjoint(grid, cycles));
  for (const Trail& cycle : cycles) {
    CHECK(is_closed(grid, cycle));
    CHECK(cycle.size() == length);
    const std::vector<std::size_t> passed = visits(grid, cycle);
    CHECK(*std::max_element(passed.begin(), passed.end()) == 1);
  }
}

std::string refusal(const Grid& grid) {
  const PreconditionError error = flitcast::refusal([&] { zigzag_cycle_gossip(grid); });
  CHECK(error.subject() == PreconditionError::Subject::kTopology);
  return error.what();
}

}  // namespace

// P101 to P103 of the specification.
TEST_CASE("two chunks a node go round zigzag cycles in P/2 rounds, as published", "[collective]") {
  CHECK(verified({4, 4}).rounds == 8);
  CHECK(verified({4, 5}).rounds == 10);
  CHECK(verified({6, 3}).rounds == 9);
  check_cycles({4, 4}, 16);
  check_cycles({4, 5}, 18);
  check_cycles({6, 3}, 15);
}

TEST_CASE("zigzag cycles serve every torus with an even size in P/2 rounds without duplicates",
          "[collective]") {
  for (std::size_t rows = 4; rows <= 10; rows += 2) {
    for (std::size_t columns = 3; columns <= 9; ++columns) {
      const Verification verification = verified({rows, columns});
      const std::size_t nodes = rows * columns;
      CHECK(verification.rounds == nodes / 2);
      CHECK(verification.transmissions == 2 * nodes * (nodes - 1));
      CHECK(verification.duplicates == 0);
    }
  }
}

TEST_CASE("zigzag cycles are Hamiltonian or leave out half of one column", "[collective]") {
  for (std::size_t rows = 4; rows <= 10; rows += 2) {
    for (std::size_t columns = 3; columns <= 9; ++columns) {
      check_cycles({rows, columns}, rows * columns - (columns % 2 == 0 ? 0 : rows / 2));
    }
  }
}

TEST_CASE("an odd number of rows takes the zigzag along the other dimension", "[collective]") {
  for (std::size_t rows = 3; rows <= 9; rows += 2) {
    for (std::size_t columns = 4; columns <= 10; columns += 2) {
      CHECK(verified({rows, columns}).rounds == rows * columns / 2);
      check_cycles({rows, columns}, rows * columns - columns / 2);
    }
  }
}

TEST_CASE("a node of the last column but one of five lies on one zigzag cycle only",
          "[collective]") {
  const Grid grid = torus({6, 5});
  const std::vector<Trail> cycles = zigzag_cycles(grid);
  for (std::size_t node = 0; node < grid.node_count(); ++node) {
    const std::size_t both = visits(grid, cycles[0])[node] + visits(grid, cycles[1])[node];
    CHECK(both == (grid.coordinate(NodeId(node), 1) == 3 ? 1 : 2));
  }
}

TEST_CASE("zigzag cycles refuse two odd sizes and name what works", "[collective]") {
  CHECK(refusal(torus({3, 3})) ==
        "gossip along zigzag cycles needs an even size, and torus 3x3 has none; "
        "use torus 4x3 or torus 3x4, or hamiltonian_cycles");
  CHECK(refusal(torus({5, 7})) ==
        "gossip along zigzag cycles needs an even size, and torus 5x7 has none; "
        "use torus 4x7, torus 6x7, torus 5x6 or torus 5x8, or hamiltonian_cycles");
}

TEST_CASE("zigzag cycles refuse what is not a torus of two dimensions from 3x3 up",
          "[collective]") {
  CHECK(refusal(mesh({4, 4})).find("use torus 4x4") != std::string::npos);
  CHECK(refusal(torus({2, 6})).find("use torus 3x6") != std::string::npos);
  CHECK(refusal(torus({6, 1})).find("use torus 6x3") != std::string::npos);
  CHECK(refusal(ring(8)).find("is defined on two dimensions") != std::string::npos);
  CHECK(refusal(mesh({4, 4, 4})).find("is defined on two dimensions") != std::string::npos);
  CHECK(refusal(torus({2, 3})).find("use torus 4x3 or torus 3x4") != std::string::npos);
  CHECK(refusal(mesh({5, 3})).find("use torus 4x3, torus 6x3 or torus 5x4") != std::string::npos);
}

TEST_CASE("zigzag cycles refuse a torus too large for memory", "[collective]") {
  CHECK(refusal(torus({108, 108})).find("use at most 11585 nodes") != std::string::npos);
}
