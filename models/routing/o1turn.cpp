// SPDX-License-Identifier: Apache-2.0
#include "routing/o1turn.h"

#include <algorithm>
#include <stdexcept>

#include "routing/catalog.h"

namespace flitcast {
namespace {

DimensionOrder half(const Grid& grid, VcClasses classes, std::size_t virtual_channels,
                    bool descending) {
  const std::size_t ascending_vcs = virtual_channels - virtual_channels / 2;
  const bool upper = descending && virtual_channels > 1;
  DimensionOrder::Params params;
  params.descending = descending;
  params.classes = classes;
  params.virtual_channels = upper ? virtual_channels / 2 : ascending_vcs;
  params.first_vc = upper ? ascending_vcs : 0;
  return DimensionOrder(grid, params);
}

}  // namespace

O1Turn::O1Turn(const Grid& grid, VcClasses classes, std::size_t virtual_channels)
    : OnAllVcs(vc_range(0, virtual_channels)),
      order_bit_(grid.dimensions()),
      local_(grid.local()),
      ascending_(half(grid, classes, virtual_channels, false)),
      descending_(half(grid, classes, virtual_channels, true)) {
  if (order_bit_ > kMaxDimensions) {
    throw std::invalid_argument("the header has bits for 7 dimensions and the order");
  }
}

namespace {

std::unique_ptr<Routing> make_o1turn(const Section& section, const RoutingContext& context) {
  const auto& grid = context.on<Grid>();
  if (grid.dimensions() > O1Turn::kMaxDimensions) {
    section.fail("kind", "o1turn has header bits for 7 dimensions", "use dimension_order");
  }
  require_vcs(context, 2, "o1turn keeps virtual channels of its own for each of two orders");
  const std::size_t fewest = std::max<std::size_t>(context.virtual_channels / 2, 1);
  return std::make_unique<O1Turn>(grid, vc_classes_of(section, context, fewest),
                                  context.virtual_channels);
}

}  // namespace

RoutingEntry o1turn_routing() {
  return {"o1turn",
          "On mesh, torus and ring: XY or YX for each packet, by a coin. 2 VCs; 4 where a wrapped "
          "size exceeds 3.",
          {vc_classes_param()},
          accepts<Grid>(),
          make_o1turn};
}

AdaptiveXyYx::AdaptiveXyYx(const Grid& mesh, std::size_t virtual_channels)
    : OnAllVcs(vc_range(0, virtual_channels), OutputSelection::kFreeCredits),
      local_(mesh.local()),
      ascending_(half(mesh, VcClasses::kNone, virtual_channels, false)),
      descending_(half(mesh, VcClasses::kNone, virtual_channels, true)) {
  if (!is_mesh(mesh)) throw std::invalid_argument("the orders are for grids that do not wrap");
}

void AdaptiveXyYx::alternatives(const RouteRequest& request, Alternatives& alternatives) const {
  if (index(request.router) == index(request.destination)) {
    return alternatives.add({local_, 0, all_});
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
            require_vcs(context, 2, "each of the two orders has virtual channels of its own");
            return make_on<AdaptiveXyYx, Grid>(section, context);
          }};
}

}  // namespace flitcast
