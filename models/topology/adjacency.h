// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// A topology's channels looked up by the output port that they leave from.
class Adjacency {
 public:
  /// Stands for an output that no channel leaves from: local or unconnected.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Throws std::invalid_argument if a channel's port does not exist or an output feeds two
  /// channels.
  explicit Adjacency(const Topology& topology);

  /// Index into Topology::channels() of the channel that leaves by this port, or kNone.
  std::uint32_t leaving(RouterId router, PortId output) const {
    return channels_[first_[index(router)] + index(output)];
  }

 private:
  std::vector<std::size_t> first_;       // Per router: where its outputs start in channels_.
  std::vector<std::uint32_t> channels_;  // Per router and output.
};

/// Stands for the distance to a router out of reach.
inline constexpr std::uint32_t kUnreached = ~std::uint32_t{0};

/// Channels on a shortest way from one router to every router, or kUnreached. O(channels).
/// @param adjacency  Of the topology.
std::vector<std::uint32_t> distances_to_routers(RouterId start, const Topology& topology,
                                                const Adjacency& adjacency);

}  // namespace flitcast
