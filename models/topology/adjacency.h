// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// Finds the channel that leaves from an output port.
class Adjacency {
 public:
  /// The answer for an output from which no channel leaves, because it is local or unconnected.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Throws std::invalid_argument if a channel's port does not exist or an output feeds two
  /// channels.
  explicit Adjacency(const Topology& topology);

  /// The channel that leaves from this output, as an index into Topology::channels(), or kNone.
  std::uint32_t leaving(RouterId router, PortId output) const {
    return channels_[first_[index(router)] + index(output)];
  }

 private:
  std::vector<std::size_t> first_;       // Per router, the index of its output 0 in channels_.
  std::vector<std::uint32_t> channels_;  // Per router and output.
};

/// The ports by which a router sends to another one, and receives from it, by the first channel
/// between them. Throws std::invalid_argument if there is none. For nodes see
/// Topology::attachment().
PortId output_to(const Topology& topology, RouterId router, RouterId to);
PortId input_from(const Topology& topology, RouterId router, RouterId from);

/// The distance to a router that cannot be reached.
inline constexpr std::uint32_t kUnreached = ~std::uint32_t{0};

/// The number of steps from the nearest of the vertices `reached` to every vertex of a graph, or
/// kUnreached; breadth first.
/// @param for_each_next  for_each_next(v, lead) calls lead(w) for every w that one step from v
///                       leads to.
template <class ForEachNext>
std::vector<std::uint32_t> count_steps(std::vector<std::uint32_t> reached, std::size_t vertices,
                                       const ForEachNext& for_each_next) {
  std::vector<std::uint32_t> steps(vertices, kUnreached);
  for (const std::uint32_t start : reached) steps[start] = 0;
  // The list grows while it is walked. NOLINTNEXTLINE(modernize-loop-convert)
  for (std::size_t at = 0; at < reached.size(); ++at) {
    const std::uint32_t here = reached[at];
    for_each_next(here, [&](std::uint32_t next) {
      if (steps[next] != kUnreached) return;
      steps[next] = steps[here] + 1;
      reached.push_back(next);
    });
  }
  return steps;
}

/// The distances from one router to every router, in channels, or kUnreached. Time: O(channels).
std::vector<std::uint32_t> distances_to_routers(RouterId start, const Topology& topology,
                                                const Adjacency& adjacency);

/// The figures by which topologies are compared. The distance between two nodes is the smallest
/// number of channels from the router where the first injects to the router where the second
/// ejects; channels to and from nodes do not count.
struct TopologyMetrics {
  std::size_t degree = 0;    ///< Maximum number of channels from a router to other routers.
  std::size_t diameter = 0;  ///< Maximum distance between two nodes.
  double mean_distance = 0;  ///< Mean over ordered pairs of distinct nodes; 0 for a single node.
  std::optional<std::size_t> bisection_channels;  ///< Topology::bisection_channels().
};

/// Computes distances by breadth-first search from every router, in O(routers * channels).
/// Throws std::invalid_argument if a node cannot reach another.
TopologyMetrics measure(const Topology& topology);

/// The maximum number of channels from a router to other routers.
std::size_t degree(const Topology& topology);

/// The maximum number of ports to other routers, connected or not, of a router, at least 1. An
/// all-port node has as many ports.
std::size_t most_router_ports(const Topology& topology);

}  // namespace flitcast
