// SPDX-License-Identifier: Apache-2.0
#include "clos/strategies/problem.h"

#include "base/ids.h"

namespace flitcast::clos {

bool SelectionProblem::feasible() const {
  BitSet unserved = wanted;
  candidates.for_each([&](std::size_t j) { unserved &= busy.set_of(j); });
  return unserved.none();
}

SelectionProblem problem(std::size_t r, const std::string& wanted, const std::string& candidates,
                         const std::vector<std::string>& busy) {
  const std::size_t m = busy.size();
  SelectionProblem result{from_hex(wanted, r), from_hex(candidates, m), BitMatrix(m, r)};
  for (std::size_t j = 0; j < m; ++j) result.busy.assign(j, from_hex(busy[j], r));
  return result;
}

SelectionProblem random_problem(Random& random, std::size_t m, std::size_t r,
                                std::size_t busy_percent) {
  SelectionProblem result{BitSet(r), BitSet(m), BitMatrix(m, r)};
  for (std::size_t k = 0; k < r; ++k) {
    if (random.below(2) == 0) result.wanted.set(k);
  }
  result.wanted.set(random.below(r));
  for (std::size_t j = 0; j < m; ++j) {
    if (random.below(100) >= busy_percent) result.candidates.set(j);
    for (std::size_t k = 0; k < r; ++k) {
      if (random.below(100) < busy_percent) result.busy.set(j, k);
    }
  }
  return result;
}

std::string answer(Strategy& strategy, const SelectionProblem& problem) {
  Selection selection(problem.r());
  strategy.select(problem.request(), selection);
  return to_text(selection);
}

std::string answer(Strategy&& strategy, const SelectionProblem& problem) {
  return answer(strategy, problem);
}

std::string to_text(const Selection& selection) {
  if (selection.blocked()) return "blocked";
  std::string text;
  for (std::size_t leg = 0; leg < selection.size(); ++leg) {
    if (leg > 0) text += " ";
    text += std::to_string(index(selection.middle(leg))) + ":" + to_hex(selection.served_set(leg));
  }
  return text;
}

std::string faults(const SelectionProblem& problem, const Selection& selection) {
  std::string faults;
  BitSet rest = problem.wanted;
  BitSet unused = problem.candidates;
  for (std::size_t leg = 0; leg < selection.size(); ++leg) {
    const std::size_t j = index(selection.middle(leg));
    const BitSet served = selection.served_set(leg);
    if (!unused.test(j)) faults += "no candidate or twice; ";
    if (served.none()) faults += "serves nothing; ";
    if (!rest.contains(served)) faults += "not wanted or served twice; ";
    if (served.intersects(problem.busy.set_of(j))) faults += "busy link; ";
    unused.reset(j);
    rest -= served;
  }
  return rest.any() ? faults + "not all served" : faults;
}

}  // namespace flitcast::clos
