// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bit_set.h"
#include "clos/strategy.h"
#include "clos/trace.h"
#include "topology/clos_structure.h"

namespace flitcast::clos {

/// The sets of Lemma 1: I_1 .. I_n and M_1 .. M_m over r output switches, such that
///   1. each output switch is in at most n of the n + m sets, and
///   2. every I_i meets the intersection of any x of the M's; any two M's meet.
///
/// The sets block for this reason: let each M_j be alone on middle switch j. Then no x middle
/// switches carry an I_i (Theorem 1), so n of them would take n (x + 1) > m links A out of one
/// input switch. That any two M's meet is derived: for x >= 2 it follows from the rest; for x = 1
/// the lecture omits it, and without it strategies 1 and 2 put two M's on one middle switch.
/// Source: CS838 lecture notes (1999), "A wide-sense nonblocking multicast network", Lemma 1 and
/// Theorems 7 and 8; the notes prove that such sets exist and name none.
struct Lemma1Family {
  std::uint32_t n = 0;
  std::uint32_t x = 0;
  std::uint32_t r = 0;
  std::vector<BitSet> requests;          ///< I_1 .. I_n, each of size r.
  std::vector<BitSet> destination_sets;  ///< M_1 .. M_m, each of size r.

  std::uint32_t m() const { return static_cast<std::uint32_t>(destination_sets.size()); }
};

/// The violation of a condition of the lemma, "I_2 misses M_1 & M_4"; empty if both hold. Exact, by
/// all C(m, x) intersections.
/// @param pairs  Any two M's must meet, too.
std::optional<std::string> fault_of(const Lemma1Family& family, bool pairs = true);

/// The effort of the search for a small family.
struct Lemma1Search {
  std::size_t samples = 16;  ///< Candidates for each output switch.
  std::size_t tries = 1;     ///< Families; the one with the smallest r is returned.
  std::uint64_t seed = 1;
  bool pairs = true;  ///< Any two M's meet, too. The lecture's lemma does not say so for x = 1.
};

/// A family for n, x and m; r results. Greedy (derived): adds one output switch at a time, which
/// joins a of the sets I and n - a of the sets M; a maximises a C(n - a, x), the most tuples
/// (i; j1 .. jx) that one output switch can cover. The sets that it joins are the best of `samples`
/// random choices, improved by exchanging sets while that covers more open tuples. With the
/// exchanges, starting from another a made little difference; without them, the best of 200 samples
/// gave r = 21, 82, 107 and 137 below.
///
/// r of the defaults: (n, x, m) = (4, 1, 7) 11, (4, 2, 11) 82, (6, 2, 17) 90, (8, 2, 23) 102; with
/// more samples and tries 11, 78, 87 and 97. Time: about samples * r * n (n + m) a C(n - a, x), 0.1
/// s for the last of them.
/// Throws std::invalid_argument unless 1 <= x < n, x <= m, and n C(m, x) is at most 2^26.
Lemma1Family lemma1_family(std::uint32_t n, std::uint32_t x, std::uint32_t m,
                           const Lemma1Search& search = {});

/// v(m, n, r) for the family, with r at least as large as the requests need input switches.
Structure lemma1_network(const Lemma1Family& family);

/// A multicast that an adversary requests.
struct Multicast {
  InputId input{};
  std::vector<OutputId> outputs;  ///< Rising.
};

/// Requests for M_1 .. M_m from inputs n, n + 1, .., then for I_1 .. I_n from inputs 0 .. n - 1,
/// which share a switch; each takes the next port of its output switches. All of them are valid in
/// lemma1_network().
/// Throws std::invalid_argument if the family breaks condition 1 or a set is empty.
std::vector<Multicast> lemma1_requests(const Lemma1Family& family);

/// The outcome of the requests.
struct Lemma1Outcome {
  std::vector<Event> trace;          ///< One event for each request.
  bool alone = true;                 ///< Each M_j got middle switch j and no other.
  std::vector<std::size_t> middles;  ///< Middle switches of each I_i; 0: blocked.
};

/// Plays the requests on lemma1_network(). Under strategies 1 and 2 each M_j gets a separate middle
/// switch, because it meets all earlier ones; each I_i takes at least x + 1 middle switches, and
/// one blocks if m < n (x + 1). Strategy 3 does not block, because it packs the M's.
Lemma1Outcome play_lemma1(const Lemma1Family& family, std::unique_ptr<Strategy> strategy);

}  // namespace flitcast::clos
