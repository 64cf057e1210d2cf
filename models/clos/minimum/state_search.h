// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "clos/minimum/configuration.h"
#include "clos/minimum/routing_rule.h"
#include "clos/structure.h"
#include "clos/trace.h"

namespace flitcast::clos {

/// What a search has found.
struct SearchResult {
  SearchOutcome outcome = SearchOutcome::kNoVerdict;
  std::uint64_t states = 0;  ///< That it met, up to renaming.
  /// After kBlocks: the events from an empty network to a request that is blocked.
  std::vector<Event> sequence{};
};

/// In which order a search looks at the states that it has found.
enum class SearchOrder {
  kShortestFirst,  ///< By events from the empty network: the first blocking state is a nearest one.
  kFullestFirst,   ///< By the most unusable middle switches between an input and an output switch,
                   ///< the newest of equals: soon at a blocking state if there are many.
};

/// What a search follows, and in which order.
struct SearchPlan {
  Symmetry symmetry = Symmetry::kInputs;
  SearchOrder order = SearchOrder::kShortestFirst;
  bool leave = false;  ///< Single members may leave connections.
};

/// Looks for a state in which some request has no route, among those that an empty network can get
/// into by connects, disconnects and, if they may happen, leaves, up to renaming.
///
/// The sequence: canonical configurations have lost the names of ports and switches, so what
/// happens next is found by trying which event leads to the next one, the first of several. New
/// connections take the lowest idle ports; legs are listed by rising middle switch. Time of a
/// state: a route, a canonical form and a look into the table for each of up to r1 2^r2 requests,
/// and the latter two for each connection, or each of its members: some microseconds in all.
/// @param rule  Commutes with the renamings of the plan's symmetry.
/// Throws std::invalid_argument for what require_searchable() refuses.
SearchResult search_reachable_states(const Structure& structure, RoutingRule& rule,
                                     const SearchPlan& plan, const SearchLimits& limits);

/// Can any strategy at all keep a network from blocking? A game: the opponent connects and
/// disconnects, or also lets members leave; the strategy answers a request with any legal route.
///
/// A state is lost if some request has no route, or if after some event of the opponent all answers
/// lead to lost states. The network is nonblocking under some strategy if and only if the empty
/// state is not lost. Derived; solved without looking at all states: a tentative strategy answers
/// every request by the best route to a state not known to be lost, one with few legs over middle
/// switches that carry little. When a state turns out to be lost, all answers that lead there are
/// given anew. In the end either the empty state is lost, or the states met and not lost are closed
/// under the opponent's events with these answers, which are a strategy that never blocks.
/// kBlocks: every strategy can be brought to block. There is no sequence, which would depend on the
/// answers. Throws std::invalid_argument for what require_searchable() refuses.
/// Memory: that of a StateSet, and 12 bytes for each event of each state, usually 20 to 60.
SearchResult solve_routing_game(const Structure& structure, const SearchLimits& limits,
                                bool leave = false);

/// The output switches that each input wants to reach, all at once. An output switch is wanted by
/// as many inputs as it has ports at most; which port is whose does not matter.
using Assignment = std::array<SwitchMask, kMostSearchInputs>;

/// Whether an idle network can carry the whole assignment. Tries the links in turn and goes back
/// where it does not get on: exponential at worst. Middle switches that carry nothing yet are all
/// alike; only one of them is tried.
bool has_routing(const Assignment& wanted, const Structure& structure);

/// What all connections of a network together may ask for.
enum class AssignmentKind {
  kPermutations,  ///< Every input one output at most.
  kMulticast,     ///< Every input any set of outputs.
};

/// What is known of a network whose connections may all be moved.
struct RearrangeableVerdict {
  std::uint32_t m = 0;
  SearchOutcome outcome = SearchOutcome::kNoVerdict;  ///< kBlocks: some assignment has no routing.
  std::uint64_t assignments = 0;                      ///< Tried, up to the names of inputs.
  std::optional<Assignment> blocked{};                ///< One without a routing.
};

/// Does every assignment have some routing? Tries all of them, each with a search for a routing.
///
/// An assignment is no easier than a part of it, so that multicast tries only those that use all
/// outputs (of each output switch as many as there are inputs, if these are fewer). All
/// permutations have a routing if and only if m >= n (Slepian and Duguid). Cost: exponential; v(3,
/// 3, 3) has 592704 multicast assignments, few up to the names of inputs. Throws
/// std::invalid_argument for what require_searchable() refuses.
RearrangeableVerdict verify_rearrangeable(const Structure& structure, AssignmentKind kind,
                                          const SearchLimits& limits = {});

}  // namespace flitcast::clos
