// SPDX-License-Identifier: Apache-2.0
#include "collective/paths.h"

namespace flitcast {

namespace {

/// Steps from one coordinate to another: the shorter way round, minus on ties if so wished.
std::int64_t distance(const Grid& grid, std::size_t dimension, NodeId from, NodeId to,
                      bool minus_on_tie) {
  const auto size = static_cast<std::int64_t>(grid.size(dimension));
  std::int64_t steps = static_cast<std::int64_t>(grid.coordinate(to, dimension)) -
                       static_cast<std::int64_t>(grid.coordinate(from, dimension));
  if (!grid.wraps(dimension)) return steps;
  steps = (steps + size) % size;
  if (2 * steps > size || (2 * steps == size && minus_on_tie)) steps -= size;
  return steps;
}

std::size_t stride(const Grid& grid, std::size_t dimension) {
  std::size_t stride = 1;
  for (std::size_t d = 0; d < dimension; ++d) stride *= grid.size(d);
  return stride;
}

}  // namespace

NodeId shifted(const Grid& grid, NodeId node, std::size_t dimension, std::int64_t steps) {
  const auto size = static_cast<std::int64_t>(grid.size(dimension));
  const auto here = static_cast<std::int64_t>(grid.coordinate(node, dimension));
  const std::int64_t there = ((here + steps) % size + size) % size;
  const auto width = static_cast<std::int64_t>(stride(grid, dimension));
  return NodeId{static_cast<std::uint32_t>(index(node) + (there - here) * width)};
}

NodeId neighbour(const Grid& grid, NodeId node, PortId output) {
  return shifted(grid, node, index(output) / 2, index(output) % 2 == 0 ? 1 : -1);
}

void append_hops(std::vector<PortId>& path, std::size_t dimension, std::int64_t steps) {
  const PortId output = steps > 0 ? Grid::plus(dimension) : Grid::minus(dimension);
  path.insert(path.end(), static_cast<std::size_t>(steps > 0 ? steps : -steps), output);
}

std::vector<PortId> dimension_order_path(const Grid& grid, NodeId from, NodeId to, bool descending,
                                         std::uint8_t minus_ties) {
  std::vector<PortId> path;
  for (std::size_t i = 0; i < grid.dimensions(); ++i) {
    const std::size_t d = descending ? grid.dimensions() - 1 - i : i;
    append_hops(path, d, distance(grid, d, from, to, (minus_ties >> d & 1) != 0));
  }
  return path;
}

std::vector<PortId> e_cube_path(const Hypercube& cube, NodeId from, NodeId to) {
  std::vector<PortId> path;
  const std::uint32_t differing = index(from) ^ index(to);
  for (std::size_t d = cube.dimension(); d-- > 0;) {
    if ((differing >> d & 1) != 0) path.push_back(PortId{static_cast<std::uint16_t>(d)});
  }
  return path;
}

}  // namespace flitcast
