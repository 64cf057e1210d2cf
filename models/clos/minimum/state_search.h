// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "clos/minimum/configuration.h"
#include "clos/minimum/routing_rule.h"
#include "clos/trace.h"
#include "topology/clos_structure.h"

namespace flitcast::clos {

/// The result of a search.
struct SearchResult {
  SearchOutcome outcome = SearchOutcome::kNoVerdict;
  std::uint64_t states = 0;  ///< States found, up to renaming.
  /// After kBlocks: the events from an empty network to a request that is blocked.
  std::vector<Event> sequence{};
};

/// The order in which a search processes the states that it has found.
enum class SearchOrder {
  /// Fewest events from the empty network first: the first blocking state is a nearest one.
  kShortestFirst,
  /// Most unusable middle switches between an input and an output switch first, the newest of
  /// equals: soon finds a blocking state if there are many.
  kFullestFirst,
};

/// Plan of a search: its events and its order.
struct SearchPlan {
  Symmetry symmetry = Symmetry::kInputs;
  SearchOrder order = SearchOrder::kShortestFirst;
  bool leave = false;  ///< Single members may leave connections.
};

/// Searches for a state in which some request has no route, among those that an empty network can
/// reach by connects, disconnects and, if allowed, leaves, up to renaming.
///
/// The sequence: canonical configurations have lost the names of ports and switches, so each event
/// is found by trying all events for the first that leads to the next configuration. New
/// connections take the lowest idle ports; legs are listed by ascending middle switch. Time of a
/// state: a route, a canonical form and a table lookup for each of up to r1 2^r2 requests, and the
/// latter two for each connection, or each of its members: some microseconds in all.
/// @param rule  Commutes with the renamings of the plan's symmetry.
/// Throws std::invalid_argument for what require_searchable() refuses.
SearchResult search_reachable_states(const Structure& structure, RoutingRule& rule,
                                     const SearchPlan& plan, const SearchLimits& limits);

/// Decides whether any strategy can keep a network from blocking. A game: the opponent connects and
/// disconnects, or also lets members leave; the strategy answers a request with any legal route.
///
/// A state is lost if some request has no route, or if after some event of the opponent all answers
/// lead to lost states. The network is nonblocking under some strategy if and only if the empty
/// state is not lost. Derived; solved without visiting all states: a tentative strategy answers
/// every request by the best route to a state not known to be lost, one with few legs over lightly
/// loaded middle switches. When a state turns out to be lost, all answers that lead there are
/// replaced. In the end either the empty state is lost, or the states found and not lost are closed
/// under the opponent's events with these answers, which form a strategy that never blocks.
/// kBlocks: the opponent can make every strategy block. There is no sequence, because it would
/// depend on the answers.
/// Throws std::invalid_argument for what require_searchable() refuses. Memory: that of a StateSet,
/// and 12 bytes for each event of each state, usually 20 to 60.
SearchResult solve_routing_game(const Structure& structure, const SearchLimits& limits,
                                bool leave = false);

/// The output switches that each input requests, all at once. An output switch is requested by at
/// most as many inputs as it has ports; the assignment of ports does not matter.
using Assignment = std::array<SwitchMask, kMostSearchInputs>;

/// True if an idle network can carry the whole assignment. Backtracking over the links: exponential
/// at worst. Unused middle switches are equivalent; only one of them is tried.
bool has_routing(const Assignment& wanted, const Structure& structure);

/// The sets of simultaneous connections that a network must carry.
enum class AssignmentKind {
  kPermutations,  ///< Every input has at most one output.
  kMulticast,     ///< Every input has any set of outputs.
};

/// The result for a network whose connections may all be moved.
struct RearrangeableVerdict {
  std::uint32_t m = 0;
  SearchOutcome outcome = SearchOutcome::kNoVerdict;  ///< kBlocks: some assignment has no routing.
  /// Assignments tried, up to the names of inputs.
  std::uint64_t assignments = 0;
  std::optional<Assignment> blocked{};  ///< An assignment without a routing.
};

/// Decides whether every assignment has a routing. Tries all of them, each with a search.
///
/// An assignment is at least as hard as a part of it, so multicast tries only those that use all
/// outputs (of each output switch as many as there are inputs, if these are fewer). All
/// permutations have a routing if and only if m >= n (Slepian and Duguid). Cost: exponential; v(3,
/// 3, 3) has 592704 multicast assignments, few up to the names of inputs.
/// Throws std::invalid_argument for what require_searchable() refuses.
RearrangeableVerdict check_rearrangeable(const Structure& structure, AssignmentKind kind,
                                         const SearchLimits& limits = {});

}  // namespace flitcast::clos
