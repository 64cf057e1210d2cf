// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "routing/dependency_graph.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// A VC of a link between two routers.
struct VirtualChannel {
  RouterId from{};
  PortId output{};
  RouterId to{};
  VcId vc{};
};

/// What the channel-dependency graph of a routing on a topology says.
struct DependencyCheck {
  std::size_t channels = 0;      ///< Virtual channels that some packet uses.
  std::size_t dependencies = 0;  ///< Pairs of them that some packet holds and asks for next.

  /// Channels of which each waits for the next and the last for the first; empty if there are none,
  /// and then the routing cannot deadlock.
  std::vector<VirtualChannel> cycle;

  bool acyclic() const { return cycle.empty(); }
};

/// Builds the channel-dependency graph by asking the routing itself: for every source and
/// destination, every injection VC and every combination of tie bits. Channels to and from nodes
/// are left out, since ejection consumes. An acyclic graph means freedom from deadlock in wormhole
/// and cut-through networks, and in store-and-forward ones with buffers per channel.
///
/// Time: O(destinations * 2^tie_dimensions * (used virtual channels + sources) * edges per
/// channel); where Routing::reads_arrival() is false, routers in the place of used virtual
/// channels; memory: see DependencyGraph. Throws std::logic_error if the routing leads out of an
/// unconnected port, out of the local port of another node, or offers no VC or one that does not
/// exist. Sources: Dally and Seitz, "Deadlock-Free Message Routing in Multiprocessor
/// Interconnection Networks", IEEE Trans. Computers 36(5), 1987.
///
/// @param virtual_channels  Per port, 1 to kMaxVirtualChannels; those the routing was made for.
DependencyCheck check_dependencies(const Topology& topology, const Routing& routing,
                                   std::size_t virtual_channels,
                                   ChannelIdentity identity = ChannelIdentity::kLink);

/// Whether the graph can be built in reasonable time, a minute at most: networks of tens of
/// thousands of nodes are beyond that, and routings that multicast are beyond the graph.
bool dependencies_are_checkable(const Topology& topology, const Routing& routing,
                                std::size_t virtual_channels);

/// One channel a line, "router 0 port 2 vc 0 -> router 1", each waiting for the next.
std::string to_text(const std::vector<VirtualChannel>& cycle);

}  // namespace flitcast
