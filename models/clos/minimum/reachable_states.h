// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "clos/minimum/canonical_form.h"
#include "clos/minimum/configuration.h"
#include "clos/minimum/routing_rule.h"
#include "clos/minimum/state_set.h"
#include "clos/trace.h"

namespace flitcast::clos {

/// In which order a search looks at the states that it has found.
enum class SearchOrder {
  kShortestFirst,  ///< By events from the empty network: the first blocking state is a nearest one.
  kFullestFirst,   ///< By the most unusable middle switches between an input and an output switch,
                   ///< the newest of equals: soon at a blocking state if there are many.
};

/// The states that an empty network can get into by connects and disconnects, up to renaming.
///
/// Time of a state: a route, a canonical form and a look into the table for each of up to r1 2^r2
/// requests, and the latter two for each connection: some microseconds in all.
class ReachableStates {
 public:
  /// @param rule  Commutes with the renamings of `symmetry`; must outlive this.
  /// Throws std::invalid_argument for what require_searchable() refuses.
  ReachableStates(const Structure& structure, RoutingRule& rule, Symmetry symmetry,
                  SearchOrder order, const SearchLimits& limits);

  /// Looks for a state in which some request has no route; to be called once.
  SearchOutcome search();

  std::uint64_t size() const { return states_.size(); }
  /// After kBlocks: the events from an empty network to a request that is blocked.
  ///
  /// Canonical configurations have lost the names of ports and switches: what happens next is found
  /// by trying which event leads to the next one, the first of several. New connections take the
  /// lowest idle ports; legs are listed by rising middle switch.
  std::vector<Event> blocking_sequence() const;

 private:
  bool expand(StateId id);
  bool connect_all(const Configuration& routes);
  void disconnect_all(const Configuration& routes);
  void reach(const Configuration& routes);
  bool add_reached(StateId parent);
  /// The canonical configurations from the empty one to the one that blocks.
  std::vector<Configuration> path() const;

  Structure structure_;
  RoutingRule& rule_;
  SearchOrder order_;
  SearchLimits limits_;
  Packing packing_;
  CanonicalForm canonical_;
  StateSet states_;
  ScoredStack waiting_;  // Of kFullestFirst; kShortestFirst goes by number.
  StateId blocking_ = StateSet::kNone;
  std::vector<std::uint64_t> reached_;  // Keys, from the state that is looked at.
  std::vector<RouteWord> candidates_;
};

}  // namespace flitcast::clos
