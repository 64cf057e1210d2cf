// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/random.h"
#include "routing/routing.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

/// One hop of a packet between two routers.
struct Hop {
  RouterId router{};
  PortId output{};
  VcSet vcs = 0;  ///< The VCs offered for the hop.
  VcId vc{};      ///< The VC taken: the lowest of them.
};

/// The path of a packet from its source's router to the point where the routing ejects it or the
/// walk stops.
struct Walk {
  std::vector<Hop> hops;
  Endpoint end{};  ///< The output by which the packet left the network.
};

/// The random choices of a walk.
struct Chance {
  std::uint32_t choice = 0;  ///< The choice of the source: Routing::choices().
  std::uint64_t seed = 0;    ///< Seeds the choice among alternatives at each router.
};

/// Follows a packet using only the routing. It enters by the lowest injection VC and stops after
/// `most_hops`.
inline Walk walk(const Topology& topology, const Adjacency& adjacency, const Routing& routing,
                 NodeId source, NodeId destination, std::uint8_t ties = 0,
                 std::size_t most_hops = 1000, const Chance& chance = {}) {
  Walk result;
  Random random(chance.seed);
  Endpoint at = topology.attachment(source).injection;
  VcId vc{static_cast<std::uint8_t>(__builtin_ctz(routing.injection_vcs(source, destination)))};
  std::uint16_t route_field =
      routing.most_choices() == 1 ? 0 : routing.choice(source, destination, chance.choice);
  while (result.hops.size() <= most_hops) {
    Alternatives options;
    options.clear();
    routing.alternatives({at.router, at.port, vc, destination, ties, route_field}, options);
    const Alternative& option = options.begin()[random.below(options.size())];
    result.end = {at.router, option.output};
    const std::uint32_t channel = adjacency.leaving(at.router, option.output);
    if (channel == Adjacency::kNone) break;
    vc = lowest_vc(option.vcs);
    route_field = option.route_field;
    result.hops.push_back({at.router, option.output, option.vcs, vc});
    at = topology.channels()[channel].to;
  }
  return result;
}

}  // namespace flitcast
