// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "routing/analysis/deadlock.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// The channel-dependency graph of a routing with reductions (Routing::combination()). It includes
/// injection channels, unlike the graph of other packets, because a part (one of the packets that
/// are combined) also waits for parts in them. A part of reduction A at the front of a channel
/// waits for
///  - the channels by which the combined packet leaves the router;
///  - every other part of A at the router, and so for each channel, from the router's other inputs
///    up to the nodes, in which another reduction may be in front of A.
/// An acyclic graph means freedom from deadlock in wormhole and cut-through networks, with any
/// number of packets per reduction: everything that a blocked part waits for is blocked as well, so
/// a deadlock is a cycle in this graph. Body flits add nothing, since a packet in flight holds the
/// front of every channel from its nodes to its head. The converse is not claimed: reductions that
/// all nodes begin in the same order may be refused.
///
/// DependencyCheck::dependencies counts, of the second kind, the channels that a part of each
/// reduction may wait for. Time and memory: O(reductions * inputs * inputs per router).
DependencyCheck check_reductions(const Topology& topology, const Routing& routing,
                                 std::size_t virtual_channels);

}  // namespace flitcast
