// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/reachable_states.h"

#include <algorithm>

#include "clos/minimum/search_events.h"

namespace flitcast::clos {
namespace {

constexpr std::uint64_t kStatesBetweenStops = 1024;

const Structure& searchable(const Structure& structure) {
  require_searchable(structure);
  return structure;
}

// The most middle switches that cannot carry anything from i to k, over all i and k.
std::size_t most_unusable(const Configuration& routes, const Structure& structure) {
  const LinkUse links(routes, structure);
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < structure.r1; ++i) {
    for (std::uint32_t k = 0; k < structure.r2; ++k) {
      std::size_t count = 0;
      for (std::uint32_t j = 0; j < structure.m; ++j) {
        const bool usable = (links.available[i] >> j & 1) != 0 && (links.busy[j] >> k & 1) == 0;
        if (!usable) ++count;
      }
      most = std::max(most, count);
    }
  }
  return most;
}

}  // namespace

ReachableStates::ReachableStates(const Structure& structure, RoutingRule& rule, Symmetry symmetry,
                                 SearchOrder order, const SearchLimits& limits)
    : structure_(searchable(structure)),
      rule_(rule),
      limits_(limits),
      packing_(structure),
      canonical_(structure, symmetry),
      states_(packing_.words(), limits.most_bytes),
      frontier_(order, structure.m + std::size_t{1}),
      key_(packing_.words()) {}

SearchOutcome ReachableStates::search() {
  if (!add({}, StateSet::kNone)) return SearchOutcome::kNoVerdict;
  for (std::uint64_t done = 0; !frontier_.empty(); ++done) {
    if (done % kStatesBetweenStops == 0 && limits_.stop && limits_.stop()) {
      return SearchOutcome::kNoVerdict;
    }
    const StateId id = frontier_.take();
    switch (expand(id)) {
      case Step::kDone:
        break;
      case Step::kBlocks:
        blocking_ = id;
        return SearchOutcome::kBlocks;
      case Step::kNoRoom:
        return SearchOutcome::kNoVerdict;
    }
  }
  return SearchOutcome::kNeverBlocks;
}

ReachableStates::Step ReachableStates::expand(StateId id) {
  const Configuration routes = packing_.unpack(states_.key(id));
  const Step step = connect_all(routes, id);
  if (step != Step::kDone) return step;
  return disconnect_all(routes, id) ? Step::kDone : Step::kNoRoom;
}

ReachableStates::Step ReachableStates::connect_all(const Configuration& routes, StateId id) {
  const LinkUse links(routes, structure_);
  Step step = Step::kDone;
  for_each_request(routes, links, structure_, [&](std::uint32_t input, SwitchMask wanted) {
    rule_.find_routes(links, input / structure_.n1, wanted, candidates_);
    if (candidates_.empty()) step = Step::kBlocks;
    for (const RouteWord route : candidates_) {
      Configuration next = routes;
      next[input] = route;
      if (!add(next, id)) step = Step::kNoRoom;
    }
    return step == Step::kDone;
  });
  return step;
}

bool ReachableStates::disconnect_all(const Configuration& routes, StateId id) {
  return for_each_disconnect(routes, structure_, [&](std::uint32_t input) {
    Configuration next = routes;
    next[input] = 0;
    return add(next, id);
  });
}

bool ReachableStates::add(const Configuration& routes, StateId parent) {
  const Configuration canonical = canonical_.of(routes);
  packing_.pack(canonical, key_.data());
  const StateId next = static_cast<StateId>(states_.size());
  const StateId id = states_.insert(key_.data(), parent);
  if (id == StateSet::kNone || id >= limits_.most_states) return false;
  if (id != next) return true;
  frontier_.add(id, frontier_.needs_scores() ? most_unusable(canonical, structure_) : 0);
  return true;
}

std::vector<Configuration> ReachableStates::path() const {
  std::vector<Configuration> path;
  for (StateId id = blocking_; id != StateSet::kNone; id = states_.parent(id)) {
    path.push_back(packing_.unpack(states_.key(id)));
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace flitcast::clos
