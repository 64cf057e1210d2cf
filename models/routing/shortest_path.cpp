// SPDX-License-Identifier: Apache-2.0
#include "routing/shortest_path.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "routing/analysis/deadlock.h"
#include "routing/catalog.h"
#include "topology/adjacency.h"

namespace flitcast {
namespace {

using Distances = std::vector<std::uint32_t>;  // Indexed by router, in channels.

// Finds the path from every router, one destination at a time.
class PathFinder {
 public:
  explicit PathFinder(const Topology& topology)
      : topology_(topology), adjacency_(topology), arriving_(topology.router_count()) {
    for (std::uint32_t c = 0; c < topology.channels().size(); ++c) {
      arriving_[index(topology.channels()[c].to.router)].push_back(c);
    }
  }

  Distances distances_to(RouterId end) const {
    Distances distance(topology_.router_count(), kUnreached);
    std::vector<RouterId> reached{end};
    distance[index(end)] = 0;
    for (std::size_t next = 0; next < reached.size(); ++next) {
      for (const std::uint32_t channel : arriving_[index(reached[next])]) {
        const RouterId from = topology_.channels()[channel].from.router;
        if (distance[index(from)] != kUnreached) continue;
        distance[index(from)] = distance[index(reached[next])] + 1;
        reached.push_back(from);
      }
    }
    return distance;
  }

  // The first output for a router that is not the destination's and from which there is a path.
  std::uint16_t first_output_towards(RouterId router, const Distances& distance) const {
    for (std::uint16_t port = 0;; ++port) {
      const std::uint32_t channel = adjacency_.leaving(router, PortId{port});
      if (channel == Adjacency::kNone) continue;
      const RouterId neighbour = topology_.channels()[channel].to.router;
      if (distance[index(neighbour)] == distance[index(router)] - 1) return port;
    }
  }

 private:
  const Topology& topology_;
  Adjacency adjacency_;
  std::vector<std::vector<std::uint32_t>> arriving_;  // Per router, the channels that arrive there.
};

void check_table_size(const Topology& topology) {
  if (topology.router_count() > ShortestPath::kMaxEntries / topology.node_count()) {
    throw std::invalid_argument("the routing table would exceed kMaxEntries");
  }
  for (std::uint32_t router = 0; router < topology.router_count(); ++router) {
    if (topology.output_count(RouterId{router}) > 256) {
      throw std::invalid_argument("a router has more outputs than a table entry can name");
    }
  }
}

void check_reached(const Topology& topology, const Distances& distance) {
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    if (distance[index(topology.attachment(NodeId{node}).injection.router)] == kUnreached) {
      throw std::invalid_argument("a node cannot reach another");
    }
  }
}

}  // namespace

ShortestPath::ShortestPath(const Topology& topology, std::size_t virtual_channels)
    : nodes_(topology.node_count()), all_(vc_range(0, virtual_channels)) {
  check_table_size(topology);
  outputs_.resize(topology.router_count() * nodes_);
  const PathFinder finder(topology);
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    const Endpoint ejection = topology.attachment(NodeId{node}).ejection;
    const Distances distance = finder.distances_to(ejection.router);
    check_reached(topology, distance);
    for (std::uint32_t router = 0; router < topology.router_count(); ++router) {
      if (distance[router] == kUnreached) continue;  // No packet for the node reaches this router.
      const std::uint16_t output = RouterId{router} == ejection.router
                                       ? index(ejection.port)
                                       : finder.first_output_towards(RouterId{router}, distance);
      outputs_[router * nodes_ + node] = static_cast<std::uint8_t>(output);
    }
  }
}

Route ShortestPath::route(const RouteRequest& request) const {
  const std::size_t entry = index(request.router) * nodes_ + index(request.destination);
  return {PortId{outputs_[entry]}, all_};
}

