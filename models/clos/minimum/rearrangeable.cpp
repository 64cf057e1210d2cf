// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "clos/minimum/state_search.h"
#include "clos/route_search.h"

namespace flitcast::clos {
namespace {

// Tries one of the assignments that differ in the names of inputs only.
Assignment sorted(Assignment wanted, const Structure& structure) {
  const auto ports_of = [&](std::uint32_t i) { return wanted.begin() + i * structure.n1; };
  std::vector<std::vector<SwitchMask>> switches;
  for (std::uint32_t i = 0; i < structure.r1; ++i) {
    switches.emplace_back(ports_of(i), ports_of(i + 1));
    std::sort(switches.back().begin(), switches.back().end());
  }
  std::sort(switches.begin(), switches.end());
  for (std::uint32_t i = 0; i < structure.r1; ++i) {
    std::copy(switches[i].begin(), switches[i].end(), ports_of(i));
  }
  return wanted;
}

/// Enumerates all assignments, up to the names of inputs, by output switch.
struct Assignments {
  const Structure& structure;
  AssignmentKind kind;
  const SearchLimits& limits;
  std::set<Assignment> found{};

  /// Enumerates the assignments; returns true if space and time sufficed.
  bool list() {
    found = {Assignment{}};
    for (std::uint32_t k = 0; k < structure.r2; ++k) {
      const std::set<Assignment> shorter = std::move(found);
      found.clear();
      for (const Assignment& wanted : shorter) {
        if (limits.stop && limits.stop()) return false;
        if (!extend(wanted, k, 0, 0)) return false;
      }
    }
    return true;
  }

  // `count` inputs request k already; extends by any of the inputs from p on.
  bool extend(const Assignment& wanted, std::uint32_t k, std::uint32_t p, std::uint32_t ports) {
    if (ports == structure.n2 || p == structure.inputs()) {
      return !is_complete(ports) || add(wanted);
    }
    if (!extend(wanted, k, p + 1, ports)) return false;
    if (kind == AssignmentKind::kPermutations && wanted[p] != 0) return true;
    Assignment more = wanted;
    more[p] |= SwitchMask{1} << k;
    return extend(more, k, p + 1, ports + 1);
  }
  bool is_complete(std::uint32_t ports) const {
    return kind == AssignmentKind::kPermutations ||
           ports == std::min(structure.n2, structure.inputs());
  }
  bool add(const Assignment& wanted) {
    constexpr std::uint64_t kBytes = sizeof(Assignment) + 6 * sizeof(void*);
    found.insert(sorted(wanted, structure));
    return found.size() <= limits.most_states && found.size() * kBytes <= limits.most_bytes;
  }
};

}  // namespace

bool has_routing(const Assignment& wanted, const Structure& structure) {
  std::vector<RouteSearch::Branch> branches;
  for (std::uint32_t p = 0; p < structure.inputs(); ++p) {
    for_each_member(wanted[p], [&](std::uint32_t k) { branches.push_back({p, k}); });
  }
  return RouteSearch(structure, std::move(branches)).count(1) == 1;
}

RearrangeableVerdict check_rearrangeable(const Structure& structure, AssignmentKind kind,
                                         const SearchLimits& limits) {
  require_searchable(structure);
  RearrangeableVerdict verdict{structure.m};
  Assignments assignments{structure, kind, limits};
  if (!assignments.list()) return verdict;
  for (const Assignment& wanted : assignments.found) {
    if (limits.stop && limits.stop()) return verdict;
    ++verdict.assignments;
    if (has_routing(wanted, structure)) continue;
    verdict.outcome = SearchOutcome::kBlocks;
    verdict.blocked = wanted;
    return verdict;
  }
  verdict.outcome = SearchOutcome::kNeverBlocks;
  return verdict;
}

}  // namespace flitcast::clos
