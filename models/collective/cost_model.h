// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "collective/discipline.h"
#include "collective/step_machine.h"

namespace flitcast {

/// The cost model of the lectures, in cycles. Copies inside a node are free.
/// Source: CS838 lecture notes (1999), section 11, "Store-and-forward one-to-all broadcast" and
/// "Wormhole one-to-all broadcast".
struct CostModel {
  std::uint64_t startup = 0;  ///< ts: a node's overhead for a message.
  std::uint64_t hop = 1;      ///< td: a header's way through a router to the next.
  std::uint64_t flit = 1;     ///< tm: a channel carries one flit in so many cycles.
  std::uint64_t length = 1;   ///< m: flits of a message.
};

/// The time of an unloaded message of m flits over `hops` channels, at least one:
///
///   store-and-forward   ts + hops * (td + m * tm)     the whole message stops at every node
///   wormhole            ts + hops * td + m * tm       also cut-through
std::uint64_t message_cycles(const CostModel& cost, Switching switching, std::size_t hops);

/// The time until everyone is served if a round starts when the longest message of the one before
/// has arrived: the sum of their times. It ends with round judgement.rounds, so what a flooding
/// sends in vain afterwards does not count; a round without sends takes no time.
std::uint64_t analytic_cycles(const CostModel& cost, Switching switching,
                              const Judgement& judgement);

}  // namespace flitcast
