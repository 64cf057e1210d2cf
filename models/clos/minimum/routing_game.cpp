// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "base/bit_set.h"
#include "clos/minimum/configuration.h"
#include "clos/minimum/routing_rule.h"
#include "clos/minimum/state_search.h"
#include "clos/minimum/state_set.h"

namespace flitcast::clos {
namespace {

// The increase of the sum of |M_j|^2 by a route; an additional leg counts more.
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

/// The game of solve_routing_game(), with a tentative strategy that answers every request.
class RoutingGame {
 public:
  /// Throws std::invalid_argument for what require_searchable() refuses.
  RoutingGame(const Structure& structure, const SearchLimits& limits, bool leave)
      : structure_((require_searchable(structure), structure)),
        limits_(limits),
        leave_(leave),
        packing_(structure),
        states_(packing_.words(), limits.most_bytes),
        waiting_(structure.inputs() + std::size_t{1}),
        key_(packing_.words()) {}

  // States with the fewest connections are processed first: a lost one makes all fuller ones lost.
  SearchOutcome solve() {
    constexpr StateId kEmpty = 0;
    if (rely({kEmpty, 0, 0}, {}) == Answer::kOutOfMemory) return SearchOutcome::kNoVerdict;
    for (StateId done = 0; done < states_.size(); ++done) {
      const bool ask = done % kStatesBetweenStops == 0 && limits_.stop;
      if (ask && limits_.stop()) return SearchOutcome::kNoVerdict;
      const StateId id = waiting_.take();
      if (!lost_[id] && !(look_at(id) && answer_anew())) return SearchOutcome::kNoVerdict;
      if (lost_[kEmpty]) return SearchOutcome::kBlocks;
    }
    return SearchOutcome::kNeverBlocks;
  }

  /// States found, up to renaming.
  std::uint64_t size() const { return states_.size(); }

 private:
  /// A request of a state, or (without `wanted`) the end of one of its connections or members.
  struct Event {
    StateId at;
    std::uint16_t input;
    std::uint16_t wanted;
  };
  /// An event that leads to a state; these events form a list.
  struct Reliance {
    Event event;
    std::uint32_t next;  ///< Index of the next one; kNoMore at the end.
  };
  static constexpr std::uint32_t kNoMore = ~std::uint32_t{0};

  enum class Answer { kFound, kNone, kOutOfMemory };

  // This function and the similar ones below return whether there was space.
  bool look_at(StateId id) {
    const Configuration routes = packing_.unpack(states_.key(id));
    const LinkUse links(routes, structure_);
    Answer last = Answer::kFound;
    const auto found = [&](Answer answer) { return (last = answer) == Answer::kFound; };
    const auto event = [&](std::uint32_t input, SwitchMask wanted) {
      return Event{id, static_cast<std::uint16_t>(input), static_cast<std::uint16_t>(wanted)};
    };
    for_each_ending(routes, structure_, leave_,
                    [&](std::uint32_t input, RouteWord rest) {
                      Configuration next = routes;
                      next[input] = rest;
                      return found(rely(event(input, 0), next));
                    }) &&
        for_each_request(routes, links, structure_, [&](std::uint32_t input, SwitchMask wanted) {
          return found(connect(routes, links, event(input, wanted)));
        });
    if (last == Answer::kNone) lose(id);
    return last != Answer::kOutOfMemory;
  }

  Answer connect(const Configuration& routes, const LinkUse& links, Event event) {
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

  // Records that an event leads to this state, unless the state is lost.
  Answer rely(Event event, const Configuration& on) {
    if (bytes() > limits_.most_bytes) return Answer::kOutOfMemory;
    packing_.pack(canonical_form(on, structure_, Symmetry::kMiddles), key_.data());
    const auto next = static_cast<StateId>(states_.size());
    const StateId id = states_.insert(key_.data(), event.at);
    if (id == StateSet::kNone || id >= limits_.most_states) return Answer::kOutOfMemory;
    if (id == next) {
      lost_.push_back(false);
      first_reliance_.push_back(kNoMore);
      const auto end = on.begin() + structure_.inputs();
      waiting_.add(id, static_cast<std::size_t>(std::count(on.begin(), end, 0U)));  // Idle inputs.
    }
    if (lost_[id]) return Answer::kNone;
    if (reliances_.size() == kNoMore) return Answer::kOutOfMemory;
    reliances_.push_back({event, first_reliance_[id]});
    first_reliance_[id] = static_cast<std::uint32_t>(reliances_.size() - 1);
    return Answer::kFound;
  }

  bool answer_anew() {
    while (!unanswered_.empty()) {
      const Event event = unanswered_.back();
      unanswered_.pop_back();
      if (lost_[event.at]) continue;
      const Configuration routes = packing_.unpack(states_.key(event.at));
      const Answer answer = connect(routes, LinkUse(routes, structure_), event);
      if (answer == Answer::kOutOfMemory) return false;
      if (answer == Answer::kNone) lose(event.at);
    }
    return true;
  }

  // Few legs first; among these, routes over lightly loaded middle switches. The order affects how
  // many states are found, not the verdict.
  void sort_candidates(const LinkUse& links) {
    ranked_.clear();
    for (const RouteWord route : candidates_) ranked_.emplace_back(crowding(route, links), route);
    std::sort(ranked_.begin(), ranked_.end());
    for (std::size_t rank = 0; rank < ranked_.size(); ++rank) {
      candidates_[rank] = ranked_[rank].second;
    }
  }

  // Requests that led here need another answer; if a disconnect led here, its state is lost, too.
  void lose(StateId id) {
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

  std::uint64_t bytes() const {
    return states_.bytes() + first_reliance_.capacity() * sizeof(std::uint32_t) +
           reliances_.size() * sizeof(Reliance) + unanswered_.capacity() * sizeof(Event) +
           waiting_.bytes();
  }

  Structure structure_;
  SearchLimits limits_;
  bool leave_;
  AnyRouteRule rule_;
  Packing packing_;
  StateSet states_;
  std::vector<bool> lost_;  // Indexed by state, as is the next member.
  // The newest event that leads to the state, or kNoMore.
  std::vector<std::uint32_t> first_reliance_;
  std::deque<Reliance> reliances_;
  ScoredStack waiting_;
  std::vector<Event> unanswered_;  // Requests that led to a state that is now lost.
  std::vector<std::uint64_t> key_;
  std::vector<RouteWord> candidates_;
  std::vector<std::pair<std::uint32_t, RouteWord>> ranked_;
};

}  // namespace

SearchResult solve_routing_game(const Structure& structure, const SearchLimits& limits,
                                bool leave) {
  RoutingGame game(structure, limits, leave);
  const SearchOutcome outcome = game.solve();
  return {outcome, game.size(), {}};
}

}  // namespace flitcast::clos
