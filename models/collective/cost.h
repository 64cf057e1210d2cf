// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
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

/// A lower bound on rounds, and its reason.
struct LowerBound {
  std::size_t rounds = 0;
  std::string reason;  ///< For example "eccentricity of the source", "ceil(log_5 N)".
};

/// The smallest r with base^r >= n, in integers.
/// Throws std::invalid_argument unless base >= 2 and n >= 1.
std::size_t ceil_log(std::size_t base, std::size_t n);

/// The best lower bound known here on the rounds of an operation: one value for all algorithms that
/// run on a machine, because it depends on the network, the operation and the machine only.
///
/// @param machine  How messages move (switching), the ports of a node, and whether the network
///                 copies messages for several nodes (multicast). Not the algorithm's own use of
///                 them: an algorithm that sends one message at a time on nodes with all ports has
///                 the bound of all ports.
/// @param dimension_ordered  Messages cross the dimensions in one order, wherever they are.
///
/// There are N nodes; a node has as many ports as its router has channels, but at most
/// machine.ports; p is the largest number of ports.
///
/// Messages along whole paths, of one packet under Switching::kWormhole, of any number of chunks
/// between ranks under Switching::kAnyNetwork:
///
///   broadcast, multicast to g   ceil(log_(p+1) (nodes that receive + 1)): informed nodes grow
///                               (p+1)-fold at most; 1 where the network copies
///   all others                  ceil(log_(p+1) N): so do the nodes of which a node knows; for a
///                               scatter 1 where the network copies
///
/// Packets, which are never combined, under kWormhole and, over one channel in a round, under
/// kStoreAndForward:
///
///   gossip, k chunks     ceil(k (N - 1) / fewest ports of a node): what it has to receive
///   scatter              ceil((N - 1) / ports of the source): what it has to send
///   all-to-all scatter   ceil((N - 1) / fewest ports of a node): what it has to send;
///                        ceil(sum of all distances / channels that a round can use)
///
/// Messages through routers that copy and combine, one channel a round (kThroughRouters): the
/// eccentricity of the source, or of node 0, and 2; among some of the nodes 2.
///
/// Store-and-forward broadcast, scatter and reductions: also the eccentricity of the source. With
/// one port 1 round more if there are several farthest nodes, because only one chunk travels
/// without delay, and 2 more from the centre of a 2-D mesh, because each of two chunks can reach
/// one corner with a delay of 1 at most.
///
/// An all-port broadcast along whole paths takes more rounds in some networks whose routing is
/// dimension-ordered, because a node sends one message through a port in a round:
///
///   hypercube      Only the messages that leave by the first dimension of the order change over to
///                  the other half. After r rounds at most ((n+1)^r - (n-1)^r) / 2 nodes of that
///                  half are informed, but it has 2^(n-1).
///   mesh, torus    A message that leaves by the last dimension of the order stays in its line. Of
///                  the (2n+1)^r messages and informed nodes of r rounds, 3^r stay in the line of
///                  the source, which has fewer places.
///
/// So 5, 9 and 10 dimensions take 3, 4 and 4 rounds, and T(5^k,5^k) takes 2k + 1.
///
/// For a mesh or torus with fewer than two channels in some dimension this bound is better than the
/// formula log_(2n+1) N of the source. Cost: O(channels); all-to-all scatter: times N.
/// Throws PreconditionError if a node is out of reach or the source does not exist.
/// Source: CS838 lecture notes (1999), section 11, "An example of lower bound calculations" and the
/// two sections that follow it; gossip: U. Meyer and J. F. Sibeyn, "Gossiping Large Packets on
/// Full-Port Tori", section 1. The bounds between ranks, the additions for one port and for
/// dimension-ordered routing are derived here.
LowerBound lower_bound(const Topology& topology, const Demand& demand, const Discipline& machine,
                       bool dimension_ordered = false);

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
std::uint64_t item_length(const Demand& demand, ChunkId item, std::uint64_t length);

/// Flits of a message: the sum over its items, but at least 1, its head.
std::uint64_t message_length(const Demand& demand, const Items& items, std::uint64_t length);

/// Flits of the longest message of a schedule; `length` for an empty schedule.
std::uint64_t longest_message(const Demand& demand, const Schedule& schedule, std::uint64_t length);

/// The time of an unloaded message of m flits over `hops` channels, or 0 between nodes at one
/// router, where all routers take ts + m * tm:
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
/// bound otherwise. In the last round only messages with new items count.
/// @param cost  Its length is that of a chunk or a contribution.
/// @param in_turn  True: the messages of a round that share a channel pass it one after another, so
///                 that L of them add L - 1 times the flit time of the round's longest message. On
///                 a wormhole torus it is within 6 % of the measured time.
std::uint64_t analytic_cycles(const CostModel& cost, Switching switching, const Demand& demand,
                              const Schedule& schedule, const MessagePaths& paths,
                              const Verification& verification, bool in_turn = false);

}  // namespace flitcast
