// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "routing/analysis/dependency_graph.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

class MulticastRouting;

/// A VC of a link between two routers, or from a node to its router.
struct VirtualChannel {
  RouterId from{};
  PortId output{};
  RouterId to{};
  VcId vc{};
  /// True for a channel from a node: `from` is the node's router, and `output` the input of that
  /// router.
  bool injection = false;
};

/// The result of check_dependencies().
struct DependencyCheck {
  std::size_t channels = 0;  ///< Virtual channels that some packet uses.
  /// Pairs of a channel that some packet holds and a channel that it requests next.
  std::size_t dependencies = 0;

  /// Virtual channels that some packet waits for: all but the adaptive channels that a routing
  /// offers beside escape channels (Alternative::waits).
  std::size_t waited_for = 0;
  /// True if there is any cyclic dependency.
  bool cyclic = false;

  /// A cycle with at least one channel that packets wait for: each channel depends on the next and
  /// the last on the first. Empty if there is no such cycle; then the routing is deadlock-free.
  std::vector<VirtualChannel> cycle;

  bool acyclic() const { return cycle.empty(); }
};

/// Builds the channel-dependency graph by asking the routing itself: for every source and
/// destination, every injection VC, every combination of tie bits and every choice of the source,
/// and all alternatives. Channels to and from nodes are left out, since nodes accept every packet.
/// An acyclic graph means freedom from deadlock in wormhole and cut-through networks, and in
/// store-and-forward ones with buffers per channel.
///
/// If a routing offers escape channels, cycles among the other channels are harmless: packets wait
/// for escape channels only, and the packet that blocks an escape channel waits for an escape
/// channel farther on in the graph. This is the extended dependency graph of Duato (see
/// check_extended_dependencies()) for buffers that packets share, as they do here: dependencies
/// between escape channels lead through the adaptive channels of all packets, not only those of the
/// same destination.
///
/// Reductions, which routers carry out by combining packets: see check_reductions().
///
/// Time: O(destinations * 2^tie_dimensions * choices * (used virtual channels + sources) * edges
/// per channel); where Routing::reads_arrival() is false, used virtual channels are replaced by
/// routers. Memory: see DependencyGraph.
/// Throws std::logic_error as RouteEnumerator::next().
/// Sources: Dally and Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection
/// Networks", IEEE Trans. Computers 36(5), 1987; Duato, "A New Theory of Deadlock-Free Adaptive
/// Routing in Wormhole Networks", IEEE Trans. Parallel and Distributed Systems 4(12), 1993.
///
/// @param virtual_channels  Per port, 1 to kMaxVirtualChannels, as the routing was made for.
[[nodiscard]] DependencyCheck check_dependencies(const Topology& topology, const Routing& routing,
                                                 std::size_t virtual_channels);

/// True if the graph can be built in at most a minute; networks of tens of thousands of nodes take
/// longer. False for multicast routings, except those with reductions and those that also route
/// packets to single nodes (MulticastRouting), of which only these packets are checked.
bool dependencies_are_checkable(const Topology& topology, const Routing& routing,
                                std::size_t virtual_channels);

/// How users avoid a cyclic dependency: the hint that follows cyclic_dependency() in messages.
inline constexpr const char* kCycleHint = "use virtual-channel classes or another routing";

/// The message for a cycle that is not empty: "cyclic channel dependency (possible deadlock):
/// router 0 port 0 VC 0 -> router 1 port 0 VC 0 -> router 0 port 0 VC 0". A channel from a node is
/// named by the router input at which it ends. Long cycles are cut to their first channels.
std::string cyclic_dependency(const std::vector<VirtualChannel>& cycle);

/// The channel-dependency graph of a routing with reductions (Routing::combination()). It includes
/// injection channels, unlike the graph of other packets, because a part (one of the packets that
/// are combined) also waits for parts in them. A part of reduction A at the front of a channel
/// waits for
///  - the channels by which the combined packet leaves the router;
///  - every other part of A at the router, and so for each channel, from the router's other inputs
///    up to the nodes, in which another reduction may be in front of A.
/// An acyclic graph means freedom from deadlock in wormhole and cut-through networks, with any
/// number of packets per reduction: everything that a blocked part waits for is blocked as well, so
/// a deadlock is a cycle in this graph. Body flits add nothing, since a packet in flight holds the
/// front of every channel from its nodes to its head. The converse is not claimed: reductions that
/// all nodes begin in the same order may be refused.
///
/// Of the second kind, DependencyCheck::dependencies counts the channels that a part of each
/// reduction may wait for. Time and memory: O(reductions * inputs * inputs per router).
DependencyCheck check_reductions(const Topology& topology, const Routing& routing,
                                 std::size_t virtual_channels);

/// The result of check_extended_dependencies().
struct ExtendedCheck {
  std::size_t escape_channels = 0;  ///< Virtual channels that some packet waits for.
  std::size_t dependencies = 0;     ///< Between escape channels, direct or by adaptive channels.
  bool acyclic = true;
};

/// Builds the extended channel-dependency graph as Duato defines it: an edge leads from escape
/// channel e1 to e2 if for some destination a packet that may use e1 can after no or some adaptive
/// hops be offered e2. Escape channels are those that packets wait for (Alternative::waits).
///
/// An acyclic graph means freedom from deadlock where packets of different messages share no
/// buffer, or buffers hold whole packets; where they are shared, as in wormhole routers, ask
/// check_dependencies(), which is stricter. RouteEnumerator requires that every packet may wait for
/// some output. Time: O(destinations * 2^tie_dimensions * escape channels * adaptive channels
/// reached from each): for networks of some hundred nodes.
/// Throws as check_dependencies().
/// Source: Duato, "A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks", IEEE
/// Trans. Parallel and Distributed Systems 4(12), 1993.
ExtendedCheck check_extended_dependencies(const Topology& topology, const Routing& routing,
                                          std::size_t virtual_channels);

/// How a router forwards the copies of a packet.
enum class Copying {
  /// Wormhole: a flit leaves its buffer when all of its copies have left, so a packet that waits
  /// for one output holds all other outputs, in this router and in the routers behind them.
  kLockStep,
  /// Cut-through: a packet starts when it holds all of its outputs, and the buffer behind each has
  /// space for the whole packet.
  kWholePackets,
  /// Store-and-forward: each copy leaves independently.
  kStored,
};

/// The channel-dependency graph of multicasts from every source to every set of nodes. Its vertices
/// are the VCs of channels between routers and the consumption channels, which are the VCs of
/// channels to nodes; a copy holds these, too, until its tail has left. A packet that is copied
/// requests its outputs at a router in rising order, and starts when it holds all of them. So it
/// may hold
///  - a channel while it requests any output of the router behind it;
///  - an output while it requests a higher one of the same router (not with kStored);
///  - with kLockStep, channels of one branch while it requests channels of another.
/// An acyclic graph means freedom from deadlock.
///
/// The analysis follows the packets for all pairs of destinations: any two channels that a packet
/// for more destinations uses are used by the packet for two of them. Time: O(nodes^3 * diameter).
/// Source of the vertices: Lin and Ni, "Deadlock-Free Multicast Wormhole Routing in Multicomputer
/// Networks", ISCA 1991; consumption channels: Boppana, Chalasani and Raghavendra, "On Multicast
/// Wormhole Routing in Multicomputer Networks", SPDP 1994.
DependencyCheck check_multicasts(const Topology& topology, const MulticastRouting& routing,
                                 std::size_t virtual_channels, Copying copying);

}  // namespace flitcast
