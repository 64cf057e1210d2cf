// SPDX-License-Identifier: Apache-2.0
#include "collective/paths.h"

#include "topology/adjacency.h"

namespace flitcast {

namespace {

std::size_t stride(const Grid& grid, std::size_t dimension) {
  std::size_t stride = 1;
  for (std::size_t d = 0; d < dimension; ++d) stride *= grid.size(d);
  return stride;
}

}  // namespace

bool nodes_sit_at_routers(const Topology& topology) {
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
    const Attachment& attachment = topology.attachment(NodeId{n});
    if (index(attachment.injection.router) != n || index(attachment.ejection.router) != n) {
      return false;
    }
  }
  return true;
}

std::int64_t shortest_steps(const Grid& grid, std::size_t dimension, NodeId from, NodeId to,
                            bool minus_on_tie) {
  const auto size = static_cast<std::int64_t>(grid.size(dimension));
  std::int64_t steps = static_cast<std::int64_t>(grid.coordinate(to, dimension)) -
                       static_cast<std::int64_t>(grid.coordinate(from, dimension));
  if (!grid.wraps(dimension)) return steps;
  steps = (steps + size) % size;
  if (2 * steps > size || (2 * steps == size && minus_on_tie)) steps -= size;
  return steps;
}

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
    append_hops(path, d, shortest_steps(grid, d, from, to, (minus_ties >> d & 1) != 0));
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

std::uint8_t header_bits(const Topology& topology, const Path& path) {
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  if (grid == nullptr || path.size() == 0) return 0;
  unsigned bits = 0;
  for (const PortId output : path) {
    if (index(output) % 2 != 0) bits |= 1U << (index(output) / 2);
  }
  const bool descending = index(path[0]) / 2 > index(path[path.size() - 1]) / 2;
  if (descending) bits |= 1U << grid->dimensions();
  return static_cast<std::uint8_t>(bits);
}

namespace {

bool follows(const Topology& topology, const Adjacency& adjacency, const Routing& routing,
             const Message& send, const Path& path) {
  const Endpoint entry = topology.attachment(send.from).injection;
  RouteRequest at{entry.router, entry.port, lowest_vc(routing.injection_vcs(send.from, send.to)),
                  send.to, header_bits(topology, path)};
  for (const PortId output : path) {
    const Route route = routing.route(at);
    if (route.output != output) return false;
    const std::uint32_t channel = adjacency.leaving(at.router, output);
    if (channel == Adjacency::kNone) return false;
    at.router = topology.channels()[channel].to.router;
    at.input = topology.channels()[channel].to.port;
    at.vc = lowest_vc(route.vcs);
  }
  return true;
}

}  // namespace

std::optional<std::size_t> first_unroutable(const Topology& topology, const Routing& routing,
                                            const Schedule& schedule) {
  if (schedule.size() == 0) return std::nullopt;
  // By a routing that chooses on the way, or draws at the source, no path is certain.
  if (routing.adaptive() || routing.most_choices() > 1) return 0;
  const Adjacency adjacency(topology);
  for (std::size_t s = 0; s < schedule.size(); ++s) {
    if (!follows(topology, adjacency, routing, schedule.message(s), schedule.path(s))) return s;
  }
  return std::nullopt;
}

namespace {

bool upwards(PortId output) { return index(output) % 2 == 0; }

/// Places from the source to `here` in the direction of an output.
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

// The rule itself, told how many nodes lie ahead on the line that the packet came by. Only the
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
