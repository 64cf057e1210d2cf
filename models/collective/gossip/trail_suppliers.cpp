// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/trail_suppliers.h"

#include "collective/paths.h"

namespace flitcast {

namespace {

constexpr std::uint32_t kOffTrail = ~std::uint32_t{0};

std::size_t link_ports(const Grid& torus) { return 2 * torus.dimensions(); }

}  // namespace

TrailLinks::TrailLinks(const Grid& torus, const std::vector<LoadedTrail>& trails)
    : torus_(torus), used_(torus.node_count() * link_ports(torus)) {
  for (const LoadedTrail& trail : trails) {
    for (std::uint32_t here = 0; here < trail.positions(); ++here) {
      const PortId output = trail.output(here);
      used_[number(trail.node(here), output)] = true;
      used_[number(trail.node(trail.next(here)), opposite(output))] = true;
    }
  }
}

std::size_t TrailLinks::number(NodeId node, PortId port) const {
  return index(node) * link_ports(torus_) + index(port);
}

Suppliers::Suppliers(const TrailLinks& links, const LoadedTrail& trail)
    : links_(links), position_(links.torus().node_count(), kOffTrail) {
  for (std::uint32_t here = 0; here < trail.positions(); ++here) {
    position_[index(trail.node(here))] = here;
  }
}

std::vector<Supplier> Suppliers::of(NodeId fed) const {
  std::vector<Supplier> suppliers;
  for (std::size_t p = 0; p < link_ports(links_.torus()); ++p) {
    const PortId port{static_cast<std::uint16_t>(p)};
    if (links_.used(fed, port)) continue;
    const std::uint32_t position = position_[index(neighbour(links_.torus(), fed, port))];
    if (position != kOffTrail) suppliers.push_back({position, opposite(port)});
  }
  return suppliers;
}

}  // namespace flitcast
