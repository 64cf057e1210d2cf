// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "collective/schedule.h"
#include "topology/grid.h"

namespace flitcast {

/// The largest torus of S x tS or tS x S places inside a 2-D torus with the shorter side S.
///
/// Dimension 0 counts columns, dimension 1 rows. Places are counted cyclically from an origin, so
/// that any integers name one. Some rows (or columns) of the torus, spread evenly along the longer
/// dimension, are omitted: the *extra* ones. Place i of n lies floor(i * size / n) hops above the
/// origin; because size < 2n, no two extra ones are neighbours.
class DilatedTorus {
 public:
  /// @param grid  Must wrap in both of its two dimensions and outlive the dilated torus.
  DilatedTorus(const Grid& grid, NodeId origin);

  /// The dimension of the longer side; on a square the dimension of the rows.
  std::size_t longer() const { return longer_; }
  std::int64_t shorter_size() const { return sizes_[1 - longer_]; }
  std::int64_t size(std::size_t dimension) const { return sizes_[dimension]; }

  NodeId node(std::int64_t column, std::int64_t row) const;
  bool has_extra() const {
    return sizes_[longer_] != static_cast<std::int64_t>(grid_.size(longer_));
  }
  /// True if an extra row (or column) lies just above place i of the longer dimension.
  bool extra_above(std::int64_t i) const {
    return hops(longer_, i + 1) != (hops(longer_, i) + 1) % std::int64_t(grid_.size(longer_));
  }

 private:
  std::int64_t hops(std::size_t dimension, std::int64_t place) const;

  const Grid& grid_;
  NodeId origin_;
  std::size_t longer_;
  std::array<std::int64_t, 2> sizes_;
};

/// One-to-all broadcast on any 2-D torus of C columns (dimension 0) and R rows (dimension 1), from
/// 1 x 1 up, between all-port wormhole routers with XY routing and a tie bit per dimension.
///
/// Let S be the shorter side and t = floor(longer side / S). On a torus of S x tS places counted
/// from the source, the dilated torus:
///
///   phase                                                          rounds
///   1  a copy into every row, by five-way splitting of the rows    ceil(log5 rows)
///   2  in row y, to the columns y + jS: the dilated diagonal       ceil(log3(1 + columns / S))
///   3  from all the diagonal alike, by five-way splitting of the   ceil(log5 S)
///      bands; band p: the places with column - row = p mod S
///   4  one hop into each row or column that the dilation omits     1 if there is one
///
/// So a square n x n, n >= 2, takes 2 ceil(log5 n) + 1 rounds, and a tall torus (R >= C) takes one
/// round in phase 2. S = 1 is a ring: three-way splitting, ceil(log3 max(C, R)) rounds. The claim
/// is exact. Cost: N - 1 sends, no duplicate; time O(hops).
///
/// Verified by simulation: legal for all C, R <= 130 and, one side being at most 12, up to 700. The
/// rounds exceed the lower bound ceil(log5 CR) by at most 2 (squares), 3 (tall) and, up to 130 x
/// 130, 4 (wide); 5 occurs on longer ones. No constant holds for all sizes: on a ring, growth by
/// log3 is the best there is.
///
/// Throws PreconditionError unless `grid` has two dimensions, which both wrap, and a node `source`.
///
/// Source: CS838 lecture notes (1999), section 11, "Dilated-diagonal-based approach", which has
/// phases 1 to 3 on squares and only mentions dilation. Splitting rules, routes and the other tori
/// are flitcast's. At exactly half way round a ring, the plan selects the direction of a message;
/// if routers always went up, paths would collide, for instance on 2 x 6.
Plan dilated_diagonal_broadcast(const Grid& grid, NodeId source);

}  // namespace flitcast
