// SPDX-License-Identifier: Apache-2.0
#include "routing/grid_moves.h"

namespace flitcast {

GridMoves::GridMoves(const Grid& grid) {
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    sizes_.push_back(grid.wraps(d) ? static_cast<std::uint32_t>(grid.size(d)) : 0);
  }
  for (const NodeId node : grid.nodes()) {
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
      coordinates_.push_back(static_cast<std::uint32_t>(grid.coordinate(node, d)));
    }
  }
}

}  // namespace flitcast
