// SPDX-License-Identifier: Apache-2.0
#include "routing/dragonfly_routing.h"

#include <algorithm>

#include "routing/catalog.h"
#include "routing/ugal.h"
#include "routing/vc_share.h"

namespace flitcast {

DragonflyPaths::DragonflyPaths(const Dragonfly& dragonfly, std::size_t classes,
                               std::size_t virtual_channels)
    : dragonfly_(dragonfly), all_(vc_range(0, virtual_channels)) {
  for (std::size_t c = 0; c < kMostClasses; ++c) vcs_[c] = vc_share(c, classes, virtual_channels);
}

std::size_t DragonflyPaths::class_of(const RouteRequest& request) const {
  if (from_node(request)) return 0;
  const VcSet held = VcSet{1} << index(request.vc);
  return static_cast<std::size_t>(
      std::find_if(vcs_.begin(), vcs_.end(), [&](VcSet vcs) { return (vcs & held) != 0; }) -
      vcs_.begin());
}

Route DragonflyPaths::towards(std::size_t group, const RouteRequest& request,
                              std::size_t own_class) const {
  const std::size_t here = dragonfly_.group(request.router);
  RouterId next = dragonfly_.router_of(request.destination);
  if (here != group) {
    const Endpoint gateway = dragonfly_.gateway(here, group);
    if (gateway.router == request.router) {
      return {gateway.port, vcs_[std::min(own_class + 1, kMostClasses - 1)]};
    }
    next = gateway.router;
  } else if (next == request.router) {
    const std::size_t place = index(request.destination) % dragonfly_.params().nodes;
    return {to_id<PortId>(dragonfly_.first_node_port(request.router) + place), all_};
  }
  return {dragonfly_.towards(request.router, next, index(request.destination)), vcs_[own_class]};
}

std::size_t DragonflyPaths::detour(std::size_t from, std::size_t to, std::uint32_t number) const {
  if (from == to || dragonfly_.groups() == 2) return to;
  std::size_t group = number;
  if (group >= std::min(from, to)) ++group;
  if (group >= std::max(from, to)) ++group;
  return group;
}

std::uint16_t DragonflyPaths::links(RouterId from, std::initializer_list<std::size_t> groups,
                                    NodeId to) const {
  std::size_t count = 0;
  for (const std::size_t group : groups) {
    const std::size_t here = dragonfly_.group(from);
    count += dragonfly_.links_between(from, dragonfly_.gateway(here, group).router) + 1;
    from = dragonfly_.gateway(group, here).router;
  }
  return static_cast<std::uint16_t>(count +
                                    dragonfly_.links_between(from, dragonfly_.router_of(to)));
}

// In class 0 a packet is still in the group of its source.
Route DragonflyValiant::route(const RouteRequest& request) const {
  std::size_t group = paths_.group_of(request.destination);
  if (paths_.class_of(request) == 0) {
    group = paths_.detour(paths_.dragonfly().group(request.router), group, request.route_field);
  }
  return paths_.towards(group, request);
}

void DragonflyUgal::alternatives(const RouteRequest& request, Alternatives& alternatives) const {
  const std::size_t here = paths_.dragonfly().group(request.router);
  std::size_t group = paths_.group_of(request.destination);
  const std::size_t own_class = paths_.class_of(request);
  const bool decides = paths_.from_node(request) || own_class < detour_class_;
  if (decides && here != group) return decide(request, alternatives);
  if (own_class == detour_class_ && request.route_field != kDirect) {
    group = paths_.detour(here, group, request.route_field);
  }
  const Route route = paths_.towards(group, request);
  alternatives.add({route.output, request.route_field, route.vcs});
}

void DragonflyUgal::decide(const RouteRequest& request, Alternatives& alternatives) const {
  const std::size_t here = paths_.dragonfly().group(request.router);
  const std::size_t group = paths_.group_of(request.destination);
  const Route direct = paths_.towards(group, request);
  Alternative minimal{direct.output, detour_class_ == 0 ? kDirect : request.route_field,
                      direct.vcs};
  const std::size_t over = paths_.detour(here, group, request.route_field);
  if (over == group) return alternatives.add(minimal);
  minimal.weight = paths_.links(request.router, {group}, request.destination);
  const Route first = paths_.towards(over, request, detour_class_);
  Alternative detour{first.output, request.route_field, first.vcs};
  detour.weight = paths_.links(request.router, {over, group}, request.destination);
  offer_ugal(minimal, detour, threshold_, alternatives);
}

void require_group_classes(const RoutingContext& context, std::size_t classes) {
  require_vcs(context, classes,
              "each part of a path between global links has virtual channels of its own, and so "
              "has a detour that a second router decides");
}

namespace {

std::unique_ptr<Routing> make_dragonfly_minimal(const Section& section,
                                                const RoutingContext& context) {
  require_group_classes(context, 2);
  return make_on<DragonflyMinimal, Dragonfly>(section, context);
}

std::unique_ptr<Routing> make_dragonfly_valiant(const Section& section,
                                                const RoutingContext& context) {
  require_group_classes(telling_phases_apart(context), 3);
  return make_on<DragonflyValiant, Dragonfly>(section, context);
}

}  // namespace

std::vector<RoutingEntry> dragonfly_routings() {
  return {{"dragonfly_minimal",
           "On dragonflies: over the global link between both groups. 2 VCs.",
           {},
           accepts<Dragonfly>(),
           make_dragonfly_minimal},
          {"dragonfly_valiant",
           "On dragonflies: to a group drawn at the source, then to the destination. 3 VCs.",
           {},
           accepts<Dragonfly>(),
           make_dragonfly_valiant}};
}

}  // namespace flitcast
