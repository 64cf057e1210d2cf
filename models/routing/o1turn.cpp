// SPDX-License-Identifier: Apache-2.0
#include "routing/o1turn.h"

#include <stdexcept>

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

}  // namespace flitcast
