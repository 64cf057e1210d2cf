// SPDX-License-Identifier: Apache-2.0
#include "routing/shortest_path.h"

#include <stdexcept>

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

}  // namespace flitcast
