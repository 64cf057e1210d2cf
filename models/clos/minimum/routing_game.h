// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "clos/minimum/canonical_form.h"
#include "clos/minimum/configuration.h"
#include "clos/minimum/routing_rule.h"
#include "clos/minimum/state_set.h"

namespace flitcast::clos {

/// Can any strategy at all keep a network from blocking? A game: the opponent connects and
/// disconnects, the strategy answers a request with any legal route.
///
/// A state is lost if some request has no route, or if after some event of the opponent all answers
/// lead to lost states. The network is nonblocking under some strategy if and only if the empty
/// state is not lost. Derived; solved without looking at all states: a tentative strategy answers
/// every request by the best route to a state not known to be lost, one with few legs over middle
/// switches that carry little. When a state turns out to be lost, all answers that lead there are
/// given anew. In the end either the empty state is lost, or the states met and not lost are closed
/// under the opponent's events with these answers, which are a strategy that never blocks.
/// Memory: that of a StateSet, and 12 bytes for each event of each state, usually 20 to 60.
class RoutingGame {
 public:
  /// Throws std::invalid_argument for what require_searchable() refuses.
  RoutingGame(const Structure& structure, const SearchLimits& limits);

  /// kBlocks: every strategy can be brought to block. To be called once.
  SearchOutcome solve();

  /// States met, up to renaming.
  std::uint64_t size() const { return states_.size(); }

 private:
  /// A request of a state, or (with `wanted` none) the end of one of its connections.
  struct Event {
    StateId at;
    std::uint16_t input;
    std::uint16_t wanted;
  };
  /// An event that leads to a state; all of them are a list.
  struct Reliance {
    Event event;
    std::uint32_t next;  ///< kNoMore at the end.
  };
  static constexpr std::uint32_t kNoMore = ~std::uint32_t{0};

  enum class Answer { kFound, kNone, kNoRoom };

  bool look_at(StateId id);
  Answer end_connection(const Configuration& routes, Event event);
  Answer connect(const Configuration& routes, const LinkUse& links, Event event);
  Answer rely(Event event, const Configuration& on);
  bool answer_anew();
  void sort_candidates(const LinkUse& links);
  void lose(StateId id);
  std::uint64_t bytes() const;

  Structure structure_;
  SearchLimits limits_;
  AnyRouteRule rule_;
  Packing packing_;
  CanonicalForm canonical_;
  StateSet states_;
  std::vector<bool> lost_;                     // Of each state, as the next.
  std::vector<std::uint32_t> first_reliance_;  // The newest event that leads there, or kNoMore.
  std::deque<Reliance> reliances_;
  ScoredStack waiting_;
  std::vector<Event> unanswered_;  // Requests that led to a state now lost.
  std::vector<std::uint64_t> key_;
  std::vector<RouteWord> candidates_;
  std::vector<std::pair<std::uint32_t, RouteWord>> ranked_;
};

}  // namespace flitcast::clos
