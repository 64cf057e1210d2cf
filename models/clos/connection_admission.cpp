// SPDX-License-Identifier: Apache-2.0
#include "clos/connection_admission.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "clos/bounds/bounds.h"

namespace flitcast::clos {
namespace {

// R(n2 - 1, r', x) + 1 for r' = 0 .. r2. By Theorem 2 for a family of fewer sets, x greedy passes
// over this many candidates leave nothing: each pass divides the rest by more than their number
// over n2 - 1.
std::vector<std::size_t> candidate_limits(const Structure& structure, std::size_t pass_limit) {
  std::vector<std::size_t> limits(structure.r2 + std::size_t{1}, 0);
  for (std::size_t fan_out = 1; fan_out < limits.size(); ++fan_out) {
    const std::uint64_t limit = scaled_root(structure.n2 - 1, fan_out, pass_limit) + 1;
    limits[fan_out] = static_cast<std::size_t>(std::min<std::uint64_t>(limit, structure.m));
  }
  return limits;
}

}  // namespace

void keep_first(std::size_t members, BitSet& set) {
  if (set.count() <= members) return;
  const std::size_t end = set.nth(members);
  SetWord* words = set.words();
  words[end / 64] &= (SetWord{1} << end % 64) - 1;
  std::fill(words + end / 64 + 1, words + set.word_count(), SetWord{0});
}

void require_sound(const Strategy* strategy, const AdmissionParams& params) {
  if (strategy == nullptr) throw std::invalid_argument("control has no strategy; pass one");
  if (params.pass_limit > 0) return;
  if (params.candidates == Candidates::kFirst) {
    throw std::invalid_argument("candidates `first` depend on a pass limit; set one of at least 1");
  }
  if (params.join == JoinPolicy::kBounded) {
    throw std::invalid_argument("bounded joins keep a pass limit; set one of at least 1");
  }
}

const char* to_text(Join join) {
  constexpr const char* kNames[] = {"ok-local", "ok-reuse", "ok-new", "ok-reroute", "blocked"};
  return kNames[static_cast<std::size_t>(join)];
}

ConnectionAdmission::ConnectionAdmission(const Structure& structure,
                                         std::unique_ptr<Strategy> strategy,
                                         const AdmissionParams& params)
    : state_(structure),
      strategy_(std::move(strategy)),
      params_(params),
      wanted_(structure.r2),
      candidates_(structure.m),
      selection_(structure.r2),
      released_{{}, Route(structure.r2)} {
  require_sound(strategy_.get(), params);
  if (params.candidates == Candidates::kFirst) {
    candidate_limits_ = candidate_limits(structure, params.pass_limit);
  }
}

inline const BitSet& ConnectionAdmission::candidates_of(InputId input) {
  const BitSet& available = state_.available(state_.structure().input_switch(input));
  if (params_.candidates == Candidates::kAll) return available;
  candidates_ = available;
  keep_first(candidate_limits_[wanted_.count()], candidates_);
  return candidates_;
}

inline void ConnectionAdmission::select(InputId input) {
  strategy_->select({wanted_, candidates_of(input), state_.destination_sets()}, selection_);
}

const Selection& ConnectionAdmission::connect(InputId input, const std::vector<OutputId>& outputs) {
  state_.require_valid(input, outputs, wanted_);
  select(input);
  if (selection_.blocked()) {
    wanted_.clear();
  } else {
    state_.connect(input, outputs, wanted_, selection_);
  }
  return selection_;
}

Join ConnectionAdmission::join(InputId input, OutputId output) {
  state_.require_joinable(input, output);
  const Route& route = state_.connection(input).route;
  if (route.leg_to(state_.structure().output_switch(output)) < route.size()) {
    state_.add_port(input, output);
    return Join::kLocal;
  }
  return params_.join == JoinPolicy::kReroute ? join_by_rerouting(input, output)
                                              : join_incrementally(input, output);
}

Join ConnectionAdmission::join_incrementally(InputId input, OutputId output) {
  const std::uint32_t output_switch = state_.structure().output_switch(output);
  const BitMatrix& busy = state_.destination_sets();
  const Route& route = state_.connection(input).route;
  for (std::size_t leg = 0; leg < route.size(); ++leg) {
    if (busy.test(index(route.middle(leg)), output_switch)) continue;
    state_.add_link(input, output, leg);
    return Join::kReuse;
  }
  if (params_.join == JoinPolicy::kBounded && route.size() >= params_.pass_limit) {
    return Join::kBlocked;
  }
  const BitSet& available = state_.available(state_.structure().input_switch(input));
  for (std::uint32_t middle = 0; middle < state_.structure().m; ++middle) {
    if (!available.test(middle) || busy.test(middle, output_switch)) continue;
    state_.add_leg(input, output, MiddleId{middle});
    return Join::kNew;
  }
  return Join::kBlocked;
}

Join ConnectionAdmission::join_by_rerouting(InputId input, OutputId output) {
  released_ = state_.connection(input);
  state_.disconnect(input);
  released_.outputs.push_back(output);
  output_switches_of(state_.structure(), released_.outputs, wanted_);
  select(input);
  if (!selection_.blocked()) {
    state_.connect(input, released_.outputs, wanted_, selection_);
    return Join::kRerouted;
  }
  wanted_.clear();
  released_.outputs.pop_back();
  state_.connect(input, released_.outputs, released_.route);
  return Join::kBlocked;
}

}  // namespace flitcast::clos
