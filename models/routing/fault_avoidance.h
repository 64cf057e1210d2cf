// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "routing/routing.h"
#include "topology/faults.h"

namespace flitcast {

/// The first pairs of nodes, kEnoughPairs at most, whose packets a routing that knows nothing of
/// the faults may send over a channel that has failed; by their numbers in `topology`.
/// @param routing  Made for topology.whole() and so many virtual channels.
std::vector<std::pair<NodeId, NodeId>> pairs_over_faults(const Faulty& topology,
                                                         const Routing& routing,
                                                         std::size_t virtual_channels);

}  // namespace flitcast
