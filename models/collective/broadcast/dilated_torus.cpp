// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/dilated_torus.h"

#include "collective/paths.h"

namespace flitcast {

DilatedTorus::DilatedTorus(const Grid& grid, NodeId origin)
    : grid_(grid),
      origin_(origin),
      longer_(grid.size(0) > grid.size(1) ? 0 : 1),
      sizes_{static_cast<std::int64_t>(grid.size(0)), static_cast<std::int64_t>(grid.size(1))} {
  sizes_[longer_] -= sizes_[longer_] % shorter_size();
}

NodeId DilatedTorus::node(std::int64_t column, std::int64_t row) const {
  return shifted(grid_, shifted(grid_, origin_, 0, hops(0, column)), 1, hops(1, row));
}

bool DilatedTorus::extra_above(std::int64_t i) const {
  return hops(longer_, i + 1) != (hops(longer_, i) + 1) % std::int64_t(grid_.size(longer_));
}

std::int64_t DilatedTorus::hops(std::size_t dimension, std::int64_t place) const {
  const std::int64_t places = sizes_[dimension];
  const std::int64_t wrapped = (place % places + places) % places;
  return wrapped * static_cast<std::int64_t>(grid_.size(dimension)) / places;
}

}  // namespace flitcast
