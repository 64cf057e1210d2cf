// SPDX-License-Identifier: Apache-2.0
#include "routing/dimension_order.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/sequences.h"
#include "routing/catalog.h"

namespace flitcast {

DimensionOrder::DimensionOrder(const Grid& grid, const Params& params)
    : OnAllVcs(valid_vc_range(params.first_vc, params.virtual_channels)),
      dimensions_(grid.dimensions()),
      local_(grid.local()),
      classes_(params.classes),
      tie_mask_(params.tie_by_coin ? 0xFF : 0),
      lower_(vc_range(params.first_vc, params.virtual_channels - params.virtual_channels / 2)),
      upper_(all_ & ~lower_) {
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    order_.push_back(
        {static_cast<std::uint32_t>(d), static_cast<std::uint32_t>(grid.size(d)), grid.wraps(d)});
    if (!grid.wraps(d) || grid.size(d) == 1) continue;
    if (upper_ == 0 && classes_ != VcClasses::kNone) {
      throw std::invalid_argument("VC classes need two virtual channels");
    }
    if (classes_ == VcClasses::kDallySeitzFixed || classes_ == VcClasses::kDateline) {
      reads_arrival_ = true;
    }
    if (params.tie_by_coin && grid.size(d) % 2 == 0) tie_dimensions_ = d + 1;
  }
  if (params.descending) std::reverse(order_.begin(), order_.end());
  coordinates_.reserve(grid.node_count() * order_.size());
  for (const NodeId node : grid.nodes()) {
    for (const Dimension& dimension : order_) {
      coordinates_.push_back(static_cast<std::uint32_t>(grid.coordinate(node, dimension.number)));
    }
  }
}

// Routers are numbered like their nodes.
Route DimensionOrder::route(const RouteRequest& request) const {
  const std::uint32_t* here = &coordinates_[index(request.router) * dimensions_];
  const std::uint32_t* there = &coordinates_[index(request.destination) * dimensions_];
  for (const Dimension& dimension : order_) {
    if (*here == *there) {
      ++here, ++there;
      continue;
    }
    if (dimension.wraps) return torus_hop(request, dimension, *here, *there);
    return hop(dimension.number, *there < *here);
  }
  return {local_, all_};
}

Route DimensionOrder::torus_hop(const RouteRequest& request, const Dimension& dimension,
                                std::uint32_t here, std::uint32_t there) const {
  const std::uint32_t upwards = there - here + (there < here ? dimension.size : 0);
  const std::uint32_t tie_minus = (request.ties & tie_mask_) >> dimension.number & 1;
  // The direction is down if that is shorter; the tie bit only matters at exactly half way.
  const bool minus = 2 * upwards + tie_minus > dimension.size;
  Route route = hop(dimension.number, minus);
  if (classes_ != VcClasses::kNone) {
    route.vcs = upper_class(request, dimension, here, there, minus) ? upper_ : lower_;
  }
  return route;
}

bool DimensionOrder::upper_class(const RouteRequest& request, const Dimension& dimension,
                                 std::uint32_t here, std::uint32_t there, bool minus) const {
  const bool moving = index(request.input) >> 1 == dimension.number;
  const bool was_upper = (upper_ >> index(request.vc) & 1) != 0;
  const bool will_wrap = minus == (there > here);
  switch (classes_) {
    case VcClasses::kDallySeitzFixed:
      return moving ? was_upper : will_wrap;
    case VcClasses::kDallySeitz:
      return will_wrap;
    case VcClasses::kDateline:
      return (moving && was_upper) || here == (minus ? 0 : dimension.size - 1);
    case VcClasses::kNone:
      break;
  }
  return false;
}

bool needs_classes(const Grid& grid) {
  return any_of(numbers(grid.dimensions()),
                [&](std::size_t d) { return grid.wraps(d) && grid.size(d) > 3; });
}

namespace {

/// In the order of VcClasses.
constexpr std::array kVcClasses{"none", "dally_seitz_fixed", "dally_seitz", "dateline"};

std::unique_ptr<Routing> make_dimension_order(const Section& section,
                                              const RoutingContext& context) {
  const auto& grid = context.on<Grid>();
  DimensionOrder::Params params;
  params.descending = section.text("order") == "descending";
  params.tie_by_coin = section.text("tie") == "coin";
  params.classes = vc_classes_of(section, context, context.virtual_channels);
  params.virtual_channels = context.virtual_channels;
  return std::make_unique<DimensionOrder>(grid, params);
}

}  // namespace

VcClasses vc_classes_of(const Section& routing, const RoutingContext& context,
                        std::size_t channels) {
  const auto& grid = context.on<Grid>();
  const auto classes = static_cast<VcClasses>(index_of(kVcClasses, routing.text("vc_classes")));
  if (channels > 1 || classes == VcClasses::kNone) return classes;
  if (needs_classes(grid) && !context.unsafe) {
    throw ConfigError(Problem{context.vcs_place, "router.virtual_channels",
                              "cyclic channel dependency (possible deadlock): " + grid.name() +
                                  " needs more than one virtual channel per order of dimensions",
                              "use 2 or more (o1turn: 4), or wrapped sizes of at most 3"});
  }
  return VcClasses::kNone;
}

Param vc_classes_param() {
  return Param::choice(
      "vc_classes",
      "Use of the lower and upper half of the VCs in wrapped dimensions. dally_seitz_fixed: "
      "upper through the whole dimension if the path wraps; dally_seitz: upper while the "
      "path ahead wraps; dateline: upper from the wrap-around hop on; none: any VC, which can "
      "deadlock where a wrapped size exceeds 3.",
      {"dally_seitz_fixed", "dally_seitz", "dateline", "none"});
}

RoutingEntry dimension_order_routing() {
  RoutingEntry entry{
      kDimensionOrder,
      "On mesh, torus and ring: one dimension after the other. 1 VC; 2 where a wrapped size "
      "exceeds 3.",
      {Param::choice("order",
                     "Which dimension a packet finishes first: ascending from 0, or "
                     "descending.",
                     {"ascending", "descending"}),
       Param::choice("tie",
                     "At exactly half way round a wrapped dimension: a fair coin, or always "
                     "plus.",
                     {"coin", "plus"}),
       vc_classes_param()},
      accepts<Grid>(),
      make_dimension_order};
  entry.is_dimension_ordered = true;
  return entry;
}

}  // namespace flitcast
