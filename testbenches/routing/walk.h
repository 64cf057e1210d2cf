// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "routing/routing.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

/// One hop of a packet between two routers.
struct Hop {
  RouterId router{};
  PortId output{};
  VcSet vcs = 0;  ///< Those offered for the hop.
  VcId vc{};      ///< The one taken: the lowest of them.
};

/// A packet's journey from its source's router to where the routing ejects it, or gives up.
struct Walk {
  std::vector<Hop> hops;
  Endpoint end{};  ///< The output by which the packet left the network.
};

/// Follows a packet by the routing's word alone, entering by the lowest injection VC; stops after
/// `most_hops`.
inline Walk walk(const Topology& topology, const Adjacency& adjacency, const Routing& routing,
                 NodeId source, NodeId destination, std::uint8_t ties = 0,
                 std::size_t most_hops = 1000) {
  Walk result;
  Endpoint at = topology.attachment(source).injection;
  VcId vc{static_cast<std::uint8_t>(__builtin_ctz(routing.injection_vcs(source, destination)))};
  while (result.hops.size() <= most_hops) {
    const Route route = routing.route({at.router, at.port, vc, destination, ties});
    result.end = {at.router, route.output};
    const std::uint32_t channel = adjacency.leaving(at.router, route.output);
    if (channel == Adjacency::kNone) break;
    vc = VcId{static_cast<std::uint8_t>(__builtin_ctz(route.vcs))};
    result.hops.push_back({at.router, route.output, route.vcs, vc});
    at = topology.channels()[channel].to;
  }
  return result;
}

}  // namespace flitcast
