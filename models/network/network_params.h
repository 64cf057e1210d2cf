// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/packet.h"
#include "network/circuit/admission.h"
#include "network/circuit/circuit_params.h"
#include "network/fabric/message_class.h"
#include "network/fabric/router_cores.h"
#include "router/router_params.h"
#include "routing/queue_priority.h"
#include "topology/topology.h"

namespace flitcast {

/// How a network is built and run, apart from its topology and routing.
struct NetworkParams {
  RouterParams router{};
  /// The cores that the routers of a fabric are.
  const RouterCores* cores = &flit_cores();
  /// The unit of buffers; cores that count packets keep them whole.
  BufferUnit unit() const { return cores->unit; }

  /// Cycles on a channel between routers, for channels that do not bring their own, from 1 up.
  /// Channels between a router and its nodes always take 1.
  std::uint32_t link_latency = 1;
  /// Cycles on the credit wires of every channel, from 1 up. A credit leaves with the flit that
  /// frees the slot and is usable upstream credit_latency + 1 cycles after the grant of the switch.
  std::uint32_t credit_latency = 1;
  /// A channel out of a router, to another or to a node, takes one flit in this many cycles (tm)
  /// unless it brings its own number. Nodes inject one per cycle.
  std::uint32_t cycles_per_flit = 1;
  /// Cycles that a node spends on a packet at the front of its queue before the head leaves (ts).
  std::uint32_t startup = 0;

  /// Cores that keep packets: which packet of a queue leaves first; null: the one that joined it
  /// first.
  std::shared_ptr<const QueuePriority> priority{};
  /// Cores that keep packets: among packets of equal rank that join a queue in one cycle the one
  /// with the smallest tag is first, and priorities that read the number of a packet get its tag.
  /// Otherwise PacketId counts. Algorithms that send a packet on from node to node use tags.
  bool ordered_by_tag = false;
  /// Cores that keep packets: the first router waits for the whole packet, too, as for nodes that
  /// are not beside their routers. Otherwise the way from a node to its router is part of the
  /// start-up.
  bool stored_injection = false;
  /// For a routing with reductions: the payload of a packet made of two with these payloads. The
  /// operation is associative and commutative, since routers combine in the order of their inputs.
  std::uint64_t (*combine)(std::uint64_t, std::uint64_t) = nullptr;
  /// For a network without buffers: how inputs are connected to outputs, and how long that takes.
  CircuitParams circuits{};
  /// Decides which packets enter; null: every packet as soon as its node's channel takes it.
  std::shared_ptr<Admission> admission{};

  /// One for each message class of the routing; none: nodes treat all classes alike.
  std::vector<MessageClass> message_classes{};
  /// Places that a node has for replies of each class; 0: any number. A packet
  /// that is to be answered takes a place as its head leaves the ejection channel, and the place is
  /// free again in the cycle after the tail of its reply has left the source queue. A head without
  /// a place keeps its credits and waits, and so does what is behind it in its virtual channel; the
  /// source of the packets has to reply to each of them.
  std::uint32_t reply_queue = 0;

  std::uint64_t seed = 1;  ///< For the coins of routings with ties.

  // None of the following changes any result.

  std::uint32_t threads = 1;  ///< Partitions that the network is split into, one thread each.
  /// One cycle per activation, so that other SystemC modules can talk to terminals in between and
  /// sc_start moves the network. Otherwise only Fabric::run does, in batches.
  bool lockstep = false;
  bool sleep = true;               ///< Skip routers that have nothing to do.
  std::uint64_t shuffle_seed = 0;  ///< Not 0: tick the routers of a partition in random order.
  /// Modules for routers and terminals, each of which takes more memory than a small router. In
  /// lockstep there are always some, because other modules talk to the terminals.
  bool modules = true;
  /// With modules: one for every link, buffer and crossbar, too.
  bool full_hierarchy = true;
};

/// RouterParams completed by what follows from the other parameters and from the routing.
RouterParams router_params(const NetworkParams& params, const Routing& routing);

/// The number of a packet as the queues of routers know it.
inline PacketId number_in_queues(const Packet& packet, const NetworkParams& params) {
  return params.ordered_by_tag ? PacketId{packet.tag} : packet.id;
}

/// Cycles that a message spends in the interfaces of its two nodes, besides the td of each of its
/// hops and the tm of each of its flits: from a node's decision to send to the decision of the
/// receiver, over no hop and with no flit. The start-up time ts of the cost model contains it; see
/// collective/cost.h.
std::int64_t interface_cycles(const NetworkParams& params);
/// td: a head's way through a router and over a channel of the topology.
std::uint64_t hop_cycles(const NetworkParams& params);

/// Cycles from one flit to the next on a channel between routers.
std::uint32_t cycles_per_flit(const Channel& channel, const NetworkParams& params);
/// True if any channel has a cycles_per_flit of its own.
bool has_widths_of_its_own(const Topology& topology);
/// True if no channel has a latency or a cycles_per_flit of its own.
bool channels_alike(const Topology& topology);
/// The cycles_per_flit of the slowest channel out of a router.
std::uint32_t most_cycles_per_flit(const Topology& topology, const NetworkParams& params);

/// The channel behind an output of a router to another router, and to a node.
OutputChannel channel_behind(const Channel& channel, const NetworkParams& params);
OutputChannel channel_to_node(const NetworkParams& params);

/// Cycles from that in which a node sends a flit to its arrival in the first router.
inline constexpr std::uint32_t kInjectionLatency = 2;
/// Latency of the channel between a router and a node.
inline constexpr std::uint32_t kNodeLinkLatency = 1;

}  // namespace flitcast
