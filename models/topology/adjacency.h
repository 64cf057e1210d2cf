// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
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

/// The distance to a router that cannot be reached.
inline constexpr std::uint32_t kUnreached = ~std::uint32_t{0};

/// The distances from one router to every router, in channels, or kUnreached. Time: O(channels).
std::vector<std::uint32_t> distances_to_routers(RouterId start, const Topology& topology,
                                                const Adjacency& adjacency);

}  // namespace flitcast
