// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/minimum_search.h"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "clos/minimum/state_search.h"
#include "clos/trace.h"
#include "config/wording.h"

namespace flitcast::clos {
namespace {

// Returns the names of the strategies whose inputs fit.
std::string names_of(bool (*fits)(Decides decides)) {
  return joined(
      names_where(strategies(), [&](const StrategyEntry& known) { return fits(known.decides); }));
}

void refuse_random(const std::string& strategy) {
  if (contains(std::array{kAnyStrategy, kStrictStrategy, kRearrangeableStrategy}, strategy)) return;
  const StrategyEntry* entry = find(strategies(), strategy);
  if (entry != nullptr && entry->decides != Decides::kAtRandom) return;
  if (entry != nullptr) {
    throw std::invalid_argument(strategy +
                                " draws random numbers, so its states cannot be enumerated; choose "
                                "a deterministic strategy, any, strict or rearrangeable");
  }
  const auto repeats = [](Decides decides) { return decides != Decides::kAtRandom; };
  throw std::invalid_argument("no strategy \"" + strategy + "\"; choose one of " +
                              names_of(repeats) + ", " + kAnyStrategy + ", " + kStrictStrategy +
                              ", " + kRearrangeableStrategy);
}

// The other strategies that can be searched for depend on the names of output switches.
void refuse_without_ties(const std::string& strategy) {
  const StrategyEntry* entry = find(strategies(), strategy);
  if (entry != nullptr && entry->decides == Decides::kBySizes) return;
  const auto by_sizes = [](Decides decides) { return decides == Decides::kBySizes; };
  throw std::invalid_argument(strategy +
                              " has no ties among middle switches that an adversary could break; "
                              "choose one of " +
                              names_of(by_sizes));
}

std::unique_ptr<Strategy> strategy_named(const std::string& name, const Structure& structure) {
  return find(strategies(), name)->make({structure});
}

// If an adversary breaks all ties, middle switches are alike.
Symmetry symmetry_of(const MinimumParams& params) {
  if (params.strategy == kStrictStrategy || params.ties == Ties::kByAdversary) {
    return Symmetry::kMiddles;
  }
  return find(strategies(), params.strategy)->decides == Decides::kBySizes ? Symmetry::kOutputs
                                                                           : Symmetry::kInputs;
}

std::unique_ptr<RoutingRule> make_rule(const MinimumParams& params, const Structure& structure) {
  if (params.strategy == kStrictStrategy) return std::make_unique<AnyRouteRule>();
  return std::make_unique<StrategyRule>(structure, strategy_named(params.strategy, structure),
                                        params.ties);
}

SearchResult search_states(const Structure& structure, const MinimumParams& params,
                           SearchOrder order, const SearchLimits& limits) {
  const std::unique_ptr<RoutingRule> rule = make_rule(params, structure);
  SearchResult result =
      search_reachable_states(structure, *rule, {symmetry_of(params), order, params.leave}, limits);
  if (params.strategy != kStrictStrategy && params.ties == Ties::kByIndex) {
    // The state determines the route of a request; its legs get the order in which the strategy
    // selects them.
    ConnectionAdmission control(structure, strategy_named(params.strategy, structure));
    for (Event& event : result.sequence) event = replay(event, control);
  }
  return result;
}

MiddleVerdict search_states(const Structure& structure, const MinimumParams& params) {
  MiddleVerdict verdict{search_states(structure, params, SearchOrder::kFullestFirst, params.limits),
                        structure.m};
  if (verdict.outcome != SearchOutcome::kBlocks) return verdict;
  SearchLimits limits = params.limits;
  limits.most_states = std::min(limits.most_states, params.shortening_states);
  SearchResult shorter = search_states(structure, params, SearchOrder::kShortestFirst, limits);
  if (shorter.outcome == SearchOutcome::kBlocks) {
    verdict.sequence = std::move(shorter.sequence);
    verdict.shortest = true;
  }
  return verdict;
}

}  // namespace

std::uint64_t never_blocking_middles(const Structure& structure) {
  return (structure.n1 - std::uint64_t{1}) * (structure.r2 - std::uint64_t{1}) + structure.n2;
}

MiddleVerdict check_middles(const Structure& structure, const MinimumParams& params) {
  require_buildable(structure);
  refuse_random(params.strategy);
  if (params.ties == Ties::kByAdversary) refuse_without_ties(params.strategy);
  if (params.counting && structure.m >= never_blocking_middles(structure)) {
    return {{SearchOutcome::kNeverBlocks}, structure.m, true};
  }
  if (params.strategy == kAnyStrategy) {
    return {solve_routing_game(structure, params.limits, params.leave), structure.m};
  }
  if (params.strategy == kRearrangeableStrategy) {
    const RearrangeableVerdict found =
        check_rearrangeable(structure, AssignmentKind::kMulticast, params.limits);
    return {{found.outcome, found.assignments}, structure.m};
  }
  return search_states(structure, params);
}

}  // namespace flitcast::clos
