// SPDX-License-Identifier: Apache-2.0
#include "collective/catalog.h"

#include <string>

#include "collective/broadcast/binomial_tree.h"
#include "collective/broadcast/chain_halving.h"
#include "collective/broadcast/dilated_diagonal.h"
#include "collective/broadcast/dimension_order_tree.h"
#include "collective/broadcast/double_tree.h"
#include "collective/broadcast/doubling.h"
#include "collective/broadcast/extended_dominating_nodes.h"
#include "collective/broadcast/flooding.h"
#include "collective/broadcast/ho_kao.h"
#include "collective/broadcast/recursive_doubling.h"
#include "collective/broadcast/recursive_tiling.h"
#include "collective/cube/cube_gossip.h"
#include "collective/cube/cube_scatter.h"
#include "collective/cube/cube_total_exchange.h"
#include "collective/gossip/disjoint_trees.h"
#include "collective/gossip/hamiltonian_gossip.h"
#include "collective/gossip/zigzag_cycle_gossip.h"
#include "collective/gossip/zigzag_trails.h"
#include "collective/precondition.h"

namespace flitcast {

namespace {

using Subject = PreconditionError::Subject;

template <class Family>
constexpr const char* kFamily = "";
template <>
constexpr const char* kFamily<Grid> = "meshes, tori and rings";
template <>
constexpr const char* kFamily<Hypercube> = "hypercubes";
template <>
constexpr const char* kFamily<Complete> = "complete graphs";

template <class Family>
const Family& require(const CollectiveContext& context) {
  if (const auto* family = dynamic_cast<const Family*>(&context.topology)) return *family;
  throw PreconditionError(Subject::kTopology,
                          std::string("the algorithm works on ") + kFamily<Family> + ", not on " +
                              context.topology.name(),
                          "choose another topology, or another algorithm (list collectives)");
}

// Algorithms whose nodes send through all channels at once.
void require_all_ports(const CollectiveContext& context) {
  if (context.ports == kAllPorts) return;
  throw PreconditionError(Subject::kPorts,
                          "the algorithm sends through all channels of a node at once",
                          "write node.ports: all, or choose an algorithm for nodes with one port");
}

Collective one_to_all(const CollectiveContext& context, Operation operation,
                      const Discipline& discipline, Plan plan) {
  return {{operation, context.topology.node_count(), context.source}, discipline, std::move(plan)};
}

Collective gossip(const CollectiveContext& context, std::size_t chunks, Plan plan) {
  return {{Operation::kGossip, context.topology.node_count(), NodeId{}, chunks},
          {Switching::kStoreAndForward, kAllPorts},
          std::move(plan)};
}

template <class Family, Plan (*broadcast)(const Family&, NodeId), Switching switching,
          unsigned ports>
Collective make_broadcast(const Section&, const CollectiveContext& context) {
  const Family& family = require<Family>(context);
  if (ports == kAllPorts) require_all_ports(context);
  return one_to_all(context, Operation::kBroadcast, {switching, ports},
                    broadcast(family, context.source));
}

Collective make_flooding(const Section&, const CollectiveContext& context) {
  require_all_ports(context);
  return one_to_all(context, Operation::kBroadcast, {Switching::kStoreAndForward, kAllPorts},
                    flooding_broadcast(context.topology, context.source));
}

Collective make_binomial_tree(const Section&, const CollectiveContext& context) {
  const Hypercube& cube = require<Hypercube>(context);
  return one_to_all(context, Operation::kBroadcast, {Switching::kStoreAndForward, context.ports},
                    binomial_broadcast(cube, context.source, context.ports));
}

Collective make_dimension_order(const Section& workload, const CollectiveContext& context) {
  const Grid& grid = require<Grid>(context);
  DimensionOrderTree tree;
  tree.ports = context.ports;
  tree.rule = workload.text("rule") == "seed" ? DirectionRule::kSeed : DirectionRule::kFarthest;
  tree.stop_in_time = workload.text("stop") != "never";
  return one_to_all(context, Operation::kBroadcast, {Switching::kStoreAndForward, context.ports},
                    dimension_order_broadcast(grid, context.source, tree));
}

Collective make_cube_scatter(const Section&, const CollectiveContext& context) {
  const Hypercube& cube = require<Hypercube>(context);
  require_all_ports(context);
  return one_to_all(context, Operation::kScatter, {Switching::kStoreAndForward, kAllPorts},
                    cube_scatter(cube, context.source));
}

Collective make_total_exchange(const Section&, const CollectiveContext& context) {
  const Hypercube& cube = require<Hypercube>(context);
  require_all_ports(context);
  return one_to_all(context, Operation::kAllToAllScatter, {Switching::kStoreAndForward, kAllPorts},
                    cube_total_exchange(cube));
}

// `chunks` of every node.
template <class Family, Plan (*algorithm)(const Family&), std::size_t chunks>
Collective make_gossip(const Section&, const CollectiveContext& context) {
  const Family& family = require<Family>(context);
  require_all_ports(context);
  Plan plan = algorithm(family);
  return gossip(context, chunks, std::move(plan));
}

Collective make_hamiltonian_cycles(const Section&, const CollectiveContext& context) {
  const Grid& torus = require<Grid>(context);
  require_all_ports(context);
  Plan plan = hamiltonian_gossip(torus);
  return gossip(context, torus.dimensions(), std::move(plan));
}

Param choice(std::string key, std::vector<std::string> choices, std::string help) {
  Param param{std::move(key), Param::Type::kChoice, choices.front(), "", std::move(help)};
  param.choices = std::move(choices);
  return param;
}

Param forwarding_param() {
  return choice("forwarding", {"nodes", "routers"},
                "Who passes chunks on: nodes, with a start-up for every send, or routers that copy "
                "packets by rules of their own; routing.kind does not matter then.");
}

RouterForwarding forward_dimension_order(const Section& workload, const CollectiveContext& context,
                                         std::size_t virtual_channels) {
  const Grid& grid = require<Grid>(context);
  if (workload.text("stop") == "never") {
    throw PreconditionError(Subject::kTopology, "routers cannot tell a packet that has met itself",
                            "write workload.stop: hop_counter or source_address");
  }
  const bool counts = workload.text("stop") == "hop_counter";
  return dimension_order_forwarding(grid, context.source,
                                    counts ? StopRule::kHopCounter : StopRule::kSourceAddress,
                                    virtual_channels);
}

RouterForwarding forward_binomial_tree(const Section&, const CollectiveContext& context,
                                       std::size_t virtual_channels) {
  return binomial_forwarding(require<Hypercube>(context), context.source, virtual_channels);
}

RouterForwarding forward_hamiltonian_cycles(const Section&, const CollectiveContext& context,
                                            std::size_t virtual_channels) {
  return hamiltonian_forwarding(require<Grid>(context), virtual_channels);
}

constexpr Switching kSf = Switching::kStoreAndForward;
constexpr Switching kWh = Switching::kWormhole;

}  // namespace

const Catalog<CatalogEntry<CollectiveMaker>>& broadcasts() {
  static const Catalog<CatalogEntry<CollectiveMaker>> catalog{
      {"doubling",
       "Complete graphs, one port: the informed set doubles.",
       {},
       make_broadcast<Complete, doubling_broadcast, kSf, 1>},
      {"flooding",
       "Any connected graph, all ports: on to whom it did not come from.",
       {},
       make_flooding},
      {"binomial_tree",
       "Hypercubes, one port or all: spanning binomial tree.",
       {forwarding_param()},
       make_binomial_tree},
      {"dimension_order",
       "Meshes and tori, one port or all: tree of lines, one dimension after the other.",
       {choice("rule", {"farthest", "seed"},
               "One port: the longer direction first in every dimension, or only in dimension 0 at "
               "the source."),
        choice("stop", {"hop_counter", "source_address", "never"},
               "Tori: stop before the copies from both sides meet, by a count or by the source in "
               "the header, or let them meet (all ports)."),
        forwarding_param()},
       make_dimension_order},
      {"double_tree",
       "Hypercubes, wormhole, all ports: trees from the source and from its opposite.",
       {},
       make_broadcast<Hypercube, double_tree_broadcast, kWh, kAllPorts>},
      {"ho_kao",
       "Hypercubes, wormhole, all ports: partition along a path; never more rounds than "
       "double_tree.",
       {},
       make_broadcast<Hypercube, ho_kao_broadcast, kWh, kAllPorts>},
      {"recursive_doubling",
       "Meshes and tori, wormhole, one port: halve every dimension in turn.",
       {},
       make_broadcast<Grid, recursive_doubling_broadcast, kWh, 1>},
      {"chain_halving",
       "Meshes, wormhole, one port (U-mesh): ceil(log2 N) rounds.",
       {},
       make_broadcast<Grid, chain_halving_broadcast, kWh, 1>},
      {"recursive_tiling",
       "Tori of 5^k x 5^k, wormhole, all ports, routing o1turn: log5 N rounds.",
       {},
       make_broadcast<Grid, recursive_tiling_broadcast, kWh, kAllPorts>},
      {"extended_dominating_nodes",
       "Meshes 4x4, 16x16 and 64x64, wormhole, all ports.",
       {},
       make_broadcast<Grid, extended_dominating_nodes_broadcast, kWh, kAllPorts>},
      {"dilated_diagonal",
       "Every 2-D torus, wormhole, all ports.",
       {},
       make_broadcast<Grid, dilated_diagonal_broadcast, kWh, kAllPorts>},
  };
  return catalog;
}

const Catalog<CatalogEntry<CollectiveMaker>>& gossips() {
  static const Catalog<CatalogEntry<CollectiveMaker>> catalog{
      {"cube_classes",
       "Hypercubes: optimal, by classes of addresses under rotation.",
       {},
       make_gossip<Hypercube, cube_gossip, 1>},
      {"hamiltonian_cycles",
       "Tori: as many chunks a node as dimensions, round edge-disjoint Hamiltonian cycles.",
       {forwarding_param()},
       make_hamiltonian_cycles},
      {"zigzag_cycles",
       "2-D tori with an even size: two chunks a node, round two zigzag cycles.",
       {},
       make_gossip<Grid, zigzag_cycle_gossip, 2>},
      {"zigzag_trails",
       "Tori of 2 to 4 dimensions: one chunk a node, along zigzag trails.",
       {},
       make_gossip<Grid, zigzag_trail_gossip, 1>},
      {"disjoint_trees",
       "2-D tori: optimal, time-arc-disjoint translates of one tree.",
       {},
       make_gossip<Grid, disjoint_tree_gossip, 1>},
  };
  return catalog;
}

const Catalog<CatalogEntry<CollectiveMaker>>& scatters() {
  static const Catalog<CatalogEntry<CollectiveMaker>> catalog{
      {"cube_classes", "Hypercubes: optimal, farthest packets first.", {}, make_cube_scatter},
  };
  return catalog;
}

const Catalog<CatalogEntry<CollectiveMaker>>& all_to_all_scatters() {
  static const Catalog<CatalogEntry<CollectiveMaker>> catalog{
      {"cube_colouring", "Hypercubes: optimal, by an edge colouring.", {}, make_total_exchange},
  };
  return catalog;
}

const Catalog<CatalogEntry<ForwardingMaker>>& router_forwardings() {
  static const Catalog<CatalogEntry<ForwardingMaker>> catalog{
      {"dimension_order", "Dimension-order tree.", {}, forward_dimension_order},
      {"binomial_tree", "Spanning binomial tree.", {}, forward_binomial_tree},
      {"hamiltonian_cycles", "Round the cycles both ways.", {}, forward_hamiltonian_cycles},
  };
  return catalog;
}

const std::vector<OperationEntry>& operations() {
  static const std::vector<OperationEntry> entries{
      {"broadcast", Operation::kBroadcast, broadcasts},
      {"gossip", Operation::kGossip, gossips},
      {"scatter", Operation::kScatter, scatters},
      {"all_to_all_scatter", Operation::kAllToAllScatter, all_to_all_scatters},
  };
  return entries;
}

}  // namespace flitcast
