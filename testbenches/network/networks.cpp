// SPDX-License-Identifier: Apache-2.0
#include "network/networks.h"

#include "routing/concentrated_routing.h"
#include "routing/dimension_order.h"
#include "routing/e_cube.h"
#include "routing/message_classes.h"
#include "routing/multistage_routing.h"
#include "routing/shortest_path.h"
#include "routing/tree_ascent.h"
#include "routing/walk.h"
#include "topology/adjacency.h"
#include "topology/butterfly.h"
#include "topology/concentrated.h"
#include "topology/fat_tree.h"
#include "topology/graph.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {
namespace {

RoutedNetwork grid_network(const Grid& grid, VcClasses classes, unsigned virtual_channels) {
  RoutedNetwork network{std::make_unique<Grid>(grid), nullptr};
  network.routing = std::make_unique<DimensionOrder>(
      grid, DimensionOrder::Params{false, true, classes, virtual_channels});
  return network;
}

RoutedNetwork torus_network(const std::vector<std::size_t>& sizes, unsigned virtual_channels) {
  return grid_network(torus(sizes), VcClasses::kDallySeitzFixed, virtual_channels);
}

RoutedNetwork butterfly_network(std::size_t arity, std::size_t stages, unsigned virtual_channels) {
  const Butterfly butterfly(arity, stages);
  return {std::make_unique<Butterfly>(butterfly),
          std::make_unique<DestinationTag>(butterfly, virtual_channels)};
}

RoutedNetwork fat_tree_network(std::size_t arity, std::size_t levels, unsigned virtual_channels) {
  const FatTree tree = k_ary_n_tree(arity, levels);
  return {std::make_unique<FatTree>(tree), std::make_unique<DModK>(tree, virtual_channels)};
}

RoutedNetwork cmesh_network(unsigned virtual_channels) {
  const Concentrated cmesh = concentrated_mesh({3, 2}, {1, 2});
  const auto& core = dynamic_cast<const Grid&>(cmesh.core());
  const DimensionOrder::Params params{false, true, VcClasses::kNone, virtual_channels};
  return {
      std::make_unique<Concentrated>(cmesh),
      std::make_unique<ConcentratedRouting>(cmesh, std::make_unique<DimensionOrder>(core, params))};
}

RoutedNetwork hypercube_network(std::size_t dimension, unsigned virtual_channels) {
  const Hypercube cube(dimension);
  return {std::make_unique<Hypercube>(cube),
          std::make_unique<ECube>(cube, ECube::Order::kLeastSignificantFirst, virtual_channels)};
}

RoutedNetwork complete_network(std::size_t nodes, unsigned virtual_channels) {
  const Complete complete(nodes);
  return {std::make_unique<Complete>(complete),
          std::make_unique<ShortestPath>(complete, virtual_channels)};
}

// Returns a line, on which dependencies are acyclic.
RoutedNetwork line_network(unsigned virtual_channels) {
  std::vector<GraphLink> links;
  const std::vector<std::uint32_t> latencies{9, 0, 1, 4};
  for (std::uint32_t r = 0; r < latencies.size(); ++r) {
    links.push_back({RouterId{r}, RouterId{r + 1}, latencies[r]});
    links.push_back({RouterId{r + 1}, RouterId{r}, latencies[r] / 2});
  }
  const std::vector<RouterId> homes{RouterId{0}, RouterId{1}, RouterId{2},
                                    RouterId{2}, RouterId{3}, RouterId{4}};
  const Graph line("line", latencies.size() + 1, links, homes);
  return {std::make_unique<Graph>(line), std::make_unique<ShortestPath>(line, virtual_channels)};
}

}  // namespace

RoutedNetwork mesh_network(const std::vector<std::size_t>& sizes, unsigned virtual_channels) {
  return grid_network(mesh(sizes), VcClasses::kNone, virtual_channels);
}

RoutedNetwork mesh_of_classes(const std::vector<std::size_t>& sizes,
                              const std::vector<VcRange>& classes) {
  RoutedNetwork network = mesh_network(sizes, 1);
  const auto& grid = dynamic_cast<const Grid&>(*network.topology);
  network.routing =
      std::make_unique<MessageClasses>(classes, [&grid](std::size_t virtual_channels) {
        DimensionOrder::Params params;
        params.virtual_channels = virtual_channels;
        return std::make_unique<DimensionOrder>(grid, params);
      });
  return network;
}

std::vector<RoutedNetworkMaker> small_networks() {
  return {
      [](unsigned vcs) {
        return mesh_network({4, 3}, vcs);
      },
      [](unsigned vcs) {
        return mesh_network({2, 2, 3}, vcs);
      },
      [](unsigned vcs) {
        return torus_network({4, 4}, vcs);
      },
      [](unsigned vcs) { return torus_network({7}, vcs); },
      [](unsigned vcs) { return butterfly_network(2, 3, vcs); },
      [](unsigned vcs) { return hypercube_network(3, vcs); },
      [](unsigned vcs) { return complete_network(6, vcs); },
      line_network,
      cmesh_network,
      [](unsigned vcs) { return fat_tree_network(2, 3, vcs); },
  };
}

std::uint64_t zero_load_latency(const RoutedNetwork& network, const NetworkParams& params,
                                NodeId source, NodeId destination, std::uint32_t length) {
  const Adjacency adjacency(*network.topology);
  const Walk way = walk(*network.topology, adjacency, *network.routing, source, destination);
  const Pipeline& pipeline = params.router.pipeline;
  const std::uint64_t router = pipeline.route + pipeline.vc_allocation +
                               pipeline.switch_allocation + pipeline.traversal -
                               (params.router.options.speculation ? 1 : 0);
  std::uint64_t links = 1;  // The ejection channel.
  for (const Hop& hop : way.hops) {
    const std::uint32_t channel = adjacency.leaving(hop.router, hop.output);
    const std::uint32_t own = network.topology->channels()[channel].latency;
    links += own != 0 ? own : params.link_latency;
  }
  return params.startup + 2 + (way.hops.size() + 1) * router + links + (length - 1);
}

std::size_t routers_between(const RoutedNetwork& network, NodeId source, NodeId destination) {
  const Adjacency adjacency(*network.topology);
  return walk(*network.topology, adjacency, *network.routing, source, destination).hops.size() + 1;
}

}  // namespace flitcast
