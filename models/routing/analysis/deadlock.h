// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "routing/analysis/dependency_graph.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// A VC of a link between two routers, or from a node to its router.
struct VirtualChannel {
  RouterId from{};
  PortId output{};
  RouterId to{};
  VcId vc{};
  bool injection =
      false;  ///< From a node: `from` is its router, too, and `output` the input there.
};

/// What the channel-dependency graph of a routing on a topology says.
struct DependencyCheck {
  std::size_t channels = 0;      ///< Virtual channels that some packet uses.
  std::size_t dependencies = 0;  ///< Pairs of them that some packet holds and asks for next.

  /// Virtual channels that some packet waits for: all of them but the adaptive channels that a
  /// routing offers beside escape channels (Alternative::waits).
  std::size_t waited_for = 0;
  /// Whether there are cycles of dependencies at all.
  bool cyclic = false;

  /// Channels of which each depends on the next and the last on the first, one of them at least a
  /// channel that packets wait for; empty if there are none, and then the routing cannot deadlock.
  std::vector<VirtualChannel> cycle;

  bool acyclic() const { return cycle.empty(); }
};

/// Builds the channel-dependency graph by asking the routing itself: for every source and
/// destination, every injection VC, every combination of tie bits and every choice of the source,
/// and all alternatives. Channels to and from nodes are left out, since ejection consumes. An
/// acyclic graph means freedom from deadlock in wormhole and cut-through networks, and in
/// store-and-forward ones with buffers per channel.
///
/// Where a routing offers escape channels, cycles among the other channels do no harm: a packet
/// waits for an escape channel only, and one that follows the holder of such a channel, and whoever
/// that one stands behind, comes to an escape channel farther on in the graph. This is the extended
/// dependency graph of Duato (see extended_dependencies.h) for buffers that packets share, as they
/// do here: dependencies between escape channels lead through the adaptive channels of all packets,
/// not only those of the same destination.
///
/// Reductions, which routers carry out by combining packets: see reduction_dependencies.h.
///
/// Time: O(destinations * 2^tie_dimensions * choices * (used virtual channels + sources) * edges
/// per channel); where Routing::reads_arrival() is false, routers in the place of used virtual
/// channels; memory: see DependencyGraph. Throws std::logic_error as HopFinder::ways(). Sources:
/// Dally and Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection Networks",
/// IEEE Trans. Computers 36(5), 1987; Duato, "A New Theory of Deadlock-Free Adaptive Routing in
/// Wormhole Networks", IEEE Trans. Parallel and Distributed Systems 4(12), 1993.
///
/// @param virtual_channels  Per port, 1 to kMaxVirtualChannels; those the routing was made for.
DependencyCheck check_dependencies(const Topology& topology, const Routing& routing,
                                   std::size_t virtual_channels,
                                   ChannelIdentity identity = ChannelIdentity::kLink);

/// Whether the graph can be built in reasonable time, a minute at most: networks of tens of
/// thousands of nodes are beyond that, and routings that multicast are beyond the graph unless they
/// have reductions, or take packets to single nodes, too (MulticastRouting): then these are
/// checked.
bool dependencies_are_checkable(const Topology& topology, const Routing& routing,
                                std::size_t virtual_channels);

/// How users avoid a cyclic dependency: the hint that follows cyclic_dependency() in messages.
inline constexpr const char* kCycleHint = "use virtual-channel classes or another routing";

/// The message for a cycle that is not empty: "cyclic channel dependency (possible deadlock):
/// router 0 port 0 VC 0 -> router 1 port 0 VC 0 -> router 0 port 0 VC 0". A channel from a node is
/// named by the router input at which it ends. Long cycles are cut to their first channels.
std::string cyclic_dependency(const std::vector<VirtualChannel>& cycle);

}  // namespace flitcast
