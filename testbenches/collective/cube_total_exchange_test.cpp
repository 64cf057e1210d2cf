// SPDX-License-Identifier: Apache-2.0
#include "collective/cube_total_exchange.h"

#include "collective/precondition.h"
#include "collective/step_machine.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr Discipline kAllPortStoreAndForward{Switching::kStoreAndForward, kAllPorts};

Judgement judged(std::size_t n) {
  const Hypercube cube(n);
  const Plan plan = cube_total_exchange(cube);
  return judge(cube, plan.schedule, {Operation::kAllToAllScatter, cube.node_count(), {}, 1},
               kAllPortStoreAndForward, plan.claim);
}

}  // namespace

TEST_CASE("total exchange on hypercubes costs what the specification lists", "[collective]") {
  struct Row {
    std::size_t n, rounds, transmissions;
  };
  for (const Row& row : {Row{0, 0, 0}, Row{1, 1, 2}, Row{2, 2, 16}, Row{3, 4, 96}, Row{4, 8, 512},
                         Row{5, 16, 2560}}) {
    const Judgement judgement = judged(row.n);
    CAPTURE(row.n);
    CHECK(judgement.legal());
    CHECK(judgement.rounds == row.rounds);
    CHECK(judgement.transmissions == row.transmissions);
    CHECK(judgement.duplicates == 0);
  }
}

TEST_CASE("total exchange on hypercubes is legal and keeps its claim", "[collective]") {
  const std::size_t n = GENERATE(0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U);
  const Judgement judgement = judged(n);
  CAPTURE(n);
  for (const Violation& violation : judgement.violations) UNSCOPED_INFO(violation.text);
  CHECK(judgement.faults == 0);
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
  try {
    cube_total_exchange(Hypercube(13));
    FAIL("accepted");
  } catch (const PreconditionError& error) {
    CHECK(error.subject() == PreconditionError::Subject::kTopology);
    CHECK(error.remedy() == "use a hypercube of dimension 12 or less");
  }
}
