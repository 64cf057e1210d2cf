// SPDX-License-Identifier: Apache-2.0
#include "collective/routability.h"

#include "topology/adjacency.h"
#include "topology/grid.h"

namespace flitcast {

std::uint8_t header_bits(const Topology& topology, const Path& path) {
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  if (grid == nullptr || path.size() == 0) return 0;
  unsigned bits = 0;
  for (const PortId output : path) {
    if (index(output) % 2 != 0) bits |= 1U << (index(output) / 2);
  }
  const bool descending = index(path[0]) / 2 > index(path[path.size() - 1]) / 2;
  if (descending) bits |= 1U << grid->dimensions();
  return static_cast<std::uint8_t>(bits);
}

namespace {

VcId lowest_vc(VcSet vcs) { return VcId{static_cast<std::uint8_t>(__builtin_ctz(vcs))}; }

bool follows(const Topology& topology, const Adjacency& adjacency, const Routing& routing,
             const Send& send, const Path& path) {
  const Endpoint entry = topology.attachment(send.from).injection;
  RouteRequest at{entry.router, entry.port, lowest_vc(routing.injection_vcs(send.from, send.to)),
                  send.to, header_bits(topology, path)};
  for (const PortId output : path) {
    const Route route = routing.route(at);
    if (route.output != output) return false;
    const std::uint32_t channel = adjacency.leaving(at.router, output);
    if (channel == Adjacency::kNone) return false;
    at.router = topology.channels()[channel].to.router;
    at.input = topology.channels()[channel].to.port;
    at.vc = lowest_vc(route.vcs);
  }
  return true;
}

}  // namespace

std::optional<std::size_t> first_unroutable(const Topology& topology, const Routing& routing,
                                            const Schedule& schedule) {
  const Adjacency adjacency(topology);
  for (std::size_t s = 0; s < schedule.size(); ++s) {
    if (!follows(topology, adjacency, routing, schedule.send(s), schedule.path(s))) return s;
  }
  return std::nullopt;
}

}  // namespace flitcast
