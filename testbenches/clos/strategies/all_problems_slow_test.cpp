// SPDX-License-Identifier: Apache-2.0
#include "clos/catalog.h"
#include "clos/strategies/problem.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

TEST_CASE("every strategy solves every problem of four middle switches exactly if it can be",
          "[clos]") {
  const std::size_t entry = GENERATE(range(std::size_t{0}, strategies().size()));
  const auto strategy = strategies()[entry].make({Structure::symmetric(4, 1, 3), 0, 1});
  Selection selection(3);
  for_all_problems(4, 3, [&](const SelectionProblem& problem) {
    strategy->select(problem.request(), selection);
    const bool right =
        selection.blocked() ? !problem.feasible() : faults(problem, selection).empty();
    if (!right) FAIL(strategies()[entry].name << ": " << to_text(selection));
  });
}
