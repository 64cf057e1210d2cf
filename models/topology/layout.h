// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace flitcast {

/// Where a router is drawn: x to the right, y downwards, neighbours about 1 apart. A multiple of
/// 1/1000, so that it is the same number on every machine.
struct Position {
  double x = 0;
  double y = 0;
};

/// The places of all routers of a topology in a drawing, by their numbers.
using Layout = std::vector<Position>;

/// Round a circle, the first at the top.
Layout on_circle(std::size_t count);

/// Points of a grid, dimension 0 fastest: even dimensions lead to the right, odd ones down. A
/// further pair of dimensions repeats the picture of those before it, with room between.
Layout in_grid(const std::vector<std::size_t>& sizes);

/// In columns from left to right, each centred: `column` has one for every router. The columns are
/// so far apart that the drawing is about as wide as it is high.
Layout in_columns(const std::vector<std::size_t>& column);

/// The columns as rows, the first at the bottom.
Layout in_rows(const std::vector<std::size_t>& row);

/// Groups of `members` consecutive routers, each a circle on a circle of groups.
Layout in_groups(std::size_t groups, std::size_t members);

}  // namespace flitcast
