// SPDX-License-Identifier: Apache-2.0
#include "routing/minimal_adaptive.h"

#include <stdexcept>

#include "routing/catalog.h"

namespace flitcast {
namespace {

std::size_t escape_vcs_of(const Grid& grid, const MinimalAdaptive::Params& params) {
  if (!params.escape) return 0;
  const std::size_t vcs = MinimalAdaptive::escape_vcs(grid);
  if (vcs < params.virtual_channels) return vcs;
  throw std::invalid_argument("adaptive routing needs a virtual channel besides escape channels");
}

DimensionOrder escape_of(const Grid& grid, const MinimalAdaptive::Params& params) {
  DimensionOrder::Params order;
  order.tie_by_coin = params.tie_by_coin;
  order.virtual_channels = MinimalAdaptive::escape_vcs(grid);
  order.classes = order.virtual_channels == 1 ? VcClasses::kNone : VcClasses::kDallySeitz;
  return DimensionOrder(grid, order);
}

}  // namespace

MinimalAdaptive::MinimalAdaptive(const Grid& grid, const Params& params)
    : OnAllVcs(vc_range(0, params.virtual_channels), params.selection),
      moves_(grid),
      local_(grid.local()),
      escapes_(params.escape),
      adaptive_(all_ & ~vc_range(0, escape_vcs_of(grid, params))),
      escape_(escape_of(grid, params)) {}

void MinimalAdaptive::alternatives(const RouteRequest& request, Alternatives& alternatives) const {
  if (index(request.router) == index(request.destination)) {
    return alternatives.add({local_, 0, all_});
  }
  if (escapes_) {
    const Route escape = escape_.route(request);
    alternatives.add({escape.output, 0, escape.vcs});
    const bool from_node = index(request.input) >= index(local_);
    const bool escaped = (adaptive_ >> index(request.vc) & 1) == 0;
    if (escaped && !from_node) return;
  }
  for (std::size_t d = 0; d < moves_.dimensions(); ++d) {
    const GridMove move = moves_.towards(request.destination, request.router, d);
    for (const GridMove direction : {GridMove::kPlus, GridMove::kMinus}) {
      if (move != direction && move != GridMove::kEither) continue;
      alternatives.add({output_of(direction, d), 0, adaptive_, 1, !escapes_});
    }
  }
}

namespace {

std::unique_ptr<Routing> make_minimal_adaptive(const Section& section,
                                               const RoutingContext& context) {
  const auto& grid = context.on<Grid>();
  MinimalAdaptive::Params params;
  params.virtual_channels = context.virtual_channels;
  params.selection = selection_of(section);
  params.escape = section.text("escape") != "none";
  const std::size_t least = MinimalAdaptive::escape_vcs(grid) + 1;
  if (params.escape && context.virtual_channels < least) {
    require_vcs(context, least, "minimal_adaptive has escape channels of its own");
    params.escape = false;
  }
  return std::make_unique<MinimalAdaptive>(grid, params);
}

}  // namespace

PlanarAdaptive::PlanarAdaptive(const Grid& mesh, std::size_t virtual_channels,
                               OutputSelection selection)
    : OnAllVcs(vc_range(0, virtual_channels), selection),
      moves_(mesh),
      local_(mesh.local()),
      increasing_(all_),
      decreasing_(all_),
      first_dimension_(all_) {
  if (!is_mesh(mesh)) {
    throw std::invalid_argument("planar-adaptive routing is for grids that do not wrap");
  }
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
  if (move == GridMove::kNone) return alternatives.add({local_, 0, all_});
  alternatives.add({output_of(move, n), 0, first_dimension_});
  if (n + 1 == moves_.dimensions()) return;
  const GridMove across = moves_.towards(request.destination, request.router, n + 1);
  if (across == GridMove::kNone) return;
  const VcSet vcs = move == GridMove::kPlus ? increasing_ : decreasing_;
  alternatives.add({output_of(across, n + 1), 0, vcs});
}

std::vector<RoutingEntry> minimal_adaptive_routings() {
  return {
      {"planar_adaptive",
       "On meshes: any output that leads nearer within a plane of two dimensions at a time. "
       "3 VCs.",
       {selection_param()},
       is_mesh,
       [](const Section& section, const RoutingContext& context) -> std::unique_ptr<Routing> {
         require_vcs(context, 3, "planar_adaptive keeps three groups of virtual channels apart");
         return std::make_unique<PlanarAdaptive>(context.on<Grid>(), context.virtual_channels,
                                                 selection_of(section));
       }},
      {"minimal_adaptive",
       "On mesh, torus and ring: any output that leads nearer, beside an escape channel. 2 VCs; "
       "3 where a wrapped size exceeds 3.",
       {Param::choice("escape",
                      "in_order: the first VC, or two where a wrapped size exceeds 3, "
                      "for packets that find no other way; none: no such channel, which can "
                      "deadlock.",
                      {"in_order", "none"}),
        selection_param()},
       accepts<Grid>(),
       make_minimal_adaptive}};
}

}  // namespace flitcast
