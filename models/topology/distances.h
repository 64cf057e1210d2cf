// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

/// Stands for the distance to a router out of reach.
inline constexpr std::uint32_t kUnreached = ~std::uint32_t{0};

/// Channels on a shortest way from one router to every router, or kUnreached. O(channels).
/// @param adjacency  Of the topology.
std::vector<std::uint32_t> distances_to_routers(RouterId start, const Topology& topology,
                                                const Adjacency& adjacency);

}  // namespace flitcast
