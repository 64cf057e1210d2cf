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
  /// True for a channel from a node: `from` is its router, and `output` the input there.
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
/// and all alternatives. Channels to and from nodes are left out, since ejection consumes. An
/// acyclic graph means freedom from deadlock in wormhole and cut-through networks, and in
/// store-and-forward ones with buffers per channel.
///
/// If a routing offers escape channels, cycles among the other channels are harmless: packets wait
/// for escape channels only, and the packet that blocks one of them waits for an escape channel
/// farther on in the graph. This is the extended dependency graph of Duato (see
/// extended_dependencies.h) for buffers that packets share, as they do here: dependencies between
/// escape channels lead through the adaptive channels of all packets, not only those of the same
/// destination.
///
/// Reductions, which routers carry out by combining packets: see reduction_dependencies.h.
///
/// Time: O(destinations * 2^tie_dimensions * choices * (used virtual channels + sources) * edges
/// per channel); where Routing::reads_arrival() is false, routers in the place of used virtual
/// channels; memory: see DependencyGraph.
/// Throws std::logic_error as RouteEnumerator::next().
/// Sources: Dally and Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection
/// Networks", IEEE Trans. Computers 36(5), 1987; Duato, "A New Theory of Deadlock-Free Adaptive
/// Routing in Wormhole Networks", IEEE Trans. Parallel and Distributed Systems 4(12), 1993.
///
/// @param virtual_channels  Per port, 1 to kMaxVirtualChannels; those the routing was made for.
DependencyCheck check_dependencies(const Topology& topology, const Routing& routing,
                                   std::size_t virtual_channels,
                                   ChannelIdentity identity = ChannelIdentity::kLink);

/// True if the graph can be built in at most a minute; networks of tens of thousands of nodes take
/// longer. False for multicast routings, unless they have reductions or also route packets to
/// single nodes (MulticastRouting), which are then checked.
bool dependencies_are_checkable(const Topology& topology, const Routing& routing,
                                std::size_t virtual_channels);

/// How users avoid a cyclic dependency: the hint that follows cyclic_dependency() in messages.
inline constexpr const char* kCycleHint = "use virtual-channel classes or another routing";

/// The message for a cycle that is not empty: "cyclic channel dependency (possible deadlock):
/// router 0 port 0 VC 0 -> router 1 port 0 VC 0 -> router 0 port 0 VC 0". A channel from a node is
/// named by the router input at which it ends. Long cycles are cut to their first channels.
std::string cyclic_dependency(const std::vector<VirtualChannel>& cycle);

}  // namespace flitcast
