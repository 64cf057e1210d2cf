// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "clos/minimum/any_route_rule.h"
#include "clos/minimum/canonical_form.h"
#include "clos/minimum/configuration.h"
#include "clos/minimum/packing.h"
#include "clos/minimum/search_limits.h"
#include "clos/minimum/state_set.h"

namespace flitcast::clos {

/// Can any strategy at all keep a network from blocking? A game: the opponent connects and
/// disconnects, the strategy answers a request with any legal route.
///
/// A state is lost if some request has no route, or if the opponent has an event after which all
/// answers lead to lost states. The network is nonblocking under some strategy if and only if the
/// empty state is not lost. Derived; solved by looking only at states that a tentative strategy
/// gets into: it takes a route to a state not known to be lost, one already seen if there is one.
/// When a state turns out to be lost, those from which the strategy went there are looked at again.
/// At the end either the empty state is lost, or the states seen and not lost are closed under all
/// events: the greatest set without blocking contains them.
/// Memory: that of a StateSet, and 8 bytes for each step of the tentative strategy.
class RoutingGame {
 public:
  /// Throws std::invalid_argument for what require_searchable() refuses.
  RoutingGame(const Structure& structure, const SearchLimits& limits);

  /// kBlocks: every strategy can be brought to block. To be called once.
  SearchOutcome solve();

  /// States looked at, up to renaming.
  std::uint64_t size() const { return states_.size(); }

 private:
  /// Someone who relies on a state not being lost.
  struct Reliance {
    StateId who;
    std::uint32_t next;  ///< In the list of the same state; kNoMore at its end.
  };
  static constexpr std::uint32_t kNoMore = ~std::uint32_t{0};

  enum class Event { kAnswered, kLost, kNoRoom };

  StateId find(const Configuration& routes);
  StateId add(const Configuration& routes);
  bool look_at(StateId id);
  Event end_connection(const Configuration& routes, std::uint32_t input, StateId id);
  Event answer(const Configuration& routes, const LinkUse& links, std::uint32_t input,
               SwitchMask wanted, StateId id);
  void rely(StateId who, StateId on);
  void lose(StateId id);

  Structure structure_;
  SearchLimits limits_;
  AnyRouteRule rule_;
  Packing packing_;
  CanonicalForm canonical_;
  StateSet states_;
  std::vector<bool> lost_;
  std::vector<std::uint32_t> first_reliance_;  ///< Of each state.
  std::vector<Reliance> reliances_;
  std::vector<StateId> waiting_;       ///< To be looked at, the last one first.
  std::vector<std::uint64_t> key_;     ///< Scratch.
  std::vector<RouteWord> candidates_;  ///< Scratch.
};

}  // namespace flitcast::clos
