// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

/// Channels on the shortest way from the router where a node injects to that where each node
/// ejects. O(channels).
///
/// Throws PreconditionError (kTopology) if a node is out of reach.
/// @param adjacency  Of the topology.
std::vector<std::uint32_t> distances_from(NodeId source, const Topology& topology,
                                          const Adjacency& adjacency);

}  // namespace flitcast
