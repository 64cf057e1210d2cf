// SPDX-License-Identifier: Apache-2.0
#include "clos/catalog.h"
#include "clos/strategies/problem.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

std::unique_ptr<Strategy> make(const std::string& name, const SelectionProblem& problem,
                               std::size_t pass_limit = 0) {
  const Structure structure = Structure::symmetric(static_cast<std::uint32_t>(problem.m()), 1,
                                                   static_cast<std::uint32_t>(problem.r()));
  return find(strategies(), name)->make({structure, pass_limit, 1});
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& entry : strategies()) names.push_back(entry.name);
  return names;
}

}  // namespace

TEST_CASE("the strategies have the names of the literature", "[clos]") {
  for (const char* name : {"S1", "S2", "S3", "S3m", "S3r", "FF", "RND", "MU", "SPREAD"}) {
    INFO(name);
    CHECK(find(strategies(), name) != nullptr);
  }
}

TEST_CASE("every strategy finds a sound route exactly if Theorem 1 has one", "[clos]") {
  const std::string name = GENERATE(from_range(names()));
  const auto [m, r] = GENERATE(
      table<std::size_t, std::size_t>({{1, 1}, {1, 4}, {4, 1}, {2, 3}, {3, 2}, {3, 3}, {2, 4}}));
  const SelectionProblem any{BitSet(r), BitSet(m), BitMatrix(m, r)};
  const auto strategy = make(name, any);
  Selection selection(r);
  for_all_problems(m, r, [&](const SelectionProblem& problem) {
    strategy->select(problem.request(), selection);
    if (selection.blocked() == problem.feasible()) FAIL(name << ": blocked or not");
    if (!selection.blocked() && !faults(problem, selection).empty()) {
      FAIL(name << ": " << to_text(selection) << ": " << faults(problem, selection));
    }
  });
}

TEST_CASE("every strategy does so with sets of several words", "[clos]") {
  const std::string name = GENERATE(from_range(names()));
  const std::size_t m = GENERATE(as<std::size_t>{}, 3, 64, 65, 130);
  const std::size_t r = GENERATE(as<std::size_t>{}, 3, 64, 65, 130);
  // Busy output switches with many candidates would keep S2 searching; 97 leaves few candidates.
  const std::size_t busy_percent = GENERATE(as<std::size_t>{}, 30, 50, 97);
  Random random(m * r);
  const SelectionProblem problem = random_problem(random, m, r, busy_percent);
  Selection selection(r);
  make(name, problem)->select(problem.request(), selection);
  INFO(name << " m " << m << " r " << r << " busy " << busy_percent << " %");
  CHECK(selection.blocked() != problem.feasible());
  if (!selection.blocked()) CHECK(faults(problem, selection).empty());
}

TEST_CASE("no strategy takes more middle switches than the pass limit", "[clos]") {
  const std::string name = GENERATE(from_range(names()));
  const std::size_t limit = GENERATE(as<std::size_t>{}, 1, 2, 3, 5);
  Random random(limit);
  for (int i = 0; i < 200; ++i) {
    const SelectionProblem problem = random_problem(random, 12, 8, 55);
    Selection free(8);
    Selection limited(8);
    make(name, problem)->select(problem.request(), free);
    make(name, problem, limit)->select(problem.request(), limited);
    INFO(name << ", limit " << limit << ", without " << to_text(free));
    if (!limited.blocked()) CHECK(faults(problem, limited).empty());
    CHECK(limited.size() <= limit);
    if (free.size() <= limit) CHECK(to_text(limited) == to_text(free));
  }
}

TEST_CASE("an answer does not depend on earlier requests unless a strategy decides at random",
          "[clos]") {
  const std::string name = GENERATE(from_range(names()));
  if (find(strategies(), name)->decides == Decides::kAtRandom) return;
  Random random(9);
  const auto used = make(name, random_problem(random, 9, 70, 50));
  for (int i = 0; i < 100; ++i) {
    const SelectionProblem problem = random_problem(random, 9, 70, 50);
    CHECK(answer(*used, problem) == answer(*make(name, problem), problem));
  }
}