namespace {

/// "choose dimension_order or o1turn, or another topology".
std::string instead_of_shortest_path(const Topology& topology) {
  const std::string others = algorithms_for(topology, "shortest_path");
  return "choose " + (others.empty() ? "" : others + ", or ") + "another topology";
}

// The paths treat all VCs alike, so an analysis with one VC shows if they can deadlock with any
// number.
void refuse_cycles(const Section& section, const Topology& topology) {
  const DependencyCheck check = check_dependencies(topology, ShortestPath(topology, 1), 1);
  if (check.acyclic()) return;
  section.fail("kind", cyclic_dependency(check.cycle),
               instead_of_shortest_path(topology) + ", or run anyway with --unsafe");
}

std::unique_ptr<Routing> make_shortest_path(const Section& section, const RoutingContext& context) {
  const Topology& topology = context.topology;
  if (topology.router_count() > ShortestPath::kMaxEntries / topology.node_count()) {
    section.fail(
        "kind", "the table of shortest_path would have more than 2^28 entries",
        instead_of_shortest_path(topology) + " with routers times nodes of at most 268435456");
  }
  if (!context.unsafe) refuse_cycles(section, topology);
  return std::make_unique<ShortestPath>(topology, context.virtual_channels);
}

}  // namespace

RoutingEntry shortest_path_routing() {
  return {"shortest_path",
          "On any topology whose table of shortest paths cannot deadlock: lowest output first. "
          "1 VC.",
          {},
          accepts<Topology>(),
          make_shortest_path};
}

namespace {

/// Finds paths that lead up, then down.
class UpDownPaths {
 public:
  UpDownPaths(const Topology& topology, RouterId root)
      : topology_(topology), adjacency_(topology), arriving_(topology.router_count()) {
    std::vector<std::vector<std::uint32_t>> neighbours(topology.router_count());
    for (std::uint32_t c = 0; c < topology.channels().size(); ++c) {
      const Channel& channel = topology.channels()[c];
      neighbours[index(channel.from.router)].push_back(index(channel.to.router));
      neighbours[index(channel.to.router)].push_back(index(channel.from.router));
      arriving_[index(channel.to.router)].push_back(c);
    }
    measure_levels(index(root), neighbours);
  }

  /// True if a channel leads nearer to the root, or to a lower number at the same distance.
  bool up(const Channel& channel) const { return place(channel.to) < place(channel.from); }

  /// Hops from every state to a router: state 2 r of router r for packets that may go up, 2 r + 1
  /// for those that may not.
  std::vector<std::uint32_t> distances_to(RouterId end) const {
    std::vector<std::uint32_t> distance(2 * topology_.router_count(), kUnreached);
    std::vector<std::uint32_t> queue{2 * index(end), 2 * index(end) + 1};
    for (const std::uint32_t state : queue) distance[state] = 0;
    const auto lead = [&](std::uint32_t from, std::uint32_t to) {
      if (distance[from] != kUnreached) return;
      distance[from] = distance[to] + 1;
      queue.push_back(from);
    };
    // The list grows while it is walked. NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const std::uint32_t state = queue[at];
      for (const std::uint32_t c : arriving_[state / 2]) {
        const Channel& channel = topology_.channels()[c];
        const bool goes_up = up(channel);
        if (goes_up != (state % 2 == 0)) continue;
        lead(2 * index(channel.from.router), state);
        if (!goes_up) lead(2 * index(channel.from.router) + 1, state);
      }
    }
    return distance;
  }

  /// The lowest output by which a shortest path leaves a state; 0 if there is none.
  std::uint8_t lowest_output(std::size_t state, const std::vector<std::uint32_t>& distance) const {
    const RouterId router{static_cast<std::uint32_t>(state / 2)};
    if (distance[state] == kUnreached) return 0;
    for (std::size_t port = 0; port < topology_.output_count(router); ++port) {
      const std::uint32_t c = adjacency_.leaving(router, to_id<PortId>(port));
      if (c == Adjacency::kNone) continue;
      const bool goes_up = up(topology_.channels()[c]);
      if (goes_up && state % 2 == 1) continue;
      const std::size_t next = 2 * index(topology_.channels()[c].to.router) + (goes_up ? 0 : 1);
      if (distance[next] + 1 == distance[state]) return static_cast<std::uint8_t>(port);
    }
    return 0;
  }

 private:
  std::pair<std::uint32_t, std::uint32_t> place(Endpoint at) const {
    return {levels_[index(at.router)], index(at.router)};
  }

