// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "clos/minimum/state_search.h"

namespace flitcast::clos {
namespace {

/// A demand of an input for an output switch.
struct Demand {
  std::uint32_t input;
  std::uint32_t k;
};

class RoutingSearch {
 public:
  RoutingSearch(const Assignment& wanted, const Structure& structure) : structure_(structure) {
    for (std::uint32_t p = 0; p < structure.inputs(); ++p) {
      for_each_member(wanted[p], [&](std::uint32_t k) { demands_.push_back({p, k}); });
    }
  }

  /// Routes the demands from `first` on; the first `touched` middle switches already carry some.
  bool route_from(std::size_t next, std::uint32_t touched) {
    if (next == demands_.size()) return true;
    const std::uint32_t end = std::min(structure_.m, touched + 1);
    for (std::uint32_t j = 0; j < end; ++j) {
      if (!fits(demands_[next], j)) continue;
      put(demands_[next], j);
      if (route_from(next + 1, std::max(touched, j + 1))) return true;
      take_back(demands_[next], j);
    }
    return false;
  }

 private:
  // Link A(i, j) must not carry another input of the switch, link B(j, k) must be free.
  bool fits(const Demand& demand, std::uint32_t j) const {
    if ((busy_[j] >> demand.k & 1) != 0) return false;
    const std::uint32_t first = demand.input / structure_.n1 * structure_.n1;
    for (std::uint32_t p = first; p < first + structure_.n1; ++p) {
      if (p != demand.input && links_[p][j] > 0) return false;
    }
    return true;
  }
  void put(const Demand& demand, std::uint32_t j) {
    busy_[j] |= SwitchMask{1} << demand.k;
    ++links_[demand.input][j];
  }
  void take_back(const Demand& demand, std::uint32_t j) {
    busy_[j] &= ~(SwitchMask{1} << demand.k);
    --links_[demand.input][j];
  }

  Structure structure_;
  std::vector<Demand> demands_;
  std::array<SwitchMask, kMostSearchMiddles> busy_{};  // M_j.
  // The output switches that an input reaches by a middle switch.
  std::array<std::array<std::uint8_t, kMostSearchMiddles>, kMostSearchInputs> links_{};
};

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
class Assignments {
 public:
  Assignments(const Structure& structure, AssignmentKind kind, const SearchLimits& limits)
      : structure_(structure), kind_(kind), limits_(limits) {}

  /// Enumerates the assignments; returns true if space and time sufficed.
  bool list() {
    found_ = {Assignment{}};
    for (std::uint32_t k = 0; k < structure_.r2; ++k) {
      const std::set<Assignment> shorter = std::move(found_);
      found_.clear();
      for (const Assignment& wanted : shorter) {
        if (limits_.stop && limits_.stop()) return false;
        if (!extend(wanted, k, 0, 0)) return false;
      }
    }
    return true;
  }
  const std::set<Assignment>& found() const { return found_; }

 private:
  // `count` inputs request k already; extends by any of the inputs from p on.
  bool extend(const Assignment& wanted, std::uint32_t k, std::uint32_t p, std::uint32_t ports) {
    if (ports == structure_.n2 || p == structure_.inputs()) {
      return !is_complete(ports) || add(wanted);
    }
    if (!extend(wanted, k, p + 1, ports)) return false;
    if (kind_ == AssignmentKind::kPermutations && wanted[p] != 0) return true;
    Assignment more = wanted;
    more[p] |= SwitchMask{1} << k;
    return extend(more, k, p + 1, ports + 1);
  }
  bool is_complete(std::uint32_t ports) const {
    return kind_ == AssignmentKind::kPermutations ||
           ports == std::min(structure_.n2, structure_.inputs());
  }
  bool add(const Assignment& wanted) {
    constexpr std::uint64_t kBytes = sizeof(Assignment) + 6 * sizeof(void*);
    found_.insert(sorted(wanted, structure_));
    return found_.size() <= limits_.most_states && found_.size() * kBytes <= limits_.most_bytes;
  }

  const Structure& structure_;
  AssignmentKind kind_;
  const SearchLimits& limits_;
  std::set<Assignment> found_;
};

}  // namespace

bool has_routing(const Assignment& wanted, const Structure& structure) {
  return RoutingSearch(wanted, structure).route_from(0, 0);
}

RearrangeableVerdict check_rearrangeable(const Structure& structure, AssignmentKind kind,
                                         const SearchLimits& limits) {
  require_searchable(structure);
  RearrangeableVerdict verdict{structure.m};
  Assignments assignments(structure, kind, limits);
  if (!assignments.list()) return verdict;
  for (const Assignment& wanted : assignments.found()) {
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
