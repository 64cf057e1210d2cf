// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "clos/adversaries/opponent.h"
#include "clos/trace.h"

namespace flitcast::clos {

/// Parameters of the search for a blocking sequence.
struct GuidedSearch {
  std::uint64_t events = 1'000'000;  ///< Budget: events applied, over all walks.
  std::size_t samples = 16;          ///< Legal events weighed for each applied event; at least 1.
  std::uint64_t walk = 10'000;       ///< Events before a restart from the empty network.
  std::uint64_t seed = 1;
};

/// A sequence of connects and disconnects that ends in the only blocked request; absent if none is
/// found within the budget. Only a sequence is a proof: m is too small for the strategy. Equal
/// arguments give equal sequences; shrink() makes them readable.
///
/// Each step weighs random legal events, as many connects as disconnects, and applies the one after
/// which the blocking pressure is highest; ties are drawn. All pairs of switches are targets
/// (derived): strategies distinguish middle switches, but not input or output switches. For n = r =
/// 4 that took a third of the events of a fixed pair against S1 at m = 7, and found FF 9 where the
/// fixed pair had not; against S3 it was no better.
///
/// A random strategy answers differently when an event is weighed and when it is applied; with one
/// sample nothing is weighed, and the walk is random. A sequence is replayed from empty before it
/// is returned.
///
/// Largest m found blocking within 10^6 events: n = 4, r = 4: S1 7, S3 8, FF 9; n = 4, r = 8: S1 8,
/// S3 8, FF 10; n = 3, r = 4: S1 5, FF 6. Within 3 * 10^6 events also n = 4, r = 8: S3 9, FF 11; n
/// = 3, r = 4: FF 7. Tiny networks take fewer samples: 1 to 4 find n = 2, r = 3, m = 3 several
/// times sooner than 16. Time: samples times (a request + blocking_pressure()) for each event.
/// Throws std::invalid_argument for no samples, an empty walk, and what ConnectionAdmission
/// refuses.
std::optional<std::vector<Event>> find_blocking_sequence(const Opponent& opponent,
                                                         const GuidedSearch& search = {});

}  // namespace flitcast::clos
