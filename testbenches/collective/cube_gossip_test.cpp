// SPDX-License-Identifier: Apache-2.0
#include "collective/cube_gossip.h"

#include "collective/precondition.h"
#include "collective/step_machine.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr Discipline kAllPortStoreAndForward{Switching::kStoreAndForward, kAllPorts};

Judgement judged(std::size_t n) {
  const Hypercube cube(n);
  const Plan plan = cube_gossip(cube);
  return judge(cube, plan.schedule, {Operation::kGossip, cube.node_count(), {}, 1},
               kAllPortStoreAndForward, plan.claim);
}

}  // namespace

TEST_CASE("gossip on hypercubes costs what the specification lists", "[collective]") {
  struct Row {
    std::size_t n, rounds, transmissions;
  };
  for (const Row& row :
       {Row{0, 0, 0}, Row{1, 1, 2}, Row{2, 2, 12}, Row{3, 3, 56}, Row{4, 4, 240}, Row{5, 7, 992}}) {
    const Judgement judgement = judged(row.n);
    CAPTURE(row.n);
    CHECK(judgement.legal());
    CHECK(judgement.rounds == row.rounds);
    CHECK(judgement.transmissions == row.transmissions);
    CHECK(judgement.duplicates == 0);
  }
}

TEST_CASE("gossip on hypercubes is legal and keeps its claim", "[collective]") {
  const std::size_t n = GENERATE(0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U);
  const Judgement judgement = judged(n);
  CAPTURE(n);
  for (const Violation& violation : judgement.violations) UNSCOPED_INFO(violation.text);
  CHECK(judgement.faults == 0);
}

TEST_CASE("gossip on a hypercube too large for memory is refused with the largest that fits",
          "[collective]") {
  try {
    cube_gossip(Hypercube(15));
    FAIL("accepted");
  } catch (const PreconditionError& error) {
    CHECK(error.subject() == PreconditionError::Subject::kTopology);
    CHECK(error.remedy() == "use a hypercube of dimension 14 or less");
  }
}
