// SPDX-License-Identifier: Apache-2.0
#include "routing/o1turn.h"

#include <stdexcept>

#include "routing/catalog.h"

namespace flitcast {
namespace {

DimensionOrder half(const Grid& grid, VcClasses classes, std::size_t virtual_channels,
                    bool descending) {
  if (virtual_channels < 2) throw std::invalid_argument("both orders need a virtual channel each");
  const std::size_t ascending_vcs = virtual_channels - virtual_channels / 2;
  DimensionOrder::Params params;
  params.descending = descending;
  params.classes = classes;
  params.virtual_channels = descending ? virtual_channels / 2 : ascending_vcs;
  params.first_vc = descending ? ascending_vcs : 0;
  return DimensionOrder(grid, params);
}

std::size_t order_bit(const Grid& grid) {
  if (grid.dimensions() > O1Turn::kMaxDimensions) {
    throw std::invalid_argument("the header has bits for 7 dimensions and the order");
  }
  return grid.dimensions();
}

}  // namespace

O1Turn::O1Turn(const Grid& grid, VcClasses classes, std::size_t virtual_channels)
    : order_bit_(order_bit(grid)),
      all_(vc_range(0, virtual_channels)),
      ascending_(half(grid, classes, virtual_channels, false)),
      descending_(half(grid, classes, virtual_channels, true)) {}

namespace {

std::unique_ptr<Routing> make_o1turn(const Section& section, const RoutingContext& context) {
  const auto& grid = dynamic_cast<const Grid&>(context.topology);
  if (grid.dimensions() > O1Turn::kMaxDimensions) {
    section.fail("kind", "o1turn has header bits for 7 dimensions", "use dimension_order");
  }
  if (context.virtual_channels < 2) {
    throw ConfigError(Problem{section.place("kind"), "router.virtual_channels",
                              "o1turn keeps virtual channels of its own for each of two orders",
                              "use 2 or more, 4 where a wrapped size exceeds 3"});
  }
  const std::size_t fewest = context.virtual_channels / 2;
  return std::make_unique<O1Turn>(grid, vc_classes_of(section, grid, fewest, context.unsafe),
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

}  // namespace flitcast
