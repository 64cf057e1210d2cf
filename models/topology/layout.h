// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace flitcast {

/// The position of a router in a drawing: x to the right, y downwards, neighbours about 1 apart.
/// Multiples of 1/1000, so that they are equal on every machine.
struct Position {
  double x = 0;
  double y = 0;
};

/// The positions of all routers of a topology in a drawing, by router number.
using Layout = std::vector<Position>;

/// Positions on a circle, the first at the top.
Layout on_circle(std::size_t count);

/// The points of a grid, dimension 0 fastest: even dimensions lead to the right, odd ones down.
/// Each further pair of dimensions repeats the picture of the lower ones, with space between the
/// copies.
Layout in_grid(const std::vector<std::size_t>& sizes);

/// Positions in centred columns from left to right; `column` gives the column of every router. The
/// distance of the columns makes the drawing about as wide as it is high.
Layout in_columns(const std::vector<std::size_t>& column);

/// The same with rows in the place of columns, the first at the bottom.
Layout in_rows(const std::vector<std::size_t>& row);

/// Groups of `members` consecutive routers: each group is a circle, and the groups form a circle.
Layout in_groups(std::size_t groups, std::size_t members);

}  // namespace flitcast