  void measure_levels(std::uint32_t root,
                      const std::vector<std::vector<std::uint32_t>>& neighbours) {
    levels_.assign(neighbours.size(), kUnreached);
    std::vector<std::uint32_t> queue{root};
    levels_[root] = 0;
    // The list grows while it is walked. NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t at = 0; at < queue.size(); ++at) {
      for (const std::uint32_t next : neighbours[queue[at]]) {
        if (levels_[next] != kUnreached) continue;
        levels_[next] = levels_[queue[at]] + 1;
        queue.push_back(next);
      }
    }
  }

  const Topology& topology_;
  const Adjacency adjacency_;
  std::vector<std::vector<std::uint32_t>> arriving_;  // Per router, the channels that arrive there.
  std::vector<std::uint32_t> levels_;                 // Per router.
};

void check_table(const Topology& topology, RouterId root) {
  if (index(root) >= topology.router_count()) throw std::invalid_argument("the root is no router");
  if (topology.router_count() > UpDown::kMaxEntries / 2 / topology.node_count()) {
    throw std::invalid_argument("the routing table would have more than 2^28 entries");
  }
}

void check_ends(const Topology& topology, NodeId end, const std::vector<std::uint32_t>& distance) {
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    const RouterId start = topology.attachment(NodeId{node}).injection.router;
    if (distance[2 * index(start)] != kUnreached) continue;
    throw std::invalid_argument("no way leads up and down from node " + std::to_string(node) +
                                " to node " + std::to_string(index(end)));
  }
}

}  // namespace

UpDown::UpDown(const Topology& topology, RouterId root, std::size_t virtual_channels)
    : nodes_(topology.node_count()), all_(vc_range(0, virtual_channels)) {
  check_table(topology, root);
  const UpDownPaths paths(topology, root);
  std::size_t inputs = 0;
  for (const RouterId r : topology.routers()) {
    first_input_.push_back(inputs);
    inputs += topology.input_count(r);
  }
  came_down_.resize(inputs);
  for (const Channel& channel : topology.channels()) {
    came_down_[first_input_[index(channel.to.router)] + index(channel.to.port)] =
        !paths.up(channel);
  }
  outputs_.resize(2 * topology.router_count() * nodes_);
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    const RouterId end = topology.attachment(NodeId{node}).ejection.router;
    const std::vector<std::uint32_t> distance = paths.distances_to(end);
    check_ends(topology, NodeId{node}, distance);
    for (std::size_t state = 0; state < distance.size(); ++state) {
      outputs_[state * nodes_ + node] = paths.lowest_output(state, distance);
    }
    const PortId ejection = topology.attachment(NodeId{node}).ejection.port;
    for (const std::size_t down : {0, 1}) {
      outputs_[(2 * index(end) + down) * nodes_ + node] =
          static_cast<std::uint8_t>(index(ejection));
    }
  }
}

Route UpDown::route(const RouteRequest& request) const {
  const std::size_t router = index(request.router);
  const bool down = came_down_[first_input_[router] + index(request.input)];
  const std::size_t state = 2 * router + (down ? 1 : 0);
  return {PortId{outputs_[state * nodes_ + index(request.destination)]}, all_};
}

namespace {

std::unique_ptr<Routing> make_up_down(const Section& section, const RoutingContext& context) {
  const Topology& topology = context.topology;
  const std::size_t root = section.count("root");
  if (root >= topology.router_count()) {
    section.fail("root", topology.name() + " has no router " + std::to_string(root),
                 "name one from 0 to " + std::to_string(topology.router_count() - 1));
  }
  try {
    return std::make_unique<UpDown>(topology, to_id<RouterId>(root), context.virtual_channels);
  } catch (const std::invalid_argument& error) {
    section.fail("kind", std::string("up_down on ") + topology.name() + ": " + error.what(),
                 "use a network whose links lead both ways, or choose " +
                     algorithms_for(topology, "up_down"));
  }
}

}  // namespace

RoutingEntry up_down_routing() {
  return {"up_down",
          "On any topology whose links lead both ways: towards the root, then away from it. 1 VC.",
          {Param::integer("root", "", "Router at the top of the order.", 0).defaults_to(0)},
          accepts<Topology>(),
          make_up_down};
}

}  // namespace flitcast
