// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "routing/routing.h"
#include "topology/faults.h"

namespace flitcast {

/// The first pairs of nodes, at most kEnoughPairs, between which a routing that ignores faults may
/// use a failed channel. The nodes have their numbers in `topology`.
/// @param routing Made for topology.whole() and `virtual_channels`.
std::vector<std::pair<NodeId, NodeId>> pairs_over_faults(const Faulty& topology,
                                                         const Routing& routing,
                                                         std::size_t virtual_channels);

}  // namespace flitcast
