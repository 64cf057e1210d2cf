// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "clos/strategies/named.h"
#include "clos/strategies/problem.h"
#include "clos/strategies/remainder.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

using Middles = std::vector<std::size_t>;

/// Serves in that order; returns "blocked" if some output switches remain.
std::string serve_by(const Middles& middles, const SelectionProblem& problem) {
  Selection selection(problem.r());
  Remainder rest(problem.r());
  rest.start(problem.wanted);
  for (const std::size_t j : middles) rest.serve(j, problem.busy.row(j), selection);
  if (!rest.empty()) selection.block();
  return to_text(selection);
}

/// Tries all sets of candidates by size, those of one size in lexicographic order.
std::string enumerate(const SelectionProblem& problem) {
  Middles candidates;
  problem.candidates.for_each([&](std::size_t j) { candidates.push_back(j); });
  for (std::size_t size = 1; size <= candidates.size(); ++size) {
    std::vector<bool> taken(candidates.size(), false);
    std::fill_n(taken.begin(), size, true);
    do {
      Middles middles;
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (taken[i]) middles.push_back(candidates[i]);
      }
      const std::string text = serve_by(middles, problem);
      if (text != "blocked") return text;
    } while (std::prev_permutation(taken.begin(), taken.end()));
  }
  return "blocked";
}

std::string answer(const SelectionProblem& problem, std::size_t limit = 0) {
  return clos::answer(Named("S2", problem.m(), problem.r(), limit), problem);
}

}  // namespace

TEST_CASE("S2 takes fewer middle switches than S1 where greed does not pay", "[clos]") {
  // S1 starts with 2, which leaves {0, 6, 7} to two more middle switches.
  const SelectionProblem greedy_trap =
      problem(8, "ff", "7f", {"53", "9e", "c1", "ac", "1b", "58", "6c"});
  CHECK(answer(greedy_trap) == "0:ac 3:53");
  CHECK(answer(problem(4, "f", "3f", {"e", "9", "7", "3", "7", "5"})) == "0:1 1:6 2:8");
  CHECK(answer(problem(4, "6", "7", {"6", "7", "e"})) == "blocked");
  CHECK(answer(problem(4, "6", "0", {"0", "0", "0"})) == "blocked");
}

TEST_CASE("S2 is the first smallest set for every problem of three and three", "[clos]") {
  Named strategy("S2", 3, 3);
  for_all_problems(3, 3, [&](const SelectionProblem& problem) {
    const std::string expected = enumerate(problem);
    if (clos::answer(strategy, problem) != expected) FAIL(expected);
  });
}

TEST_CASE("S2 is the first smallest set for larger random problems", "[clos]") {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const std::size_t m = 1 + random.below(9);
    const SelectionProblem problem =
        random_problem(random, m, 1 + random.below(80), 20 + 10 * (i % 6U));
    INFO("problem " << i);
    CHECK(answer(problem) == enumerate(problem));
  }
}

TEST_CASE("S2 finds three of 130 middle switches for 130 output switches", "[clos]") {
  // Only 5, 66 and 129 serve a third each; 2 serves a part of the first third.
  SelectionProblem problem{BitSet::full(130), BitSet::full(130), BitMatrix(130, 130)};
  for (std::size_t j = 0; j < 130; ++j) problem.busy.assign(j, BitSet::full(130));
  for (std::size_t k = 0; k < 130; ++k) {
    problem.busy.reset(k % 3 == 0 ? 129 : k % 3 == 1 ? 66 : 5, k);
  }
  problem.busy.reset(2, 2);
  Named strategy("S2", 130, 130);
  Selection selection(130);
  strategy.select(problem.request(), selection);
  REQUIRE(selection.size() == 3);
  CHECK(faults(problem, selection).empty());
  CHECK(selection.middle(0) == MiddleId{5});
  CHECK(selection.middle(2) == MiddleId{129});
  CHECK(answer(problem, 2) == "blocked");
}

TEST_CASE("S2 is blocked by a pass limit only below the minimum", "[clos]") {
  Random random(6);
  for (int i = 0; i < 200; ++i) {
    const SelectionProblem problem = random_problem(random, 12, 12, 70);
    Selection selection(12);
    Named("S2", 12, 12).select(problem.request(), selection);
    if (selection.blocked()) continue;
    CHECK(answer(problem, selection.size()) == to_text(selection));
    if (selection.size() > 1) CHECK(answer(problem, selection.size() - 1) == "blocked");
  }
}
