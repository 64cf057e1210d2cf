// SPDX-License-Identifier: Apache-2.0
#include "routing/dragonfly_routing.h"

#include <algorithm>

#include "routing/catalog.h"

namespace flitcast {

DragonflyWays::DragonflyWays(const Dragonfly& dragonfly, std::size_t classes,
                             std::size_t virtual_channels)
    : dragonfly_(dragonfly),
      first_global_(dragonfly.params().routers - 1),
      first_node_(first_global_ + dragonfly.params().global_links),
      all_(vc_range(0, virtual_channels)) {
  const std::size_t shares = std::min(classes, virtual_channels);
  for (std::size_t c = 0; c < kMostClasses; ++c) {
    const std::size_t share = std::min(c, shares - 1);
    const std::size_t first = share * virtual_channels / shares;
    vcs_[c] = vc_range(first, (share + 1) * virtual_channels / shares - first);
  }
}

std::size_t DragonflyWays::class_of(const RouteRequest& request) const {
  if (index(request.input) >= first_node_) return 0;
  const VcSet held = VcSet{1} << index(request.vc);
  return static_cast<std::size_t>(
      std::find_if(vcs_.begin(), vcs_.end(), [&](VcSet vcs) { return (vcs & held) != 0; }) -
      vcs_.begin());
}

Route DragonflyWays::towards(std::size_t group, const RouteRequest& request) const {
  const std::size_t here = dragonfly_.group(request.router);
  const std::size_t own_class = class_of(request);
  RouterId next = dragonfly_.router_of(request.destination);
  if (here != group) {
    const Endpoint gateway = dragonfly_.gateway(here, group);
    if (gateway.router == request.router) {
      return {gateway.port, vcs_[std::min(own_class + 1, kMostClasses - 1)]};
    }
    next = gateway.router;
  } else if (next == request.router) {
    const std::size_t place = index(request.destination) % dragonfly_.params().nodes;
    return {PortId{static_cast<std::uint16_t>(first_node_ + place)}, all_};
  }
  return {dragonfly_.towards(request.router, next), vcs_[own_class]};
}

Route DragonflyMinimal::route(const RouteRequest& request) const {
  const Dragonfly& dragonfly = ways_.dragonfly();
  return ways_.towards(dragonfly.group(dragonfly.router_of(request.destination)), request);
}

namespace {

std::unique_ptr<Routing> make_dragonfly_minimal(const Section& section,
                                                const RoutingContext& context) {
  if (context.virtual_channels < 2 && !context.unsafe) {
    throw ConfigError(Problem{section.place("kind"), "router.virtual_channels",
                              "with one virtual channel packets before and after their global link "
                              "would wait for each other in a circle",
                              "use 2 or more"});
  }
  return std::make_unique<DragonflyMinimal>(dynamic_cast<const Dragonfly&>(context.topology),
                                            context.virtual_channels);
}

}  // namespace

RoutingEntry dragonfly_minimal_routing() {
  return {"dragonfly_minimal",
          "On dragonflies: over the global link between both groups. 2 VCs.",
          {},
          accepts<Dragonfly>(),
          make_dragonfly_minimal};
}

}  // namespace flitcast
