// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "base/ids.h"
#include "clos/strategies/linear_work.h"
#include "clos/strategies/named.h"
#include "clos/strategies/problem.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

struct Case {
  SelectionProblem problem;
  std::string answer;
  std::size_t passes;
};

std::vector<Case> worked_cases() {
  return {
      {problem(4, "f", "f", {"3", "5", "6", "9"}), "0:c 1:2 2:1", 3},
      {problem(4, "f", "d", {"3", "3", "c", "c"}), "0:c 2:3", 2},
      {problem(4, "d", "1f", {"f", "e", "7", "b", "d"}), "1:1 2:8 3:4", 3},
      {problem(8, "ff", "3e", {"0", "1f", "e3", "3c", "f1", "87"}), "3:c3 2:1c 1:20", 3},
      {problem(4, "6", "7", {"6", "7", "e"}), "blocked", 1},
      {problem(4, "6", "0", {"0", "0", "0"}), "blocked", 1},
  };
}

/// The algorithm in its simplest form: members one by one, without words or early exit.
std::string plain_answer(const SelectionProblem& problem) {
  BitSet rest = problem.wanted;
  std::string text;
  while (rest.any()) {
    std::size_t chosen = problem.m();
    std::size_t least = rest.count();
    problem.candidates.for_each([&](std::size_t j) {
      std::size_t residual = 0;
      rest.for_each([&](std::size_t k) { residual += problem.busy.test(j, k) ? 1 : 0; });
      if (residual < least) {
        chosen = j;
        least = residual;
      }
    });
    if (chosen == problem.m()) return "blocked";
    BitSet served = rest;
    served -= problem.busy.set_of(chosen);
    rest &= problem.busy.set_of(chosen);
    text += (text.empty() ? "" : " ") + std::to_string(chosen) + ":" + to_hex(served);
  }
  return text;
}

/// The candidates are all free and each output switch is in n - 1 of m destination sets, the most
/// that a request for all of them can meet.
SelectionProblem fullest_state(Random& random, std::size_t n, std::size_t m, std::size_t r) {
  SelectionProblem result{BitSet::full(r), BitSet::full(m), BitMatrix(m, r)};
  for (std::size_t k = 0; k < r; ++k) {
    BitSet untouched = BitSet::full(m);
    for (std::size_t copy = 1; copy < n; ++copy) {
      const std::size_t j = untouched.nth(random.below(untouched.count()));
      untouched.reset(j);
      result.busy.set(j, k);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("S1 picks the least residual of each pass, the smallest j of several", "[clos]") {
  for (const Case& example : worked_cases()) {
    Named control("S1", example.problem.m(), example.problem.r());
    Selection selection(example.problem.r());
    control.select(example.problem.request(), selection);
    CHECK(to_text(selection) == example.answer);
    CHECK(selection.passes() == example.passes);
  }
}

TEST_CASE("S1 routes the lecture's example by middle switches 0 1 2 3 0 1 2 3", "[clos]") {
  // v(5, 3, 4): input port and output switches, from 0, of connections I_1 .. I_12.
  const std::vector<std::pair<std::size_t, std::string>> requests{
      {0, "3"}, {1, "9"}, {4, "a"}, {5, "a"}, {7, "4"}, {8, "4"}, {10, "4"}, {11, "1"}};
  BitMatrix busy(5, 4);
  std::vector<BitSet> available(4, BitSet::full(5));
  Named control("S1", 5, 4);
  Selection selection(4);
  std::string middles;
  for (const auto& [port, wanted] : requests) {
    BitSet& links = available[port / 3];
    control.select({from_hex(wanted, 4), links, busy}, selection);
    REQUIRE(selection.size() == 1);
    const std::size_t j = index(selection.middle(0));
    BitSet set = busy.set_of(j);
    busy.assign(j, set |= selection.served_set(0));
    links.reset(j);
    middles += std::to_string(j);
  }
  CHECK(middles == "01230123");
  for (const auto& [j, set] : {std::pair{0, "7"}, {1, "d"}, {2, "e"}, {3, "b"}, {4, "0"}}) {
    CHECK(to_hex(busy.set_of(static_cast<std::size_t>(j))) == set);
  }
}

TEST_CASE("S1 is the plain algorithm on every problem of three and three", "[clos]") {
  Named control("S1", 3, 3);
  Selection selection(3);
  for_all_problems(3, 3, [&](const SelectionProblem& problem) {
    control.select(problem.request(), selection);
    if (to_text(selection) != plain_answer(problem)) FAIL(plain_answer(problem));
  });
}

TEST_CASE("S1 is the plain algorithm around the edges of words", "[clos]") {
  const std::size_t r = GENERATE(as<std::size_t>{}, 1, 5, 63, 64, 65, 127, 128, 129, 200);
  const std::size_t m = GENERATE(as<std::size_t>{}, 1, 2, 63, 64, 65, 130);
  Random random(r * 1000 + m);
  Named control("S1", m, r);
  for (const std::size_t busy_percent : {20U, 50U, 80U, 95U}) {
    const SelectionProblem problem = random_problem(random, m, r, busy_percent);
    INFO("m " << m << ", r " << r << ", busy " << busy_percent << " %");
    CHECK(answer(control, problem) == plain_answer(problem));
  }
}

TEST_CASE("a pass limit blocks exactly the requests that S1 needs more passes for", "[clos]") {
  const std::size_t limit = GENERATE(as<std::size_t>{}, 1, 2, 3, 4);
  Random random(limit);
  Named unlimited("S1", 40, 70);
  Named limited("S1", 40, 70, limit);
  Selection free(70);
  Selection bounded(70);
  std::size_t refused = 0;
  for (int i = 0; i < 300; ++i) {
    const SelectionProblem problem = random_problem(random, 40, 70, 50 + random.below(30));
    unlimited.select(problem.request(), free);
    limited.select(problem.request(), bounded);
    if (free.blocked()) continue;
    const bool too_long = free.size() > limit;
    refused += too_long ? 1 : 0;
    CHECK(bounded.blocked() == too_long);
    // The pass that finds the limit reached counts.
    CHECK(bounded.passes() == (too_long ? limit + 1 : free.passes()));
    if (!too_long) CHECK(to_text(bounded) == to_text(free));
  }
  CHECK(refused > 0);
}

TEST_CASE("the work of S1 is candidates times unserved output switches, pass by pass", "[clos]") {
  const SelectionProblem problem = worked_cases()[3].problem;
  Named control("S1", problem.m(), 8);
  Selection selection(8);
  control.select(problem.request(), selection);
  CHECK(linear_work(problem.request(), selection) == 5 * 8 + 5 * 4 + 5 * 1);  // 3:c3 2:1c 1:20
}

TEST_CASE("the work of S1 is at most c r' q / (q - 1)", "[clos]") {
  Random random(3);
  for (const std::size_t r : {4U, 16U, 64U, 200U}) {
    for (const std::size_t n : {2U, 3U, 8U, 16U}) {
      for (const std::size_t m : {n, 2 * n, 5 * n}) {  // q - 1 is as small as 1 / (n - 1).
        const SelectionProblem problem = fullest_state(random, n, m, r);
        Named control("S1", m, r);
        Selection selection(r);
        control.select(problem.request(), selection);
        REQUIRE(!selection.blocked());
        // q / (q - 1) = m / (m - n + 1) for q = m / (n - 1).
        CHECK(linear_work(problem.request(), selection) * (m - n + 1) <= m * r * m);
      }
    }
  }
}
