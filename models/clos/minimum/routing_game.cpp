// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/routing_game.h"

#include "clos/minimum/search_events.h"

namespace flitcast::clos {
namespace {

constexpr std::uint64_t kLooksBetweenStops = 256;

const Structure& searchable(const Structure& structure) {
  require_searchable(structure);
  return structure;
}

}  // namespace

RoutingGame::RoutingGame(const Structure& structure, const SearchLimits& limits)
    : structure_(searchable(structure)),
      limits_(limits),
      packing_(structure),
      canonical_(structure, Symmetry::kMiddles),
      states_(packing_.words(), limits.most_bytes),
      key_(packing_.words()) {}

SearchOutcome RoutingGame::solve() {
  const StateId empty = add({});
  if (empty == StateSet::kNone) return SearchOutcome::kNoVerdict;
  for (std::uint64_t looks = 0; !waiting_.empty(); ++looks) {
    if (looks % kLooksBetweenStops == 0 && limits_.stop && limits_.stop()) {
      return SearchOutcome::kNoVerdict;
    }
    const StateId id = waiting_.back();
    waiting_.pop_back();
    if (lost_[id]) continue;
    if (!look_at(id)) return SearchOutcome::kNoVerdict;
    if (lost_[empty]) return SearchOutcome::kBlocks;
  }
  return SearchOutcome::kNeverBlocks;
}

// Returns whether there was room.
bool RoutingGame::look_at(StateId id) {
  const Configuration routes = packing_.unpack(states_.key(id));
  const LinkUse links(routes, structure_);
  Event event = Event::kAnswered;
  const auto survives = [&](Event last) { return (event = last) == Event::kAnswered; };
  for_each_disconnect(routes, structure_, [&](std::uint32_t input) {
    return survives(end_connection(routes, input, id));
  }) && for_each_request(routes, links, structure_, [&](std::uint32_t input, SwitchMask wanted) {
    return survives(answer(routes, links, input, wanted, id));
  });
  if (event == Event::kLost) lose(id);
  return event != Event::kNoRoom;
}

RoutingGame::Event RoutingGame::end_connection(const Configuration& routes, std::uint32_t input,
                                               StateId id) {
  Configuration next = routes;
  next[input] = 0;
  const StateId less = add(next);
  if (less == StateSet::kNone) return Event::kNoRoom;
  if (lost_[less]) return Event::kLost;
  rely(id, less);
  return Event::kAnswered;
}

RoutingGame::Event RoutingGame::answer(const Configuration& routes, const LinkUse& links,
                                       std::uint32_t input, SwitchMask wanted, StateId id) {
  rule_.find_routes(links, input / structure_.n1, wanted, candidates_);
  Configuration unseen{};
  bool have_unseen = false;
  for (const RouteWord route : candidates_) {
    Configuration next = routes;
    next[input] = route;
    next = canonical_.of(next);
    const StateId known = find(next);
    if (known == StateSet::kNone) {
      if (!have_unseen) unseen = next;
      have_unseen = true;
    } else if (!lost_[known]) {
      rely(id, known);
      return Event::kAnswered;
    }
  }
  if (!have_unseen) return Event::kLost;
  const StateId next = add(unseen);
  if (next == StateSet::kNone) return Event::kNoRoom;
  rely(id, next);
  return Event::kAnswered;
}

StateId RoutingGame::find(const Configuration& routes) {
  packing_.pack(routes, key_.data());
  return states_.find(key_.data());
}

StateId RoutingGame::add(const Configuration& routes) {
  packing_.pack(canonical_.of(routes), key_.data());
  const auto next = static_cast<StateId>(states_.size());
  const StateId id = states_.insert(key_.data(), StateSet::kNone);
  if (id != next) return id;
  if (id >= limits_.most_states) return StateSet::kNone;
  lost_.push_back(false);
  first_reliance_.push_back(kNoMore);
  waiting_.push_back(id);
  return id;
}

void RoutingGame::rely(StateId who, StateId on) {
  reliances_.push_back({who, first_reliance_[on]});
  first_reliance_[on] = static_cast<std::uint32_t>(reliances_.size() - 1);
}

// Whoever relied on this state has to find another answer.
void RoutingGame::lose(StateId id) {
  lost_[id] = true;
  for (std::uint32_t at = first_reliance_[id]; at != kNoMore; at = reliances_[at].next) {
    waiting_.push_back(reliances_[at].who);
  }
}

}  // namespace flitcast::clos
