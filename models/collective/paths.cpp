// SPDX-License-Identifier: Apache-2.0
#include "collective/paths.h"

#include <algorithm>
#include <utility>

#include "topology/adjacency.h"

namespace flitcast {

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
  const auto width = static_cast<std::int64_t>(grid.stride(dimension));
  return to_id<NodeId>(index(node) + (there - here) * width);
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
    if ((differing >> d & 1) != 0) path.push_back(to_id<PortId>(d));
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
  // The path is not certain if the routing chooses in flight or draws at the source.
  if (routing.adaptive() || routing.most_choices() > 1) return 0;
  const Adjacency adjacency(topology);
  for (std::size_t s = 0; s < schedule.size(); ++s) {
    if (!follows(topology, adjacency, routing, schedule.message(s), schedule.path(s))) return s;
  }
  return std::nullopt;
}

namespace {

class Follower {
 public:
  Follower(const Topology& topology, const Routing& routing)
      : topology_(topology), routing_(routing), adjacency_(topology) {}

  /// Appends the channels of the path; returns false if the path is not certain or does not reach
  /// the receiver.
  bool follow(NodeId from, NodeId to, std::vector<std::uint32_t>& channels) const {
    if (!follow_from(from, 0, to, 0, channels)) return false;
    const std::size_t ports = routing_.reads_arrival() ? topology_.node_ports() : 1;
    std::vector<std::uint32_t> others;
    for (std::size_t port = 0; port < ports; ++port) {
      for (unsigned ties = port == 0 ? 1 : 0; ties < 1U << routing_.tie_dimensions(); ++ties) {
        others.clear();
        if (!follow_from(from, port, to, static_cast<std::uint8_t>(ties), others)) return false;
        if (others != channels) return false;
      }
    }
    return true;
  }

 private:
  bool follow_from(NodeId from, std::size_t port, NodeId to, std::uint8_t ties,
                   std::vector<std::uint32_t>& channels) const {
    Endpoint at = topology_.attachment(from, port).injection;
    VcSet vcs = routing_.injection_vcs(from, to);
    while (channels.size() <= topology_.channels().size()) {
      const std::optional<Route> route = only_route({at.router, at.port, {}, to, ties}, vcs);
      if (!route || index(route->output) >= topology_.output_count(at.router)) return false;
      const std::uint32_t channel = adjacency_.leaving(at.router, route->output);
      if (channel == Adjacency::kNone) {
        return Endpoint{at.router, route->output} == topology_.attachment(to).ejection;
      }
      channels.push_back(channel);
      at = topology_.channels()[channel].to;
      vcs = route->vcs;
    }
    return false;  // The routing visits more channels than there are, so its path has a cycle.
  }

  /// The route of a packet in any of the VCs; no value if it depends on the VC.
  std::optional<Route> only_route(RouteRequest request, VcSet vcs) const {
    std::optional<Route> only;
    for (; vcs != 0; vcs &= vcs - 1) {
      request.vc = to_id<VcId>(__builtin_ctz(vcs));
      const Route route = routing_.route(request);
      if (!only) only = route;
      if (only->output != route.output) return std::nullopt;
      only->vcs |= route.vcs;
      if (!routing_.reads_arrival()) break;
    }
    return only;
  }

  const Topology& topology_;
  const Routing& routing_;
  const Adjacency adjacency_;
};

}  // namespace

std::optional<MessagePaths> paths_of(const Topology& topology, const Routing& routing,
                                     const Schedule& schedule, const Placement& placement) {
  if (routing.adaptive() || routing.multicast() || routing.most_choices() != 1) return std::nullopt;
  const Follower follower(topology, routing);
  Tally loads(topology.channels().size());
  MessagePaths paths;
  std::vector<std::uint32_t> path;
  for (std::uint32_t round = 0; round < schedule.rounds(); ++round) {
    std::size_t longest = 0;
    std::size_t most = 0;
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      if (schedule.receivers(m).size() != 1) return std::nullopt;
      const Message& message = schedule.message(m);
      path.clear();
      if (!follower.follow(placement.node(message.from), placement.node(message.to), path)) {
        return std::nullopt;
      }
      for (const std::uint32_t channel : path) {
        most = std::max<std::size_t>(most, loads.add(channel, round));
      }
      paths.hops.push_back(static_cast<std::uint32_t>(path.size()));
      longest = std::max(longest, path.size());
    }
    paths.longest_per_round.push_back(longest);
    paths.load_per_round.push_back(most);
  }
  return paths;
}

}  // namespace flitcast
