// SPDX-License-Identifier: Apache-2.0
#include "routing/adaptive_xy_yx.h"

#include <stdexcept>

#include "routing/catalog.h"

namespace flitcast {
namespace {

DimensionOrder order(const Grid& mesh, bool descending, std::size_t virtual_channels) {
  if (!is_mesh(mesh)) throw std::invalid_argument("the orders are for grids that do not wrap");
  const std::size_t upper = virtual_channels / 2;
  DimensionOrder::Params params;
  params.descending = descending;
  params.classes = VcClasses::kNone;
  params.virtual_channels = descending && upper > 0 ? upper : virtual_channels - upper;
  params.first_vc = descending && upper > 0 ? virtual_channels - upper : 0;
  return DimensionOrder(mesh, params);
}

}  // namespace

AdaptiveXyYx::AdaptiveXyYx(const Grid& mesh, std::size_t virtual_channels)
    : AdaptiveRouting(OutputSelection::kFreeCredits),
      local_(mesh.local()),
      all_(vc_range(0, virtual_channels)),
      ascending_(order(mesh, false, virtual_channels)),
      descending_(order(mesh, true, virtual_channels)) {}

void AdaptiveXyYx::alternatives(const RouteRequest& request, Alternatives& alternatives) const {
  if (index(request.router) == index(request.destination)) {
    alternatives.add({local_, 0, all_});
    return;
  }
  if (request.route_field != kDescending) add(kAscending, request, alternatives);
  if (request.route_field != kAscending) add(kDescending, request, alternatives);
  if (request.route_field == kUndecided) alternatives.decide_at_once();
}

void AdaptiveXyYx::add(Order order, const RouteRequest& request, Alternatives& alternatives) const {
  const Route route = (order == kAscending ? ascending_ : descending_).route(request);
  alternatives.add({route.output, order, route.vcs});
}

RoutingEntry adaptive_xy_yx_routing() {
  return {"adaptive_xy_yx",
          "On meshes: XY or YX for each packet, by the load at its first router. 2 VCs.",
          {},
          is_mesh,
          [](const Section& section, const RoutingContext& context) -> std::unique_ptr<Routing> {
            require_vcs(section, context, 2,
                        "each of the two orders has virtual channels of its own");
            return std::make_unique<AdaptiveXyYx>(context.on<Grid>(), context.virtual_channels);
          }};
}

}  // namespace flitcast
