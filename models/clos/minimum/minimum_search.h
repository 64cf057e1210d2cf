// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clos/catalog.h"
#include "clos/minimum/configuration.h"
#include "clos/structure.h"
#include "clos/trace.h"

namespace flitcast::clos {

/// A search is for the name of a deterministic strategy, or for one of three more. A network that
/// never blocks is
///
///   a strategy       nonblocking in the wide sense under this strategy: no state that it lets an
///                    empty network get into, by any connects and disconnects, blocks a valid
///                    request
///   "any"            nonblocking in the wide sense under some strategy, whichever: a game in which
///                    the opponent connects and disconnects, and any legal route may answer
///   "strict"         nonblocking in the strict sense: whatever legal routes connections were given
///   "rearrangeable"  nonblocking if live connections may be moved: whatever sets of outputs the
///                    inputs want at once, there are routes for all
///
/// A random strategy is refused: what it does depends on the numbers it has drawn before, not on
/// the state.
///
/// Smallest m of v(m, n, r) that never block, as found by these searches and by counting:
///
///   n, r   S1, S2   any   S3, S3m, S3r, FF, MU   SPREAD, strict   rearrangeable
///   2, 2     3       3             3                    3                2
///   2, 3     4       4             4                    4                3
///   2, 4     4       4             4                    5                3
///   3, 2     5       5             5                    5                3
///   3, 3     6       6             7                    7                4
///   4, 2     7       7             7                    7                4
///
/// Where members may leave as well, S1 needs 7 for n = r = 3 and the same as before for the other
/// sizes up to (2, 4) and (3, 2); where only its ties are open, 6 as before. Both together: 7.
///
/// v(6, 3, 3) took 121 s under S1 and 202 s under S2, one core, 0.7 GB and 32226768 states each,
/// and 1 s of 86839 states for "any"; every other search took less than 10 s.
/// S1 needs at least 7, 8 and 9 for (n, r) = (3, 4), (4, 3) and (4, 4): it blocks with one less,
/// found within a minute. Whether these suffice is open: 270 s, 1.3 to 1.7 * 10^8 states and 4 to 5
/// GB each gave no verdict.
inline constexpr const char* kAnyStrategy = "any";
inline constexpr const char* kStrictStrategy = "strict";
inline constexpr const char* kRearrangeableStrategy = "rearrangeable";

/// Who chooses where a strategy finds several middle switches equally good?
enum class Ties {
  kByIndex,      ///< The strategy: the lowest.
  kByAdversary,  ///< Who wants to block. Only for strategies that go by sizes of sets.
};

/// What to search for, and how.
struct MinimumParams {
  std::string strategy = strategies()[0].name;
  Ties ties = Ties::kByIndex;
  bool leave = false;  ///< Single members may leave connections, besides connects and disconnects.
  SearchLimits limits{};  ///< For each number of middle switches.
  bool counting = true;   ///< Whether never_blocking_middles() may decide without a search.
  /// Most states of a second search, nearest first, for a shortest blocking sequence. The first
  /// one, fullest first, is soon at a blocking state, but on a path of up to some 10^5 events.
  std::uint64_t shortening_states = 1'000'000;
};

/// What is known of one number of middle switches.
struct MiddleVerdict {
  std::uint32_t m = 0;
  SearchOutcome outcome = SearchOutcome::kNoVerdict;
  bool counted = false;  ///< Decided by never_blocking_middles().
  /// Found by the search that decided, up to renaming; of "rearrangeable": assignments tried.
  std::uint64_t states = 0;
  /// After kBlocks: events from an empty network to the blocked request. Empty for "any", where
  /// they would depend on the answers, and for "rearrangeable", where there are none.
  std::vector<Event> sequence{};
  bool shortest = false;  ///< Whether no sequence is shorter.
};

/// (n1 - 1)(r2 - 1) + n2: with so many middle switches no state blocks, whatever the routes were;
/// (n - 1) r + 1 for v(m, n, r), where it is exact for r >= 2.
///
/// Derived: say that of the other connections from input switch i, n1 - 1 at most, c reach output
/// switch k. They use r2 links of i each at most, the others r2 - 1; connections from elsewhere to
/// k keep one middle switch each from being used, n2 - 1 - c at most. So (n1 - 1)(r2 - 1) + n2 - 1
/// middle switches at most are unusable from i to k, and one more carries the request. Compared
/// with exhaustive search for (2,2), (2,3), (2,4), (3,2).
std::uint64_t never_blocking_middles(const Structure& structure);

/// Searches one network. Throws std::invalid_argument for a strategy that is unknown or random, or
/// whose ties no adversary can break, and for a network that require_searchable() refuses (unless
/// counting decides). Leaves change nothing in the strict sense, whose routes may be any, nor where
/// connections may be moved.
MiddleVerdict verify_middles(const Structure& structure, const MinimumParams& params);

}  // namespace flitcast::clos
