// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/minimum_search.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "clos/catalog.h"
#include "clos/control.h"
#include "clos/experiments/replay.h"
#include "clos/minimum/any_route_rule.h"
#include "clos/minimum/blocking_sequence.h"
#include "clos/minimum/reachable_states.h"
#include "clos/minimum/rearrangeable.h"
#include "clos/minimum/routing_game.h"
#include "clos/minimum/strategy_rule.h"

namespace flitcast::clos {
namespace {

void require_deterministic(const std::string& strategy) {
  const auto senses = {kAnyStrategy, kStrictSense, kRearrangeable};
  if (std::find(senses.begin(), senses.end(), strategy) != senses.end()) return;
  if (strategy == "RND") {
    throw std::invalid_argument(
        "RND answers by the numbers that it has drawn before, so that its states have no list; "
        "choose a deterministic strategy, any, strict or rearrangeable");
  }
  if (find(strategies(), strategy) != nullptr) return;
  std::string names;
  for (const auto& entry : strategies()) names += entry.name == "RND" ? "" : entry.name + ", ";
  throw std::invalid_argument("no strategy \"" + strategy + "\"; choose one of " + names +
                              kAnyStrategy + ", " + kStrictSense + ", " + kRearrangeable);
}

std::unique_ptr<Strategy> make_strategy(const std::string& name, const Structure& structure) {
  return find(strategies(), name)->make({structure});
}

// Those that choose by sizes of sets and by indices of middle switches do not see the names of
// output switches. SPREAD takes output switches in their order; so may others, to come.
Symmetry symmetry_of(const std::string& strategy) {
  if (strategy == kStrictSense) return Symmetry::kMiddles;
  const auto named = {"S1", "S2", "S3", "S3m", "S3r", "FF", "MU"};
  const bool by_sizes = std::find(named.begin(), named.end(), strategy) != named.end();
  return by_sizes ? Symmetry::kOutputs : Symmetry::kInputs;
}

std::unique_ptr<RoutingRule> make_rule(const std::string& name, const Structure& structure) {
  if (name == kStrictSense) return std::make_unique<AnyRouteRule>();
  return std::make_unique<StrategyRule>(structure, make_strategy(name, structure));
}

// The sequence again with legs in the order in which the strategy selects them.
std::vector<Event> played(const std::vector<Event>& sequence, const std::string& strategy,
                          const Structure& structure) {
  Control control(structure, make_strategy(strategy, structure));
  std::vector<Event> events;
  for (const Event& event : sequence) events.push_back(replay(event, control));
  return events;
}

std::vector<Event> sequence_of(const ReachableStates& states, const std::string& strategy,
                               const Structure& structure, RoutingRule& rule) {
  const CanonicalForm canonical(structure, symmetry_of(strategy));
  std::vector<Event> sequence = blocking_sequence(states.path(), structure, rule, canonical);
  if (strategy == kStrictSense) return sequence;
  return played(sequence, strategy, structure);
}

MiddleVerdict search_states(const Structure& structure, const std::string& strategy,
                            SearchOrder order, const SearchLimits& limits) {
  const std::unique_ptr<RoutingRule> rule = make_rule(strategy, structure);
  ReachableStates states(structure, *rule, symmetry_of(strategy), order, limits);
  MiddleVerdict verdict{structure.m};
  verdict.outcome = states.search();
  verdict.states = states.size();
  if (verdict.outcome == SearchOutcome::kBlocks) {
    verdict.sequence = sequence_of(states, strategy, structure, *rule);
    verdict.shortest = order == SearchOrder::kShortestFirst;
  }
  return verdict;
}

MiddleVerdict search_states(const Structure& structure, const MinimumParams& params) {
  MiddleVerdict verdict =
      search_states(structure, params.strategy, SearchOrder::kFullestFirst, params.limits);
  if (verdict.outcome != SearchOutcome::kBlocks) return verdict;
  SearchLimits limits = params.limits;
  limits.most_states = std::min(limits.most_states, params.shortening_states);
  MiddleVerdict shorter =
      search_states(structure, params.strategy, SearchOrder::kShortestFirst, limits);
  if (shorter.shortest) {
    verdict.sequence = std::move(shorter.sequence);
    verdict.shortest = true;
  }
  return verdict;
}

bool decided_by_counting(const Structure& structure, const MinimumParams& params) {
  return params.counting && structure.m >= never_blocking_middles(structure);
}

bool can_judge(const Structure& structure, const MinimumParams& params) {
  return structure.m <= kMostSearchMiddles || decided_by_counting(structure, params);
}

MiddleVerdict play_game(const Structure& structure, const MinimumParams& params) {
  RoutingGame game(structure, params.limits);
  MiddleVerdict verdict{structure.m};
  verdict.outcome = game.solve();
  verdict.states = game.size();
  return verdict;
}

MiddleVerdict try_assignments(const Structure& structure, const MinimumParams& params) {
  const RearrangeableVerdict found =
      judge_rearrangeable(structure, AssignmentKind::kMulticast, params.limits);
  MiddleVerdict verdict{structure.m};
  verdict.outcome = found.outcome;
  verdict.states = found.assignments;
  return verdict;
}

}  // namespace

std::uint64_t never_blocking_middles(const Structure& structure) {
  return (structure.n1 - std::uint64_t{1}) * (structure.r2 - std::uint64_t{1}) + structure.n2;
}

MiddleVerdict judge_middles(const Structure& structure, const MinimumParams& params) {
  require_buildable(structure);
  require_deterministic(params.strategy);
  if (decided_by_counting(structure, params)) {
    return {structure.m, SearchOutcome::kNeverBlocks, true};
  }
  if (params.strategy == kAnyStrategy) return play_game(structure, params);
  if (params.strategy == kRearrangeable) return try_assignments(structure, params);
  return search_states(structure, params);
}

std::vector<MiddleVerdict> judge_rising_middles(Structure structure, std::uint32_t first_m,
                                                const MinimumParams& params) {
  std::vector<MiddleVerdict> verdicts;
  structure.m = first_m;
  do {
    verdicts.push_back(judge_middles(structure, params));
    ++structure.m;
  } while (verdicts.back().outcome == SearchOutcome::kBlocks && can_judge(structure, params));
  return verdicts;
}

}  // namespace flitcast::clos
