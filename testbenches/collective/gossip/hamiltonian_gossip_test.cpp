// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/refusal.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

Verification verified(const std::vector<std::size_t>& sizes) {
  const Grid grid = torus(sizes);
  return verify_gossip(grid, hamiltonian_gossip(grid), sizes.size());
}

}  // namespace

TEST_CASE("gossip on Hamiltonian cycles costs what the specification lists", "[collective]") {
  struct Row {
    std::vector<std::size_t> sizes;
    std::size_t rounds, transmissions;
  };
  for (const Row& row :
       {Row{{3, 3}, 4, 144}, Row{{4, 3}, 6, 264}, Row{{4, 5}, 10, 760}, Row{{5, 5}, 12, 1200}}) {
    const Verification verification = verified(row.sizes);
    CAPTURE(row.sizes);
    CHECK(verification.legal());
    CHECK(verification.rounds == row.rounds);
    CHECK(verification.transmissions == row.transmissions);
    CHECK(verification.duplicates == 0);
  }
}

TEST_CASE("gossip on Hamiltonian cycles is legal and keeps its claim in two dimensions",
          "[collective]") {
  for (std::size_t columns = 3; columns <= 9; ++columns) {
    for (std::size_t rows = 3; rows <= 9; ++rows) {
      CAPTURE(columns, rows);
      CHECK(verified({columns, rows}).faults == 0);
    }
  }
}

TEST_CASE("gossip on Hamiltonian cycles is legal and keeps its claim in other dimensions",
          "[collective]") {
  const auto sizes = GENERATE(Sizes{3}, Sizes{4}, Sizes{9}, Sizes{3, 3, 3}, Sizes{3, 3, 4},
                              Sizes{5, 4, 3}, Sizes{4, 4, 4}, Sizes{3, 3, 3, 3}, Sizes{24, 17});
  const Verification verification = verified(sizes);
  CAPTURE(sizes);
  CHECK(verification.faults == 0);
}

TEST_CASE("gossip on a torus too large for memory is refused with the largest that fits",
          "[collective]") {
  const PreconditionError error = refusal([] { hamiltonian_gossip(torus({108, 108})); });
  CHECK(error.subject() == PreconditionError::Subject::kTopology);
  CHECK(error.hint() == "use at most 11585 nodes");  // 2 * 11585 * 11584 < 2^28.
}

TEST_CASE("gossip on Hamiltonian cycles is refused on a mesh", "[collective]") {
  CHECK_THROWS_AS(hamiltonian_gossip(mesh({4, 4})), PreconditionError);
}
