// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "collective/demand.h"
#include "collective/message_paths.h"
#include "collective/schedule.h"
#include "collective/verification.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

/// Channels on the shortest way from the router where a node injects to that where each node
/// ejects. O(channels).
///
/// Throws PreconditionError (kTopology) if a node is out of reach.
/// @param adjacency  Of the topology.
std::vector<std::uint32_t> distances_from(NodeId source, const Topology& topology,
                                          const Adjacency& adjacency);

/// A number of rounds that no algorithm undercuts, and why.
struct LowerBound {
  std::size_t rounds = 0;
  std::string reason;  ///< "eccentricity of the source", "ceil(log_5 N)"
};

/// The smallest r with base^r >= n, in integers.
/// Throws std::invalid_argument unless base >= 2 and n >= 1.
std::size_t ceil_log(std::size_t base, std::size_t n);

/// Hops from a node to the one farthest from it. O(channels).
/// Throws PreconditionError if a node cannot be reached or `source` is none.
std::size_t eccentricity(const Topology& topology, NodeId source);

/// The best lower bound known here on the rounds of an operation; 0 rounds where none is known.
///
/// Along paths, where packets are never combined, the greatest of those below. N nodes; a node's
/// ports are the channels at its router, though at most discipline.ports; p is the most ports of a
/// node.
///
///   broadcast            ceil(log_(p+1) N)
///   gossip, k chunks     ceil(k (N - 1) / fewest ports of a node): what it has to receive
///   scatter              ceil((N - 1) / ports of the source): what it has to send
///   all-to-all scatter   ceil((N - 1) / fewest ports of a node): what it has to send;
///                        ceil(sum of all distances / channels that a round can use)
///   store-and-forward broadcast and scatter: the eccentricity of the source
///
/// On any network (Switching::kAnyNetwork), where nodes send and receive one message at a time,
/// with D = ceil(log2 N), derived: a root or a node takes N - 1 chunks one at a time, or sends
/// them; in a round a node receives one message, so the contributions that it knows at most double;
/// without multicast the nodes that hold a chunk at most double.
///
///   broadcast, multicast to g              1, without multicast ceil(log2(g + 1))
///   scatter, gather, gossip, all-to-all    N - 1, D where a message may carry several chunks
///   reductions, scans, barrier             D
///
/// With these p a mesh or torus with fewer than two channels in some dimension has a better bound
/// than the formula log_(2n+1) N of the source. Cost: O(channels); all-to-all scatter: times N.
/// Throws PreconditionError if a node is out of reach or the source is none.
/// Source: CS838 lecture notes (1999), section 11, "An example of lower bound calculations" and the
/// two sections that follow it; gossip: U. Meyer and J. F. Sibeyn, "Gossiping Large Packets on
/// Full-Port Tori", section 1.
LowerBound lower_bound(const Topology& topology, const Demand& demand,
                       const Discipline& discipline);

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

/// Flits of an item of an operation whose chunks, or contributions, have `length` flits: as many,
/// but 1 in a barrier, which carries no data. Where they are cut into B blocks block b has flits
/// floor(b * length / B) to floor((b + 1) * length / B) - 1: blocks differ by one flit at most.
std::uint32_t item_length(const Demand& demand, ChunkId item, std::uint32_t length);

/// Flits of a message: of all its items, and at least 1, its head.
std::uint32_t message_length(const Demand& demand, const Items& items, std::uint32_t length);

/// Of the longest message of a schedule; `length` if there is none.
std::uint32_t longest_message(const Demand& demand, const Schedule& schedule, std::uint32_t length);

/// The time of an unloaded message of m flits over `hops` channels, at least one:
///
///   store-and-forward   ts + hops * (td + m * tm)     the whole message stops at every node
///   wormhole            ts + hops * td + m * tm       also cut-through
std::uint64_t message_cycles(const CostModel& cost, Switching switching, std::size_t hops);

/// The time until everyone is served if a round starts when the longest message of the one before
/// has arrived: the sum of their times. It ends with round verification.rounds, so what a flooding
/// sends in vain afterwards does not count; a round without sends takes no time.
std::uint64_t analytic_cycles(const CostModel& cost, Switching switching,
                              const Verification& verification);

/// The same of messages without paths, each as long as message_length() says and over as many
/// channels as its way has. It holds where no two messages of a round share a channel; elsewhere no
/// network is faster. Of the last round only messages count that tell something new. Absent where
/// a message passes no channel, between nodes at one router, which the formulas are not about.
/// @param cost  Its length: of a chunk or a contribution.
std::optional<std::uint64_t> analytic_cycles(const CostModel& cost, Switching switching,
                                             const Demand& demand, const Schedule& schedule,
                                             const MessagePaths& paths,
                                             const Verification& verification);

}  // namespace flitcast
