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

using Distances = std::vector<std::uint32_t>;  // In channels.

/// Finds the channels of shortest paths to a router.
class PathFinder {
 public:
  explicit PathFinder(const Topology& topology)
      : topology_(topology), adjacency_(topology), arriving_(topology.router_count()) {
    for (const Channel& channel : topology.channels()) {
      arriving_[index(channel.to.router)].push_back(channel);
    }
  }

  /// The channels that arrive at a router.
  const std::vector<Channel>& arriving(std::uint32_t router) const { return arriving_[router]; }

  Distances distances_to(RouterId end) const {
    return count_steps({index(end)}, arriving_.size(), [&](std::uint32_t router, auto&& lead) {
      for (const Channel& channel : arriving(router)) lead(index(channel.from.router));
    });
  }

  /// The lowest output whose channel is on a path: on_path(channel); 0 if there is none.
  template <class OnPath>
  std::uint8_t lowest_output(RouterId router, const OnPath& on_path) const {
    for (const PortId port : topology_.outputs(router)) {
      const std::uint32_t c = adjacency_.leaving(router, port);
      if (c == Adjacency::kNone || !on_path(topology_.channels()[c])) continue;
      return static_cast<std::uint8_t>(index(port));
    }
    return 0;
  }

 private:
  const Topology& topology_;
  const Adjacency adjacency_;
  std::vector<std::vector<Channel>> arriving_;  // Per router.
};

void check_table_size(const Topology& topology) {
  if (topology.router_count() > ShortestPath::kMaxEntries / topology.node_count()) {
    throw std::invalid_argument("the routing table would exceed kMaxEntries");
  }
  for (const RouterId router : topology.routers()) {
    if (topology.output_count(router) > 256) {
      throw std::invalid_argument("a router has more outputs than a table entry can name");
    }
  }
}

void check_reached(const Topology& topology, const Distances& distance) {
  for (const NodeId node : topology.nodes()) {
    if (distance[index(topology.attachment(node).injection.router)] == kUnreached) {
      throw std::invalid_argument("a node cannot reach another");
    }
  }
}

}  // namespace

ShortestPath::ShortestPath(const Topology& topology, std::size_t virtual_channels)
    : OnAllVcs(vc_range(0, virtual_channels)), nodes_(topology.node_count()) {
  check_table_size(topology);
  outputs_.resize(topology.router_count() * nodes_);
  const PathFinder finder(topology);
  for (const NodeId node : topology.nodes()) {
    const Endpoint ejection = topology.attachment(node).ejection;
    const Distances distance = finder.distances_to(ejection.router);
    check_reached(topology, distance);
    for (const RouterId router : topology.routers()) {
      const std::uint32_t hops = distance[index(router)];
      if (hops == kUnreached) continue;  // No packet for the node reaches this router.
      std::uint8_t& output = outputs_[index(router) * nodes_ + index(node)];
      output = static_cast<std::uint8_t>(index(ejection.port));
      if (hops == 0) continue;
      output = finder.lowest_output(router, [&](const Channel& channel) {
        return distance[index(channel.to.router)] == hops - 1;
      });
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
      : routers_(topology.router_count()), finder_(topology) {
    std::vector<std::vector<std::uint32_t>> neighbours(routers_);
    for (const Channel& channel : topology.channels()) {
      neighbours[index(channel.from.router)].push_back(index(channel.to.router));
      neighbours[index(channel.to.router)].push_back(index(channel.from.router));
    }
    levels_ = count_steps({index(root)}, routers_, [&](std::uint32_t router, auto&& lead) {
      for (const std::uint32_t next : neighbours[router]) lead(next);
    });
  }

  /// True if a channel leads nearer to the root, or to a lower number at the same distance.
  bool up(const Channel& channel) const { return place(channel.to) < place(channel.from); }

  /// Hops from every state to a router: state 2 r of router r for packets that may go up, 2 r + 1
  /// for those that may not.
  Distances distances_to(RouterId end) const {
    const std::uint32_t last = 2 * index(end);
    return count_steps({last, last + 1}, 2 * routers_, [&](std::uint32_t state, auto&& lead) {
      for (const Channel& channel : finder_.arriving(state / 2)) {
        const bool goes_up = up(channel);
        if (goes_up != (state % 2 == 0)) continue;
        lead(2 * index(channel.from.router));
        if (!goes_up) lead(2 * index(channel.from.router) + 1);
      }
    });
  }

  /// The lowest output by which a shortest path leaves a state; 0 if there is none.
  std::uint8_t lowest_output(std::size_t state, const Distances& distance) const {
    if (distance[state] == kUnreached) return 0;
    return finder_.lowest_output(to_id<RouterId>(state / 2), [&](const Channel& channel) {
      const bool goes_up = up(channel);
      if (goes_up && state % 2 == 1) return false;
      return distance[2 * index(channel.to.router) + (goes_up ? 0 : 1)] + 1 == distance[state];
    });
  }

 private:
  std::pair<std::uint32_t, std::uint32_t> place(Endpoint at) const {
    return {levels_[index(at.router)], index(at.router)};
  }

  const std::size_t routers_;
  const PathFinder finder_;
  std::vector<std::uint32_t> levels_;  // Per router.
};

void check_table(const Topology& topology, RouterId root) {
  if (index(root) >= topology.router_count()) throw std::invalid_argument("the root is no router");
  if (topology.router_count() > UpDown::kMaxEntries / 2 / topology.node_count()) {
    throw std::invalid_argument("the routing table would have more than 2^28 entries");
  }
}

void check_ends(const Topology& topology, NodeId end, const Distances& distance) {
  for (const NodeId node : topology.nodes()) {
    const RouterId start = topology.attachment(node).injection.router;
    if (distance[2 * index(start)] != kUnreached) continue;
    throw std::invalid_argument("no path leads up and down from node " +
                                std::to_string(index(node)) + " to node " +
                                std::to_string(index(end)));
  }
}

}  // namespace

UpDown::UpDown(const Topology& topology, RouterId root, std::size_t virtual_channels)
    : OnAllVcs(vc_range(0, virtual_channels)), nodes_(topology.node_count()) {
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
  for (const NodeId node : topology.nodes()) {
    const Endpoint ejection = topology.attachment(node).ejection;
    const Distances distance = paths.distances_to(ejection.router);
    check_ends(topology, node, distance);
    for (std::size_t state = 0; state < distance.size(); ++state) {
      outputs_[state * nodes_ + index(node)] = distance[state] == 0
                                                   ? static_cast<std::uint8_t>(index(ejection.port))
                                                   : paths.lowest_output(state, distance);
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
