// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "collective/demand.h"
#include "collective/paths.h"
#include "collective/schedule.h"
#include "collective/verification.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

/// By node: the channels on the shortest path from the router where `source` injects to the router
/// where the node ejects. O(channels).
///
/// Throws PreconditionError (kTopology) if a node is out of reach.
std::vector<std::uint32_t> distances_from(NodeId source, const Topology& topology,
                                          const Adjacency& adjacency);

/// A lower bound on the rounds of every algorithm, and its reason.
struct LowerBound {
  std::size_t rounds = 0;
  std::string reason;  ///< For example "eccentricity of the source", "ceil(log_5 N)".
};

/// The smallest r with base^r >= n, in integers.
/// Throws std::invalid_argument unless base >= 2 and n >= 1.
std::size_t ceil_log(std::size_t base, std::size_t n);

/// Hops from a node to the farthest node. O(channels).
/// Throws PreconditionError if a node cannot be reached or `source` does not exist.
std::size_t eccentricity(const Topology& topology, NodeId source);

/// The best lower bound known here on the rounds of an operation; 0 rounds where none is known.
///
/// For messages along paths, where packets are never combined, it is the greatest of the bounds
/// below. There are N nodes; a node has as many ports as its router has channels, but at most
/// discipline.ports; p is the largest number of ports.
///
///   broadcast            ceil(log_(p+1) N)
///   gossip, k chunks     ceil(k (N - 1) / fewest ports of a node): what it has to receive
///   scatter              ceil((N - 1) / ports of the source): what it has to send
///   all-to-all scatter   ceil((N - 1) / fewest ports of a node): what it has to send;
///                        ceil(sum of all distances / channels that a round can use)
///   store-and-forward broadcast and scatter: the eccentricity of the source
///
/// On any network (Switching::kAnyNetwork), where nodes send and receive one message at a time, the
/// bounds are derived here, with D = ceil(log2 N): a root or a node receives or sends N - 1 chunks
/// one at a time; a node receives one message in a round, so the contributions that it knows at
/// most double; without multicast the nodes that hold a chunk at most double.
///
///   broadcast, multicast to g              1, without multicast ceil(log2(g + 1))
///   scatter, gather, gossip, all-to-all    N - 1, D where a message may carry several chunks
///   reductions, scans, barrier             D
///
/// For a mesh or torus with fewer than two channels in some dimension this bound is better than the
/// formula log_(2n+1) N of the source. Cost: O(channels); all-to-all scatter: times N.
/// Throws PreconditionError if a node is out of reach or the source does not exist.
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
/// and 1 until the receiver acts, minus the flit time that overlaps with them. These cycles are
/// part of ts: nodes add a delay of ts - c, and a ts below c counts as c. network/network_params.h
/// computes c as interface_cycles() and td = route + ... + traversal + link latency as
/// hop_cycles(). Buffers must cover the credit round trip.
/// Source: CS838 lecture notes (1999), section 11, "Store-and-forward one-to-all broadcast" and
/// "Wormhole one-to-all broadcast".
struct CostModel {
  std::uint64_t startup = 0;  ///< ts: a node's overhead for a message.
  std::uint64_t hop = 1;      ///< td: a header's time from one router to the next.
  std::uint64_t flit = 1;     ///< tm: a channel's time for one flit.
  std::uint64_t length = 1;   ///< m: flits of a message.
};

/// The flits of an item if a chunk or a contribution has `length` flits; 1 in a barrier, which
/// carries no data. If chunks are cut into B blocks, block b has the flits floor(b * length / B) to
/// floor((b + 1) * length / B) - 1, so that blocks differ by one flit at most.
std::uint32_t item_length(const Demand& demand, ChunkId item, std::uint32_t length);

/// Flits of a message: the sum over its items, but at least 1, its head.
std::uint32_t message_length(const Demand& demand, const Items& items, std::uint32_t length);

/// Flits of the longest message of a schedule; `length` for an empty schedule.
std::uint32_t longest_message(const Demand& demand, const Schedule& schedule, std::uint32_t length);

/// The time of an unloaded message of m flits over `hops` channels, at least one:
///
///   store-and-forward   ts + hops * (td + m * tm)     the whole message stops at every node
///   wormhole            ts + hops * td + m * tm       also cut-through
std::uint64_t message_cycles(const CostModel& cost, Switching switching, std::size_t hops);

/// The time until all nodes are served if a round starts when the longest message of the round
/// before has arrived: the sum of these messages' times. It ends with round verification.rounds, so
/// the useless sends of a flooding after that do not count; a round without sends takes no time.
std::uint64_t analytic_cycles(const CostModel& cost, Switching switching,
                              const Verification& verification);

/// The analytic time of messages without prescribed paths, each with the length of message_length()
/// and the hops of its path. It is exact if no two messages of a round share a channel, and a lower
/// bound otherwise. In the last round only messages with new items count. Absent where a message
/// passes no channel, between nodes at one router, which the formulas do not cover.
/// @param cost  Its length is that of a chunk or a contribution.
std::optional<std::uint64_t> analytic_cycles(const CostModel& cost, Switching switching,
                                             const Demand& demand, const Schedule& schedule,
                                             const MessagePaths& paths,
                                             const Verification& verification);

}  // namespace flitcast
