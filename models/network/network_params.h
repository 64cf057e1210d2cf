// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/packet.h"
#include "config/problem.h"
#include "network/circuit/circuit_params.h"
#include "network/fabric/message_class.h"
#include "network/fabric/router_cores.h"
#include "router/router_params.h"
#include "routing/queue_priority.h"
#include "topology/topology.h"

namespace flitcast {

/// A central control that decides which packets enter the network: it keeps them in their source
/// queues until the links and outputs that they need are reserved for them.
///
/// A network with an admission has one partition for any NetworkParams::threads, because the
/// order of its calls matters: by cycle, then by node.
class Admission {
 public:
  virtual ~Admission() = default;

  /// Returns whether the packet at the front of its node's queue enters in this cycle. If not, the
  /// node asks again after end_cycle() has listed it.
  virtual bool admit(const Packet& packet) = 0;

  /// Reports that a copy of an admitted packet has arrived at one of its receivers. The links and
  /// outputs of the packet must not be reused before end_cycle(), because some nodes have already
  /// asked in this cycle.
  virtual void arrived(const Delivery& delivery) = 0;

  /// Called after all nodes have run a cycle, and before the sources are notified of the arrivals
  /// in that cycle. Appends the nodes that ask again in the next cycle.
  virtual void end_cycle(std::vector<NodeId>& ask_again) = 0;
};

/// The parameters of a network besides its topology and routing.
struct NetworkParams {
  RouterParams router{};
  /// The router cores of a fabric.
  const RouterCores* cores = &flit_cores();
  /// The unit of buffers and credits; cores that count packets store each packet as a whole.
  BufferUnit unit() const { return cores->unit; }

  /// Cycles on a channel between routers that has no latency in the topology, at least 1. Channels
  /// between a router and its nodes always take 1 cycle.
  std::uint32_t link_latency = 1;
  /// Cycles on the credit wires of every channel; 0: the same number as for a flit on the channel.
  /// A credit leaves when the flit that frees the slot wins the switch, and is usable upstream one
  /// cycle more than this latency after that grant.
  std::uint32_t credit_latency = 1;
  /// Cycles per flit (tm) of a channel from a router to another router or to a node, unless the
  /// topology gives the channel another value. Nodes inject one flit per cycle.
  std::uint32_t cycles_per_flit = 1;
  /// Cycles that a message spends at the front of its source queue before its head leaves (ts); a
  /// message is one packet, or several packets of which all but the first have Packet::continues.
  std::uint32_t startup = 0;

  /// For cores that store packets: decides which packet of a queue leaves first; null: first come,
  /// first served.
  std::shared_ptr<const QueuePriority> priority{};
  /// For cores that store packets: packets of equal rank that join a queue in the same cycle are
  /// ordered by tag, smallest first, and priorities that read the packet number read the tag. If
  /// false, they use PacketId. Algorithms that forward a packet from node to node use tags.
  bool ordered_by_tag = false;
  /// For cores that store packets: the first router waits for the whole packet, too, as if nodes
  /// were at a distance from their routers. If false, the transfer from a node to its router is
  /// part of the start-up.
  bool stored_injection = false;
  /// For a routing with reductions: returns the payload of the packet that two packets with these
  /// payloads are combined into. The operation must be associative and commutative, because routers
  /// combine in the order of their inputs.
  std::uint64_t (*combine)(std::uint64_t, std::uint64_t) = nullptr;
  /// For a network without buffers: the control that connects inputs to outputs, and its timing.
  CircuitParams circuits{};
  /// Decides which packets enter the network; null: a packet enters as soon as its node's channel
  /// accepts it.
  std::shared_ptr<Admission> admission{};

  /// One entry for each message class of the routing; empty: nodes treat all classes alike.
  std::vector<MessageClass> message_classes{};
  /// The number of slots that a node has for replies of each class; 0: unlimited. A packet that
  /// needs a reply takes a slot when its head leaves the ejection channel; the slot is free again
  /// in the cycle after the tail of the reply has left the source queue. A head without a slot
  /// keeps its credits and blocks its virtual channel. The packet source must reply to each of
  /// these packets.
  std::uint32_t reply_queue = 0;

