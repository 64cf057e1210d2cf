// SPDX-License-Identifier: Apache-2.0
#include "collective/tree_copies.h"

#include <cstddef>

#include "collective/paths.h"

namespace flitcast {

namespace {

bool upwards(PortId output) { return index(output) % 2 == 0; }

/// The number of places from the source to `here` in the direction of an output.
std::size_t offset(const Grid& grid, NodeId here, NodeId source, PortId output) {
  const std::size_t dimension = index(output) / 2;
  const std::size_t from = grid.coordinate(upwards(output) ? source : here, dimension);
  const std::size_t to = grid.coordinate(upwards(output) ? here : source, dimension);
  return to >= from ? to - from : to + grid.size(dimension) - from;
}

void start_line(const Grid& grid, NodeId here, std::size_t dimension, bool longer_first,
                TreeCopies& copies) {
  const TreeCopy up{Grid::plus(dimension), line_reach(grid, here, Grid::plus(dimension))};
  const TreeCopy down{Grid::minus(dimension), line_reach(grid, here, Grid::minus(dimension))};
  const bool up_first = longer_first && up.reach >= down.reach;
  for (const TreeCopy copy : {up_first ? up : down, up_first ? down : up}) {
    if (copy.reach > 0) copies.add(copy);
  }
}

// The forwarding rule, given the number of nodes that lie ahead on the line of the packet. Only the
// source starts lines in dimension 0.
TreeCopies copies(const Grid& grid, NodeId here, PortId input, std::size_t ahead,
                  DirectionRule rule) {
  TreeCopies copies;
  if (ahead > 0) copies.add({opposite(input), static_cast<std::uint32_t>(ahead)});
  const std::size_t first = input == grid.local() ? 0 : index(input) / 2U + 1;
  for (std::size_t d = first; d < grid.dimensions(); ++d) {
    start_line(grid, here, d, rule == DirectionRule::kFarthest || d == 0, copies);
  }
  return copies;
}

}  // namespace

std::uint32_t line_reach(const Grid& grid, NodeId start, PortId output) {
  const std::size_t dimension = index(output) / 2;
  const std::size_t others = grid.size(dimension) - 1;
  const std::size_t below = grid.wraps(dimension) ? others / 2 : grid.coordinate(start, dimension);
  return static_cast<std::uint32_t>(upwards(output) ? others - below : below);
}

TreeCopies copies_by_counter(const Grid& grid, NodeId here, PortId input, std::uint32_t reach,
                             DirectionRule rule) {
  return copies(grid, here, input, input == grid.local() ? 0 : reach - 1, rule);
}

TreeCopies copies_by_source(const Grid& grid, NodeId here, PortId input, NodeId source,
                            DirectionRule rule) {
  if (input == grid.local()) return copies(grid, here, input, 0, rule);
  const PortId output = opposite(input);
  const std::size_t ahead = line_reach(grid, source, output) - offset(grid, here, source, output);
  return copies(grid, here, input, ahead, rule);
}

}  // namespace flitcast
