// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/refusal.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

Verification verified_exchange(std::size_t n) {
  const Hypercube cube(n);
  return verify_all_port(cube, cube_total_exchange(cube), Operation::kAllToAllScatter);
}

}  // namespace

TEST_CASE("total exchange on hypercubes costs what the specification lists", "[collective]") {
  struct Row {
    std::size_t n, rounds, transmissions;
  };
  for (const Row& row : {Row{0, 0, 0}, Row{1, 1, 2}, Row{2, 2, 16}, Row{3, 4, 96}, Row{4, 8, 512},
                         Row{5, 16, 2560}}) {
    const Verification verification = verified_exchange(row.n);
    CAPTURE(row.n);
    CHECK(verification.legal());
    CHECK(verification.rounds == row.rounds);
    CHECK(verification.transmissions == row.transmissions);
    CHECK(verification.duplicates == 0);
  }
}

TEST_CASE("total exchange on hypercubes is legal and keeps its claim", "[collective]") {
  const std::size_t n = GENERATE(0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U);
  const Verification verification = verified_exchange(n);
  CAPTURE(n);
  CHECK(verification.faults == 0);
}

TEST_CASE("every channel of the hypercube is busy in every round of a total exchange",
          "[collective]") {
  const Schedule schedule = cube_total_exchange(Hypercube(6)).schedule;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    CHECK(schedule.end(round) - schedule.begin(round) == 6 * 64);
  }
}

TEST_CASE(
    "total exchange on a hypercube too large for memory is refused with the largest that fits",
    "[collective]") {
  const PreconditionError error = refusal([] { cube_total_exchange(Hypercube(13)); });
  CHECK(error.subject() == PreconditionError::Subject::kTopology);
  CHECK(error.hint() == "use a hypercube of dimension 12 or less");
}
