// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/routing.h"
#include "topology/grid.h"

namespace flitcast {

/// The direction of a minimal path in one dimension of a grid.
enum class GridMove : std::uint8_t {
  kNone,    ///< The coordinate is that of the destination.
  kPlus,    ///< Output Grid::plus() of the dimension.
  kMinus,   ///< Output Grid::minus().
  kEither,  ///< The destination is half way round a wrapped dimension.
};

/// The output of a move in one direction.
constexpr PortId output_of(GridMove direction, std::size_t dimension) {
  return direction == GridMove::kPlus ? Grid::plus(dimension) : Grid::minus(dimension);
}

/// Finds the productive directions on a grid, from a table of coordinates.
class GridMoves {
 public:
  /// `grid` need not outlive the moves.
  explicit GridMoves(const Grid& grid) {
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
      sizes_.push_back(grid.wraps(d) ? static_cast<std::uint32_t>(grid.size(d)) : 0);
    }
    for (const NodeId node : grid.nodes()) {
      for (std::size_t d = 0; d < grid.dimensions(); ++d) {
        coordinates_.push_back(static_cast<std::uint32_t>(grid.coordinate(node, d)));
      }
    }
  }

  std::size_t dimensions() const { return sizes_.size(); }
  std::uint32_t coordinate(std::uint32_t router, std::size_t dimension) const {
    return coordinates_[router * sizes_.size() + dimension];
  }

  GridMove towards(NodeId destination, RouterId here, std::size_t dimension) const {
    const std::uint32_t at = coordinate(index(here), dimension);
    const std::uint32_t to = coordinate(index(destination), dimension);
    if (at == to) return GridMove::kNone;
    const std::uint32_t size = sizes_[dimension];
    if (size == 0) return at < to ? GridMove::kPlus : GridMove::kMinus;
    const std::uint32_t upwards = to - at + (to < at ? size : 0);
    if (2 * upwards == size) return GridMove::kEither;
    return 2 * upwards < size ? GridMove::kPlus : GridMove::kMinus;
  }

 private:
  std::vector<std::uint32_t> sizes_;        // Per dimension, its size if it wraps, else 0.
  std::vector<std::uint32_t> coordinates_;  // Per node and dimension; node n is at router n.
};

}  // namespace flitcast
