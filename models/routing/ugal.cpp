// SPDX-License-Identifier: Apache-2.0
#include "routing/ugal.h"

#include <algorithm>
#include <utility>

#include "routing/catalog.h"
#include "routing/dragonfly_routing.h"

namespace flitcast {

void offer_ugal(Alternative minimal, Alternative detour, std::int32_t threshold,
                Alternatives& alternatives) {
  minimal.priority = 1;  // Decides between equal costs.
  minimal.surcharge = static_cast<std::uint16_t>(std::max(-threshold, 0));
  detour.surcharge = static_cast<std::uint16_t>(std::max(threshold, 0));
  alternatives.add(minimal);
  alternatives.add(detour);
  alternatives.decide_at_once();
}

Ugal::Ugal(const Topology& topology, Detour detour, const PhaseMaker& make,
           std::size_t virtual_channels, std::int32_t threshold)
    : TwoPhase(topology, std::move(detour), make, virtual_channels),
      topology_(topology),
      adjacency_(topology),
      threshold_(threshold) {}

void Ugal::alternatives(const RouteRequest& request, Alternatives& alternatives) const {
  const std::uint32_t here = index(request.router);
  const std::uint32_t over = request.route_field;
  const std::uint32_t there = index(request.destination);
  if (!from_node(request) || here == over) return TwoPhase::alternatives(request, alternatives);
  const auto weighed = [&](const Route& first, std::uint32_t links) {
    Alternative option{first.output, request.route_field, first.vcs};
    option.weight = static_cast<std::uint16_t>(links);
    return option;
  };
  offer_ugal(weighed(route_in(1, request, true), links(request, here, there)),
             weighed(route(request), links(request, here, over) + links(request, over, there)),
             threshold_, alternatives);
}

// Counts by following the routing of a phase, whose outputs do not depend on inputs and VCs.
std::uint32_t Ugal::links(RouteRequest packet, std::uint32_t from, std::uint32_t to) const {
  packet.destination = NodeId{to};
  std::uint32_t count = 0;
  for (; from != to; ++count) {
    packet.router = RouterId{from};
    const PortId output = phase(1).route(packet).output;
    from = index(topology_.channels()[adjacency_.leaving(packet.router, output)].to.router);
  }
  return count;
}

namespace {

std::unique_ptr<Routing> make_ugal(const Section& section, const RoutingContext& context) {
  const auto threshold = static_cast<std::int32_t>(section.integer("threshold"));
  const bool progressive = section.boolean("progressive");
  const RoutingContext checked = telling_phases_apart(context);
  if (const auto* dragonfly = topology_as<Dragonfly>(context.topology)) {
    require_group_classes(checked, progressive ? 4 : 3);
    return std::make_unique<DragonflyUgal>(*dragonfly, context.virtual_channels, threshold,
                                           progressive);
  }
  if (progressive) {
    section.fail("progressive", "a second router decides on dragonflies alone",
                 "leave it out, or take topology.kind dragonfly");
  }
  check_two_phases(section, checked);
  return std::make_unique<Ugal>(context.topology, valiant_detour(context.topology),
                                phase_maker(context.topology), context.virtual_channels, threshold);
}

}  // namespace

RoutingEntry ugal_routing() {
  return {"ugal",
          "On dragonflies and all that valiant works on: minimal or by the detour drawn at the "
          "source, by the queues of the first router (UGAL-L). 3 VCs on dragonflies, 4 if "
          "progressive; else as valiant.",
          {Param::integer("threshold", "flits times links",
                          "Added to the links times the flits queued of the detour when they are "
                          "compared with those of the minimal path: large keeps packets minimal.",
                          -kMostThreshold, kMostThreshold)
               .defaults_to(0)
               .dumped_if_changed(),
           Param::boolean("progressive", false,
                          "On dragonflies, the router with the global link of the minimal path "
                          "decides again (PAR).")
               .dumped_if_changed()},
          [](const Topology& topology) {
            return accepts<Dragonfly>()(topology) || takes_two_phases(topology);
          },
          make_ugal};
}

}  // namespace flitcast
