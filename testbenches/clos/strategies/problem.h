// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "base/random.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// A request and the state that it meets.
struct SelectionProblem {
  BitSet wanted;
  BitSet candidates;
  BitMatrix busy;

  std::size_t m() const { return busy.rows(); }
  std::size_t r() const { return busy.columns(); }
  SelectionRequest request() const { return {wanted, candidates, busy}; }
  /// Theorem 1: true if some set of candidates can carry the request.
  bool feasible() const;
};

/// Makes a problem from masks, as tables print them; `busy` has one mask for each middle switch.
SelectionProblem problem(std::size_t r, const std::string& wanted, const std::string& candidates,
                         const std::vector<std::string>& busy);
/// Links and middle switches are busy with a probability in percent; half of the output switches
/// are wanted, at least one.
SelectionProblem random_problem(Random& random, std::size_t m, std::size_t r,
                                std::size_t busy_percent);

/// The answer to a problem: "0:c 1:2", or "blocked".
std::string answer(Strategy& strategy, const SelectionProblem& problem);
std::string answer(Strategy&& strategy, const SelectionProblem& problem);
std::string to_text(const Selection& selection);

/// The faults of an answer that is not blocked: a middle switch that is not a candidate or occurs
/// twice, a served set that is empty, not wanted or served twice, a busy link, or unserved output
/// switches. Empty if there are none.
std::string faults(const SelectionProblem& problem, const Selection& selection);

/// Calls visit(problem) with all requests to all states of m middle switches and r output switches:
/// 2^(m r) states, 2^m sets of candidates, 2^r - 1 requests.
template <class Visit>
void for_all_problems(std::size_t m, std::size_t r, Visit&& visit) {
  SelectionProblem problem{BitSet(r), BitSet(m), BitMatrix(m, r)};
  for (SetWord state = 0; state < SetWord{1} << m * r; ++state) {
    for (std::size_t j = 0; j < m; ++j) {
      *problem.busy.row(j) = state >> j * r & ((SetWord{1} << r) - 1);
    }
    for (SetWord candidates = 0; candidates < SetWord{1} << m; ++candidates) {
      *problem.candidates.words() = candidates;
      for (SetWord wanted = 1; wanted < SetWord{1} << r; ++wanted) {
        *problem.wanted.words() = wanted;
        visit(static_cast<const SelectionProblem&>(problem));
      }
    }
  }
}

}  // namespace flitcast::clos
