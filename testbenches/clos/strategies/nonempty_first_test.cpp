// SPDX-License-Identifier: Apache-2.0
#include "base/ids.h"
#include "clos/strategies/named.h"
#include "clos/strategies/problem.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

/// The problem with only the candidates whose destination sets are empty, or only the others.
SelectionProblem only(bool empty, SelectionProblem problem) {
  const BitSet candidates = problem.candidates;
  candidates.for_each([&](std::size_t j) {
    if (problem.busy.set_of(j).none() != empty) problem.candidates.reset(j);
  });
  return problem;
}

/// The required answer of S3 over `inner`: an empty middle switch carries everything or nothing.
std::string expected(Strategy& inner, const SelectionProblem& problem) {
  const SelectionProblem nonempty = only(false, problem);
  if (nonempty.feasible()) return answer(inner, nonempty);
  const std::size_t lowest = only(true, problem).candidates.first();
  if (lowest == problem.m()) return "blocked";
  return std::to_string(lowest) + ":" + to_hex(problem.wanted);
}

}  // namespace

TEST_CASE("S3 and its relatives do not touch an empty middle switch without need", "[clos]") {
  const SelectionProblem three_fit = problem(6, "3f", "f", {"6", "3d", "3a", "0"});
  CHECK(answer(Named("S1", 4, 6), three_fit) == "3:3f");
  CHECK(answer(Named("S3", 4, 6), three_fit) == "0:39 1:2 2:4");
  CHECK(answer(Named("S3m", 4, 6), three_fit) == "0:39 1:2 2:4");
  CHECK(answer(Named("S3r", 4, 6), three_fit) == "0:39 1:2 2:4");
}

TEST_CASE("S3 gives an empty middle switch everything, S3r only the rest", "[clos]") {
  const SelectionProblem two_fall_short =
      problem(5, "1f", "7f", {"b", "1b", "c", "e", "b", "19", "0"});
  CHECK(answer(Named("S3", 7, 5), two_fall_short) == "6:1f");
  CHECK(answer(Named("S3m", 7, 5), two_fall_short) == "6:1f");
  CHECK(answer(Named("S3r", 7, 5), two_fall_short) == "2:13 0:4 6:8");
}

TEST_CASE("S3m differs from S3 where S2 differs from S1", "[clos]") {
  const SelectionProblem greedy_trap =
      problem(6, "3f", "7f", {"19", "3f", "35", "11", "2c", "2e", "8"});
  CHECK(answer(Named("S3", 7, 6), greedy_trap) == "6:37 2:8");
  CHECK(answer(Named("S3m", 7, 6), greedy_trap) == "2:a 6:35");
}

TEST_CASE("S3 and S3m take an empty middle switch only if the others have no route", "[clos]") {
  Named s1("S1", 3, 3);
  Named s2("S2", 3, 3);
  Named over_s1("S3", 3, 3);
  Named over_s2("S3m", 3, 3);
  for_all_problems(3, 3, [&](const SelectionProblem& problem) {
    if (answer(over_s1, problem) != expected(s1, problem)) FAIL(expected(s1, problem));
    if (answer(over_s2, problem) != expected(s2, problem)) FAIL(expected(s2, problem));
  });
}

TEST_CASE("S3 counts the passes over the nonempty ones that were in vain", "[clos]") {
  const SelectionProblem two_fall_short =
      problem(5, "1f", "7f", {"b", "1b", "c", "e", "b", "19", "0"});
  Named s1("S1", 7, 5);
  Named strategy("S3", 7, 5);
  Selection selection(5);
  s1.select(only(false, two_fall_short).request(), selection);
  CHECK(selection.passes() == 3);  // Passes 2:13 and 0:4, then one without progress.
  strategy.select(two_fall_short.request(), selection);
  CHECK(selection.passes() == 4);  // One more pass finds the empty middle switch.
}

TEST_CASE("S3r gives an empty middle switch what no other candidate serves", "[clos]") {
  Named strategy("S3r", 3, 3);
  Selection selection(3);
  std::size_t seen = 0;
  for_all_problems(3, 3, [&](const SelectionProblem& problem) {
    strategy.select(problem.request(), selection);
    const SelectionProblem nonempty = only(false, problem);
    for (std::size_t leg = 0; leg < selection.size(); ++leg) {
      if (problem.busy.set_of(index(selection.middle(leg))).any()) continue;
      SelectionProblem rest = nonempty;
      nonempty.candidates.for_each([&](std::size_t j) { rest.wanted &= rest.busy.set_of(j); });
      if (selection.served_set(leg) != rest.wanted) FAIL(to_text(selection));
      ++seen;
    }
  });
  CHECK(seen > 0);
}
