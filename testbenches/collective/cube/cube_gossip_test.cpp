// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/refusal.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

Verification verified_gossip(std::size_t n) {
  const Hypercube cube(n);
  return verify_gossip(cube, cube_gossip(cube), 1);
}

}  // namespace

TEST_CASE("gossip on hypercubes costs what the specification lists", "[collective]") {
  struct Row {
    std::size_t n, rounds, transmissions;
  };
  for (const Row& row :
       {Row{0, 0, 0}, Row{1, 1, 2}, Row{2, 2, 12}, Row{3, 3, 56}, Row{4, 4, 240}, Row{5, 7, 992}}) {
    const Verification verification = verified_gossip(row.n);
    CAPTURE(row.n);
    CHECK(verification.legal());
    CHECK(verification.rounds == row.rounds);
    CHECK(verification.transmissions == row.transmissions);
    CHECK(verification.duplicates == 0);
  }
}

TEST_CASE("gossip on hypercubes is legal and keeps its claim", "[collective]") {
  const std::size_t n = GENERATE(0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U);
  const Verification verification = verified_gossip(n);
  CAPTURE(n);
  CHECK(verification.faults == 0);
}

TEST_CASE("gossip on a hypercube too large for memory is refused with the largest that fits",
          "[collective]") {
  const PreconditionError error = refusal([] { cube_gossip(Hypercube(15)); });
  CHECK(error.subject() == PreconditionError::Subject::kTopology);
  CHECK(error.hint() == "use a hypercube of dimension 14 or less");
}
