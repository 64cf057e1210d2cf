// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "topology/grid.h"

namespace flitcast {

/// The largest torus of S x tS or tS x S places that a 2-D torus holds, S being its shorter side.
///
/// Dimension 0 counts columns, dimension 1 rows. Places are counted from an origin, round and
/// round, so that any integers name one. Evenly spread along the longer dimension, some rows (or
/// columns) of the torus are left out: the *extra* ones. Place i of n lies floor(i * size / n) hops
/// above the origin, and as size < 2n, no two extra ones are neighbours.
class DilatedTorus {
 public:
  /// @param grid  Wraps in both of its two dimensions; must outlive this.
  DilatedTorus(const Grid& grid, NodeId origin);

  /// The dimension of the longer side; that of the rows on a square.
  std::size_t longer() const { return longer_; }
  std::int64_t shorter_size() const { return sizes_[1 - longer_]; }
  std::int64_t size(std::size_t dimension) const { return sizes_[dimension]; }

  NodeId node(std::int64_t column, std::int64_t row) const;
  bool has_extra() const {
    return sizes_[longer_] != static_cast<std::int64_t>(grid_.size(longer_));
  }
  /// Whether an extra row (or column) lies just above place i of the longer dimension.
  bool extra_above(std::int64_t i) const;

 private:
  std::int64_t hops(std::size_t dimension, std::int64_t place) const;

  const Grid& grid_;
  NodeId origin_;
  std::size_t longer_;
  std::array<std::int64_t, 2> sizes_;
};

}  // namespace flitcast
