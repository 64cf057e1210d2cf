// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/refusal.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

Verification verified(std::size_t n, NodeId source) {
  const Hypercube cube(n);
  return verify_all_port(cube, cube_scatter(cube, source), Operation::kScatter, source);
}

}  // namespace

TEST_CASE("scatter on hypercubes costs what the specification lists", "[collective]") {
  struct Row {
    std::size_t n;
    std::uint32_t source;
    std::size_t rounds, transmissions;
  };
  for (const Row& row : {Row{0, 0, 0, 0}, Row{1, 0, 1, 1}, Row{2, 1, 2, 4}, Row{3, 2, 3, 12},
                         Row{4, 5, 4, 32}, Row{5, 10, 7, 80}}) {
    const Verification verification = verified(row.n, NodeId{row.source});
    CAPTURE(row.n);
    CHECK(verification.legal());
    CHECK(verification.rounds == row.rounds);
    CHECK(verification.transmissions == row.transmissions);
    CHECK(verification.duplicates == 0);
  }
}

TEST_CASE("scatter is legal and keeps its claim from every source of a hypercube", "[collective]") {
  for (std::size_t n = 0; n <= 6; ++n) {
    for (std::uint32_t source = 0; source < 1U << n; ++source) {
      CAPTURE(n, source);
      CHECK(verified(n, NodeId{source}).faults == 0);
    }
  }
}

TEST_CASE("scatter is legal and keeps its claim on larger hypercubes", "[collective]") {
  const std::size_t n = GENERATE(7U, 8U, 9U, 10U, 11U, 12U);
  const auto source = GENERATE(0U, 77U);
  const Verification verification = verified(n, NodeId{source});
  CAPTURE(n, source);
  CHECK(verification.faults == 0);
}

TEST_CASE("a packet of a scatter never waits", "[collective]") {
  const Hypercube cube(7);
  const Schedule schedule = cube_scatter(cube, NodeId{100}).schedule;
  std::vector<std::size_t> last_round(cube.node_count());
  std::size_t waits = 0;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    for (std::size_t i = schedule.begin(round); i < schedule.end(round); ++i) {
      const Message& send = schedule.message(i);
      std::size_t& last = last_round[index(send.chunk)];
      if (send.from != NodeId{100} && last + 1 != round) ++waits;
      last = round;
    }
  }
  CHECK(waits == 0);
}

TEST_CASE("a packet of a scatter leaves by its numbered port and goes on cyclically upwards",
          "[collective]") {
  // Address 1101 is entry 10 of the 4-cube's numbering, so its port is 10 mod 4.
  const Schedule schedule = cube_scatter(Hypercube(4), NodeId{0b0110}).schedule;
  std::vector<std::uint32_t> ports;
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    if (schedule.message(i).chunk == ChunkId{0b0110 ^ 0b1101}) {
      ports.push_back(index(schedule.path(i)[0]));
    }
  }
  CHECK(ports == std::vector<std::uint32_t>{2, 3, 0});
}

TEST_CASE("scatter from a node outside the hypercube is refused", "[collective]") {
  const PreconditionError error = refusal([] { cube_scatter(Hypercube(3), NodeId{8}); });
  CHECK(error.subject() == PreconditionError::Subject::kSource);
  CHECK(error.hint() == "use a source from 0 to 7");
}
