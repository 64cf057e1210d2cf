// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "routing/analysis/dependency_graph.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// The result of check_extended_dependencies().
struct ExtendedCheck {
  std::size_t escape_channels = 0;  ///< Virtual channels that some packet waits for.
  std::size_t dependencies = 0;     ///< Between them, direct or through adaptive channels.
  bool acyclic = true;
};

/// Builds the extended channel-dependency graph as Duato defines it: an edge leads from escape
/// channel e1 to e2 if for some destination a packet that may use e1 can after no or some adaptive
/// hops be offered e2. Escape channels are those that packets wait for (Alternative::waits).
///
/// An acyclic graph means freedom from deadlock where packets of different messages share no
/// buffer, or buffers hold whole packets; where they are shared, as in wormhole routers, ask
/// check_dependencies(), which is stricter. RouteEnumerator requires that every packet may wait for
/// some output. Time: O(destinations * 2^tie_dimensions * escape channels * adaptive channels
/// reached from each): for networks of some hundred nodes.
/// Throws as check_dependencies().
/// Source: Duato, "A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks", IEEE
/// Trans. Parallel and Distributed Systems 4(12), 1993.
ExtendedCheck check_extended_dependencies(const Topology& topology, const Routing& routing,
                                          std::size_t virtual_channels);

}  // namespace flitcast
