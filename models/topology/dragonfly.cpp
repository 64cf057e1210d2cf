// SPDX-License-Identifier: Apache-2.0
#include "topology/dragonfly.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/sequences.h"
#include "topology/catalog.h"

namespace flitcast {
namespace {

// The fewest and the most ports of a router.
std::pair<std::size_t, std::size_t> dragonfly_ports(const Dragonfly::Params& params) {
  const auto [p, a, h, arrangement, leaves] = params;
  const std::size_t alike = a - 1 + h + p;
  return leaves > 0 ? std::minmax({a + p, leaves + h}) : std::pair(alike, alike);
}

constexpr std::array<const char*, 3> kArrangements{"absolute", "relative", "circulant"};

std::string dragonfly_name(const Dragonfly::Params& params) {
  const bool other = params.arrangement != Dragonfly::Arrangement::kAbsolute;
  return "dragonfly p=" + std::to_string(params.nodes) + " a=" + std::to_string(params.routers) +
         " h=" + std::to_string(params.global_links) +
         (params.leaves > 0 ? " leaves=" + std::to_string(params.leaves) : "") +
         (other ? std::string{" "} + kArrangements[static_cast<std::size_t>(params.arrangement)]
                : "");
}

}  // namespace

bool Dragonfly::buildable(const Params& params) {
  for (const std::size_t number : {params.nodes, params.routers, params.global_links}) {
    if (number == 0 || number > kMaxPorts) return false;
  }
  return dragonfly_ports(params).second <= kMaxPorts && size(params).nodes <= kMaxRouters;
}

TopologySize Dragonfly::size(const Params& params) {
  const auto [p, a, h, arrangement, leaves] = params;
  const std::size_t groups = a * h + 1;
  const std::size_t within = leaves > 0 ? 2 * leaves * a : a * (a - 1);
  return {bounded_product({leaves + a, groups}),
          bounded_product({leaves > 0 ? leaves : a, p, groups}), groups * (within + a * h),
          dragonfly_ports(params).first};
}

Dragonfly::Dragonfly(const Params& params) : Topology(dragonfly_name(params)), params_(params) {
  if (!buildable(params)) throw std::invalid_argument("no such dragonfly");
  for (std::size_t r = 0; r < size(params).routers; ++r) {
    const std::size_t first = first_node_port(to_id<RouterId>(r));
    const std::size_t ports = first + (r % members() < hosts() ? params.nodes : 0);
    const RouterId router = add_router(ports, ports);
    connect(router);
    for (std::size_t port = first; port < ports; ++port) {
      const Endpoint end{router, to_id<PortId>(port)};
      add_node({end, end});
    }
  }
}

// Adds the channels that leave a router.
void Dragonfly::connect(RouterId router) {
  const std::size_t here = group(router);
  for (std::size_t number = 0; number < members(); ++number) {
    const RouterId other = to_id<RouterId>(here * members() + number);
    if (links_between(router, other) != 1) continue;
    add_channel({{router, towards(router, other)}, {other, towards(other, router)}});
  }
  if (is_leaf(router)) return;
  const std::size_t h = params_.global_links;
  const std::size_t first = (index(router) % members() - params_.leaves) * h;
  for (std::size_t link = first; link < first + h; ++link) {
    const std::size_t there = group_behind(link, here);
    add_channel({gateway(here, there), gateway(there, here)});
  }
}

std::size_t Dragonfly::group_behind(std::size_t link, std::size_t from) const {
  switch (params_.arrangement) {
    case Arrangement::kRelative:
      return (from + link + 1) % groups();
    case Arrangement::kCirculant:
      return (from + (link % 2 == 0 ? link / 2 + 1 : groups() - link / 2 - 1)) % groups();
    case Arrangement::kAbsolute:
      break;
  }
  return link < from ? link : link + 1;
}

// The inverse of group_behind().
std::size_t Dragonfly::link_towards(std::size_t to, std::size_t from) const {
  const std::size_t ahead = (to + groups() - from) % groups();
  switch (params_.arrangement) {
    case Arrangement::kRelative:
      return ahead - 1;
    case Arrangement::kCirculant:
      return 2 * ahead <= groups() ? 2 * ahead - 2 : 2 * (groups() - ahead) - 1;
    case Arrangement::kAbsolute:
      break;
  }
  return to < from ? to : to - 1;
}

Endpoint Dragonfly::gateway(std::size_t from, std::size_t to) const {
  const std::size_t h = params_.global_links;
  const std::size_t link = link_towards(to, from);
  return {to_id<RouterId>(from * members() + params_.leaves + link / h),
          to_id<PortId>(first_global_port() + link % h)};
}

PortId Dragonfly::towards(RouterId from, RouterId to, std::size_t spread) const {
  const auto [p, a, h, arrangement, leaves] = params_;
  if (leaves == 0) return to_id<PortId>((index(to) + a - index(from) - 1) % a);
  if (links_between(from, to) == 2) return to_id<PortId>(spread % (is_leaf(from) ? a : leaves));
  return to_id<PortId>(index(to) % members() - (is_leaf(from) ? leaves : 0));
}

namespace {

Dragonfly::Params dragonfly_params(const Section& section) {
  const std::size_t arrangement = index_of(kArrangements, section.text("arrangement"));
  Dragonfly::Params params{
      section.count("nodes"), section.count("routers"), section.count("global_links"),
      static_cast<Dragonfly::Arrangement>(arrangement), section.count("leaves")};
  if (params.routers == 0) params.routers = params.leaves > 0 ? params.leaves : 2 * params.nodes;
  if (params.global_links == 0) params.global_links = params.nodes;
  return params;
}

std::unique_ptr<Topology> make_dragonfly(const Section& section) {
  const Dragonfly::Params params = dragonfly_params(section);
  if (!Dragonfly::buildable(params)) {
    section.fail("nodes",
                 "a router would have " + std::to_string(dragonfly_ports(params).second) +
                     " ports, or there would be more than 2^24 nodes",
                 params.leaves > 0 ? "make leaves + global_links and routers + nodes at most 128"
                                   : "make routers - 1 + global_links + nodes at most 128");
  }
  return std::make_unique<Dragonfly>(params);
}

}  // namespace

TopologyEntry dragonfly_topology() {
  return {
      {"dragonfly",
       "Groups of routers that are all linked to each other, or of leaves and spines "
       "(Dragonfly+), with one global link between any two groups.",
       {Param::integer("nodes", "nodes", "p: nodes of each router, or of each leaf.", 1, kMaxPorts),
        Param::integer("routers", "routers",
                       "a: routers of each group with global links; 0: twice the nodes, or as "
                       "many as leaves.",
                       0, kMaxPorts)
            .defaults_to(0),
        Param::integer("leaves", "routers",
                       "Dragonfly+: leaves of each group, which have its nodes and a link to "
                       "each of its routers; these have no other links within the group.",
                       0, kMaxPorts)
            .defaults_to(0)
            .dumped_if_changed(),
        Param::integer("global_links", "links",
                       "h: global links of each router, so that there are a h + 1 groups; 0: "
                       "as many as nodes.",
                       0, kMaxPorts)
            .defaults_to(0),
        Param::choice("arrangement",
                      "The group behind each global link of a group. absolute: in ascending "
                      "order; relative: those 1, 2, ... further on; circulant: those 1 further "
                      "on and back, 2 further on and back, ...",
                      {kArrangements.begin(), kArrangements.end()})
            .dumped_if_changed()},
       make_dragonfly,
       {"nodes: 1", "nodes: 1, routers: 3, global_links: 2",
        "nodes: 2, routers: 1, global_links: 2", "nodes: 1, routers: 1, global_links: 1",
        "nodes: 1, routers: 3, global_links: 2, arrangement: relative",
        "nodes: 1, routers: 3, global_links: 1, arrangement: circulant", "nodes: 1, leaves: 2",
        "nodes: 2, leaves: 1, routers: 3, global_links: 1"}},
      [](const Section& section) { return Dragonfly::size(dragonfly_params(section)); }};
}

}  // namespace flitcast
