// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "collective/judge.h"
#include "collective/schedule.h"

namespace flitcast {

/// The cost model of the lectures, in cycles. Copies inside a node are free.
///
/// On the cycle-accurate network the measured time of a contention-free schedule is the analytic
/// time plus 0 cycles, whatever the switching (store-and-forward, virtual cut-through, wormhole),
/// the network, the source and the length. A message takes td for each hop, tm for each flit, and
///
///   c = route + vc_allocation + switch_allocation + traversal + 4 - tm
///
/// cycles in the interfaces of its two nodes: 2 into the first router, the last router, 1 out of it
/// and 1 until the receiver acts, less the flit time that overlaps with them. Those cycles are part
/// of ts: nodes add ts - c of their own, and a ts below c counts as c. The network knows c as
/// interface_cycles() and td = route + ... + traversal + link latency as hop_cycles(), in
/// network/network_params.h. Buffers must cover the way of a credit and back.
/// Source: CS838 lecture notes (1999), section 11, "Store-and-forward one-to-all broadcast" and
/// "Wormhole one-to-all broadcast".
struct CostModel {
  std::uint64_t startup = 0;  ///< ts: a node's overhead for a message.
  std::uint64_t hop = 1;      ///< td: a header's way through a router to the next.
  std::uint64_t flit = 1;     ///< tm: a channel carries one flit in so many cycles.
  std::uint64_t length = 1;   ///< m: flits of a message.
};

/// Flits of a message of an operation on chunks of `length` flits: as many, but 1 in a barrier,
/// which carries no data.
std::uint32_t message_length(Operation operation, std::uint32_t length);

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
