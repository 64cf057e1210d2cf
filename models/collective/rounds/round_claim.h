// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "collective/lower_bounds.h"
#include "collective/rounds/round_demand.h"

namespace flitcast {

/// What the messages of a round may be.
enum class RoundMethod {
  kMulticast,  ///< To one node or to several: the network makes the copies.
  kUnicast,    ///< To one node each.
};

/// What is promised of an operation on N nodes, from closed formulas.
struct RoundClaim {
  std::size_t rounds = 0;
  std::size_t messages = 0;
  /// No method of this kind needs fewer rounds if nodes send and receive one message at a time.
  LowerBound bound{};
};

/// With D = ceil(log2 N); one number where the methods do not differ, and nothing for N = 1:
///
///   operation            rounds, multicast   rounds, unicast      bound, multicast
///   broadcast            1                   D                    same
///   multicast to g       1                   ceil(log2(g + 1))    same
///   scatter, gather      N - 1               N - 1                same
///   gossip               N                   N - 1                N - 1
///   all-to-all scatter   N - 1               N - 1                same
///   reduce, scan         D                   D                    same
///   all-reduce, barrier  D + 1               D                    D
///
/// Bounds (derived): a root or a node takes N - 1 chunks one at a time, or sends them; in a round a
/// node receives one message, so the contributions that it knows at most double; without multicast
/// the nodes that hold a chunk at most double.
/// Source: CS838 lecture notes (1999), "A wide-sense nonblocking multicast network", names the
/// operations; the plans and their rounds are chosen here.
RoundClaim claim_of(const RoundDemand& demand, RoundMethod method);

}  // namespace flitcast
