// SPDX-License-Identifier: Apache-2.0
#include "collective/pram.h"

#include <algorithm>
#include <stdexcept>

#include "support/test_catch.h"

using namespace flitcast;

namespace {

PramAccess write(std::size_t processor, std::size_t cell) {
  return {processor, std::nullopt, cell};
}

PramAccess copy(std::size_t processor, std::size_t from, std::size_t to) {
  return {processor, from, to};
}

}  // namespace

TEST_CASE("doubling fills all cells in one step more than log2 of the processors", "[collective]") {
  for (std::size_t p = 1; p < 70; ++p) {
    std::size_t doublings = 0;
    while ((std::size_t{1} << doublings) < p) ++doublings;
    for (std::size_t source = 0; source < p; ++source) {
      INFO(p << " processors, source " << source);
      const PramOutcome outcome = run_erew(pram_broadcast(p, source), p);
      CHECK(outcome.steps == 1 + doublings);
      CHECK(outcome.written == std::vector<bool>(p, true));
    }
  }
}

TEST_CASE("every processor acts once, the source first", "[collective]") {
  for (std::size_t p = 1; p < 70; ++p) {
    const PramProgram program = pram_broadcast(p, p / 2);
    REQUIRE(program.front().size() == 1);
    CHECK(program.front().front().processor == p / 2);
    std::vector<std::size_t> acting;
    for (const auto& step : program) {
      for (const PramAccess& access : step) acting.push_back(access.processor);
    }
    std::sort(acting.begin(), acting.end());
    CHECK(acting.size() == p);
    CHECK(std::unique(acting.begin(), acting.end()) == acting.end());
  }
}

TEST_CASE("no PRAM broadcast comes from a processor that there is none of", "[collective]") {
  CHECK_THROWS_AS(pram_broadcast(0, 0), std::invalid_argument);
  CHECK_THROWS_AS(pram_broadcast(4, 4), std::invalid_argument);
}

TEST_CASE("exclusive accesses run, and leave unwritten cells unwritten", "[collective]") {
  const PramOutcome outcome = run_erew({{write(0, 1)}, {copy(2, 1, 3), write(0, 1)}, {}}, 4);
  CHECK(outcome.steps == 3);
  CHECK(outcome.written == std::vector<bool>{false, true, false, true});
}

TEST_CASE("a program that is none for an EREW PRAM is refused", "[collective]") {
  const std::vector<PramAccess> start{write(0, 0), write(1, 1)};
  const auto refused = [&start](const std::vector<PramAccess>& step) {
    CHECK_THROWS_AS(run_erew({start, step}, 4), std::invalid_argument);
  };
  refused({copy(0, 0, 2), copy(1, 0, 3)});  // Two processors read cell 0.
  refused({copy(0, 0, 2), copy(1, 1, 2)});  // Two processors write cell 2.
  refused({copy(0, 0, 2), copy(0, 1, 3)});  // Processor 0 acts twice.
  refused({copy(0, 2, 3)});                 // Cell 2 was never written.
  refused({copy(0, 0, 2), copy(1, 2, 3)});  // Cell 2 is written in this same step.
  refused({copy(0, 4, 2)});                 // Cell 4 does not exist.
  refused({copy(0, 0, 4)});
}
