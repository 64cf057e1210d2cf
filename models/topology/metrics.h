// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "topology/topology.h"

namespace flitcast {

/// The figures by which topologies are compared. The distance from a node to a node is the least
/// number of channels between the router where the one injects and the router where the other
/// ejects; the channels to and from the nodes themselves do not count.
struct TopologyMetrics {
  std::size_t degree = 0;    ///< Most channels that leave a router for other routers.
  std::size_t diameter = 0;  ///< Greatest distance between two distinct nodes.
  double mean_distance = 0;  ///< Over ordered pairs of distinct nodes; 0 for a single node.
  double mean_distance_with_self = 0;  ///< Over all ordered pairs, a node and itself included.
  std::optional<std::size_t> bisection_channels;  ///< Topology::bisection_channels().
};

/// Distances by breadth-first search from every router: time O(routers * channels).
/// Throws std::invalid_argument if a node cannot reach another.
TopologyMetrics measure(const Topology& topology);

/// Channels that leave the router which has most of them for other routers.
std::size_t degree(const Topology& topology);

/// Ports to other routers, connected or not, of the router which has most of them, at least 1: the
/// ports of an all-port node.
std::size_t most_router_ports(const Topology& topology);

}  // namespace flitcast