  std::uint64_t seed = 1;  ///< Seed of the random choices of a routing.

  // The members below do not change any result.

  std::uint32_t threads = 1;  ///< Partitions that the network is split into, one thread each.
  /// Runs one cycle per activation, so that other SystemC modules can talk to terminals between
  /// cycles, and sc_start advances the network. If false, only Fabric::run advances it, in batches.
  bool lockstep = false;
  /// Without `lockstep`: Fabric::advance() runs the cycles, several at once.
  bool by_calls = false;
  bool sleep = true;  ///< Skip routers that have nothing to do.
  std::uint64_t shuffle_seed =
      0;  ///< If not 0, the routers of a partition are ticked in random order.
  /// Makes SystemC modules for routers and terminals; each takes more memory than a small router. A
  /// network in lockstep always has them, because other modules talk to the terminals.
  bool modules = true;
  /// With `modules`: also makes a module for every link, buffer and crossbar.
  bool full_hierarchy = true;
};

/// Returns the router parameters, completed by values that follow from the other parameters and
/// from the topology and the routing.
RouterParams router_params(const NetworkParams& params, const Topology& topology,
                           const Routing& routing);
/// The fewest and the most slots that a VC of an input has: behind a channel between routers, or
/// where a node injects.
std::pair<unsigned, unsigned> buffer_depths(const Topology& topology, const RouterParams& router);

/// The number by which the queues of routers order a packet.
inline PacketId number_in_queues(const Packet& packet, const NetworkParams& params) {
  return params.ordered_by_tag ? PacketId{packet.tag} : packet.id;
}

/// Cycles that a message spends in the interfaces of its two nodes: the time from the decision of
/// the sender to that of the receiver, less td per hop and tm per flit. The start-up time ts of the
/// cost model contains this time; see collective/cost.h.
std::int64_t interface_cycles(const NetworkParams& params);
/// td: cycles that a head takes through a router and over a channel of the topology.
std::uint64_t hop_cycles(const NetworkParams& params);

/// Cycles from the grant of a flit at a router until its buffer slot behind a channel of `latency`
/// cycles can be granted again, if no flit waits there. A VC with fewer slots stalls a packet.
std::uint64_t credit_round_trip(const NetworkParams& params, std::uint64_t latency);

/// Cycles from one flit to the next on a channel between routers.
std::uint32_t cycles_per_flit(const Channel& channel, const NetworkParams& params);
/// True if the topology sets cycles_per_flit for any channel.
bool has_widths_of_its_own(const Topology& topology);
/// True if the topology gives no channel a latency, cycles_per_flit or buffer_depth of its own.
bool channels_alike(const Topology& topology);
/// The cycles_per_flit of the slowest channel out of a router.
std::uint32_t most_cycles_per_flit(const Topology& topology, const NetworkParams& params);

/// The channel behind a router output that leads to another router.
OutputChannel channel_behind(const Channel& channel, const NetworkParams& params);
/// The channel behind a router output that leads to a node.
OutputChannel channel_to_node(const NetworkParams& params);

/// Cycles from the sending of a flit by a node to the arrival of the flit in the first router.
inline constexpr std::uint32_t kInjectionLatency = 2;
/// Latency in cycles of the channel from a router to a node.
inline constexpr std::uint32_t kNodeLinkLatency = 1;

/// The limit on RouterOptions::iterations.
inline constexpr unsigned kMostIterations = 32;

/// Options that conflict with other parameters: keys of the section `router`, without places.
std::vector<Problem> problems_of_options(const RouterParams& params);

/// The key of an option that differs from its default; at least one option must differ.
std::string key_of_option(const RouterOptions& options);

}  // namespace flitcast
