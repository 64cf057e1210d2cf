// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "clos/catalog.h"
#include "clos/minimum/configuration.h"
#include "clos/minimum/routing_rule.h"
#include "clos/minimum/state_search.h"
#include "topology/clos_structure.h"

namespace flitcast::clos {

/// A search is given by the name of a deterministic strategy, or by one of three other names. A
/// network that never blocks is
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
/// A random strategy is refused, because its choice depends on the numbers it has drawn and not on
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
/// If members may leave, too, S1 needs 7 for n = r = 3 and the same as before for the other sizes
/// up to (2, 4) and (3, 2); if only its ties are open, 6 as before. Both together: 7.
///
/// v(6, 3, 3) took 121 s under S1 and 202 s under S2, one core, 0.7 GB and 32226768 states each,
/// and 1 s of 86839 states for "any"; every other search took less than 10 s.
/// S1 needs at least 7, 8 and 9 for (n, r) = (3, 4), (4, 3) and (4, 4): it blocks with one less,
/// found within a minute. Whether these numbers suffice is open: 270 s, 1.3 to 1.7 * 10^8 states
/// and 4 to 5 GB each gave no verdict.
inline constexpr const char* kAnyStrategy = "any";
inline constexpr const char* kStrictStrategy = "strict";
inline constexpr const char* kRearrangeableStrategy = "rearrangeable";

/// Parameters of a search.
struct MinimumParams {
  std::string strategy = strategies()[0].name;
  Ties ties = Ties::kByIndex;
  /// Single members may leave connections, in addition to connects and disconnects.
  bool leave = false;
  SearchLimits limits{};  ///< Limits that apply to each number of middle switches.
  bool counting = true;   ///< True if never_blocking_middles() may decide without a search.
  /// Most states of a second search, shortest first, for a shortest blocking sequence. The first
  /// search, fullest first, soon reaches a blocking state, but on a path of up to some 10^5 events.
  std::uint64_t shortening_states = 1'000'000;
};

/// The result for one number of middle switches: that of the deciding search. For "rearrangeable"
/// its states are the assignments tried. There is no sequence for "any", where it would depend on
/// the answers, and for "rearrangeable", which has no events.
struct MiddleVerdict : SearchResult {
  std::uint32_t m = 0;
  bool counted = false;   ///< Decided by never_blocking_middles().
  bool shortest = false;  ///< True if no sequence is shorter.
};

/// (n1 - 1)(r2 - 1) + n2: with this many middle switches no state blocks under any routes; (n - 1)
/// r + 1 for v(m, n, r), where it is exact for r >= 2.
///
/// Derived: let c of the other connections from input switch i, at most n1 - 1, reach output switch
/// k. They use at most r2 links of i each, the others r2 - 1; connections from elsewhere to k
/// exclude one middle switch each, at most n2 - 1 - c. So at most (n1 - 1)(r2 - 1) + n2 - 1 middle
/// switches are unusable from i to k, and one more carries the request. Compared with exhaustive
/// search for (2,2), (2,3), (2,4), (3,2).
std::uint64_t never_blocking_middles(const Structure& structure);

/// Searches one network.
/// Throws std::invalid_argument for a strategy that is unknown or random, or whose ties an
/// adversary cannot break, and for a network that require_searchable() refuses (unless counting
/// decides). Leaves have no effect in the strict sense, which allows any routes, nor if connections
/// may be moved.
MiddleVerdict check_middles(const Structure& structure, const MinimumParams& params);

}  // namespace flitcast::clos
