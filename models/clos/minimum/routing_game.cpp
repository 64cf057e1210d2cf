// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/routing_game.h"

#include <algorithm>
#include <array>

#include "base/bit_set.h"

namespace flitcast::clos {
namespace {

std::size_t idle_inputs(const Configuration& routes, const Structure& structure) {
  const auto end = routes.begin() + structure.inputs();
  return static_cast<std::size_t>(std::count(routes.begin(), end, 0U));
}

// How much a route adds to the sum of |M_j|^2; more legs count more than that.
std::uint32_t crowding(RouteWord route, const LinkUse& links) {
  constexpr std::uint32_t kLeg = 1U << 16;
  std::array<std::uint32_t, kMostSearchMiddles> added{};
  for_each_link(route, [&](std::uint32_t middle, std::uint32_t) { ++added[middle]; });
  std::uint32_t sum = 0;
  for (std::size_t j = 0; j < added.size(); ++j) {
    if (added[j] > 0) sum += kLeg + added[j] * (added[j] + 2 * popcount(links.busy[j]));
  }
  return sum;
}

}  // namespace

RoutingGame::RoutingGame(const Structure& structure, const SearchLimits& limits)
    : structure_((require_searchable(structure), structure)),
      limits_(limits),
      packing_(structure),
      canonical_(structure, Symmetry::kMiddles),
      states_(packing_.words(), limits.most_bytes),
      waiting_(structure.inputs() + std::size_t{1}),
      key_(packing_.words()) {}

// States with the fewest connections go first: a lost one loses all fuller ones.
SearchOutcome RoutingGame::solve() {
  constexpr StateId kEmpty = 0;
  if (rely({kEmpty, 0, 0}, {}) == Answer::kNoRoom) return SearchOutcome::kNoVerdict;
  for (StateId done = 0; done < states_.size(); ++done) {
    const bool ask = done % kStatesBetweenStops == 0 && limits_.stop;
    if (ask && limits_.stop()) return SearchOutcome::kNoVerdict;
    const StateId id = waiting_.take();
    if (!lost_[id] && !(look_at(id) && answer_anew())) return SearchOutcome::kNoVerdict;
    if (lost_[kEmpty]) return SearchOutcome::kBlocks;
  }
  return SearchOutcome::kNeverBlocks;
}

// This and the like below return whether there was room.
bool RoutingGame::look_at(StateId id) {
  const Configuration routes = packing_.unpack(states_.key(id));
  const LinkUse links(routes, structure_);
  Answer last = Answer::kFound;
  const auto found = [&](Answer answer) { return (last = answer) == Answer::kFound; };
  const auto event = [&](std::uint32_t input, SwitchMask wanted) {
    return Event{id, static_cast<std::uint16_t>(input), static_cast<std::uint16_t>(wanted)};
  };
  for_each_disconnect(
      routes, structure_,
      [&](std::uint32_t input) { return found(end_connection(routes, event(input, 0))); }) &&
      for_each_request(routes, links, structure_, [&](std::uint32_t input, SwitchMask wanted) {
        return found(connect(routes, links, event(input, wanted)));
      });
  if (last == Answer::kNone) lose(id);
  return last != Answer::kNoRoom;
}

RoutingGame::Answer RoutingGame::end_connection(const Configuration& routes, Event event) {
  Configuration next = routes;
  next[event.input] = 0;
  return rely(event, next);
}

RoutingGame::Answer RoutingGame::connect(const Configuration& routes, const LinkUse& links,
                                         Event event) {
  rule_.find_routes(links, event.input / structure_.n1, event.wanted, candidates_);
  sort_candidates(links);
  Configuration next = routes;
  for (const RouteWord route : candidates_) {
    next[event.input] = route;
    const Answer answer = rely(event, next);
    if (answer != Answer::kNone) return answer;
  }
  return Answer::kNone;
}

// Few legs first; of these, routes over middle switches that carry little. The order changes how
// many states are met, not the verdict.
void RoutingGame::sort_candidates(const LinkUse& links) {
  ranked_.clear();
  for (const RouteWord route : candidates_) ranked_.emplace_back(crowding(route, links), route);
  std::sort(ranked_.begin(), ranked_.end());
  for (std::size_t rank = 0; rank < ranked_.size(); ++rank) {
    candidates_[rank] = ranked_[rank].second;
  }
}

// Lets an event lead to this state, unless it is lost.
RoutingGame::Answer RoutingGame::rely(Event event, const Configuration& on) {
  if (bytes() > limits_.most_bytes) return Answer::kNoRoom;
  packing_.pack(canonical_.of(on), key_.data());
  const auto next = static_cast<StateId>(states_.size());
  const StateId id = states_.insert(key_.data(), event.at);
  if (id == StateSet::kNone || id >= limits_.most_states) return Answer::kNoRoom;
  if (id == next) {
    lost_.push_back(false);
    first_reliance_.push_back(kNoMore);
    waiting_.add(id, idle_inputs(on, structure_));
  }
  if (lost_[id]) return Answer::kNone;
  if (reliances_.size() == kNoMore) return Answer::kNoRoom;
  reliances_.push_back({event, first_reliance_[id]});
  first_reliance_[id] = static_cast<std::uint32_t>(reliances_.size() - 1);
  return Answer::kFound;
}

bool RoutingGame::answer_anew() {
  while (!unanswered_.empty()) {
    const Event event = unanswered_.back();
    unanswered_.pop_back();
    if (lost_[event.at]) continue;
    const Configuration routes = packing_.unpack(states_.key(event.at));
    const Answer answer = connect(routes, LinkUse(routes, structure_), event);
    if (answer == Answer::kNoRoom) return false;
    if (answer == Answer::kNone) lose(event.at);
  }
  return true;
}

// Requests that led here need another answer; where a disconnect led here, all is lost, too.
void RoutingGame::lose(StateId id) {
  std::vector<StateId> losing{id};
  while (!losing.empty()) {
    const StateId state = losing.back();
    losing.pop_back();
    if (lost_[state]) continue;
    lost_[state] = true;
    for (std::uint32_t at = first_reliance_[state]; at != kNoMore; at = reliances_[at].next) {
      const Event& event = reliances_[at].event;
      if (event.wanted == 0) {
        losing.push_back(event.at);
      } else {
        unanswered_.push_back(event);
      }
    }
  }
}

std::uint64_t RoutingGame::bytes() const {
  return states_.bytes() + first_reliance_.capacity() * sizeof(std::uint32_t) +
         reliances_.size() * sizeof(Reliance) + unanswered_.capacity() * sizeof(Event) +
         waiting_.bytes();
}

}  // namespace flitcast::clos
