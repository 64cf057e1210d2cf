// SPDX-License-Identifier: Apache-2.0
#include "routing/planar_adaptive.h"

#include <stdexcept>

#include "routing/catalog.h"

namespace flitcast {
namespace {

const Grid& unwrapped(const Grid& grid) {
  if (is_mesh(grid)) return grid;
  throw std::invalid_argument("planar-adaptive routing is for grids that do not wrap");
}

}  // namespace

PlanarAdaptive::PlanarAdaptive(const Grid& mesh, std::size_t virtual_channels,
                               OutputSelection selection)
    : AdaptiveRouting(selection),
      moves_(unwrapped(mesh)),
      local_(mesh.local()),
      all_(vc_range(0, virtual_channels)),
      increasing_(all_),
      decreasing_(all_),
      first_dimension_(all_) {
  const std::size_t group = virtual_channels / 3;
  if (group == 0) return;
  increasing_ = vc_range(0, group);
  decreasing_ = vc_range(group, group);
  first_dimension_ = vc_range(2 * group, virtual_channels - 2 * group);
}

void PlanarAdaptive::alternatives(const RouteRequest& request, Alternatives& alternatives) const {
  std::size_t n = 0;
  GridMove move = GridMove::kNone;
  for (; n < moves_.dimensions(); ++n) {
    move = moves_.towards(request.destination, request.router, n);
    if (move != GridMove::kNone) break;
  }
  if (move == GridMove::kNone) {
    alternatives.add({local_, 0, all_});
    return;
  }
  add(n, move, first_dimension_, alternatives);
  if (n + 1 == moves_.dimensions()) return;
  const GridMove across = moves_.towards(request.destination, request.router, n + 1);
  if (across == GridMove::kNone) return;
  add(n + 1, across, move == GridMove::kPlus ? increasing_ : decreasing_, alternatives);
}

void PlanarAdaptive::add(std::size_t dimension, GridMove move, VcSet vcs,
                         Alternatives& alternatives) {
  const PortId output = move == GridMove::kPlus ? Grid::plus(dimension) : Grid::minus(dimension);
  alternatives.add({output, 0, vcs});
}

RoutingEntry planar_adaptive_routing() {
  return {"planar_adaptive",
          "On meshes: any output that leads nearer within a plane of two dimensions at a time. "
          "3 VCs.",
          {selection_param()},
          is_mesh,
          [](const Section& section, const RoutingContext& context) -> std::unique_ptr<Routing> {
            require_vcs(section, context, 3,
                        "planar_adaptive keeps three groups of virtual channels apart");
            return std::make_unique<PlanarAdaptive>(context.on<Grid>(), context.virtual_channels,
                                                    selection_of(section));
          }};
}

}  // namespace flitcast
