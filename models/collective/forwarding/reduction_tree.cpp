// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "collective/catalog.h"
#include "collective/forwarding/reduction.h"
#include "collective/precondition.h"
#include "collective/ranks/builders.h"
#include "collective/schedule.h"
#include "topology/adjacency.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {

CollectiveEntry binomial_tree_collective();
CollectiveEntry dimension_order_collective();

namespace {

/// The plan of the broadcast from a root along the dimension-order tree or the binomial tree.
Plan broadcast_to(const CollectiveContext& reduction, NodeId root) {
  const bool cube = dynamic_cast<const Hypercube*>(&reduction.topology) != nullptr;
  if (!cube) family_of<Grid>(reduction);
  CollectiveContext context = reduction;
  context.operation = Operation::kBroadcast;
  context.source = root;
  const Section keys =
      cube ? Section::of("workload", {})
           : Section::of("workload", {{"rule", "farthest"}, {"stop", "source_address"}});
  return (cube ? binomial_tree_collective() : dimension_order_collective())
      .make(keys, context)
      .plan;
}

/// The tree of a broadcast, whose messages reach parents before their children. Input p receives
/// from the router that output p leads to.
RouterTree tree_of(const Topology& topology, NodeId root, const Schedule& broadcast) {
  const Adjacency adjacency(topology);
  RouterTree tree{{RouterId{index(root)}}};
  std::vector<std::size_t> place(topology.router_count(), 0);
  for (std::size_t m = 0; m < broadcast.size(); ++m) {
    const RouterId from{index(broadcast.message(m).from)};
    const std::uint32_t down = adjacency.leaving(from, broadcast.path(m)[0]);
    const auto [router, port] = topology.channels()[down].to;
    const std::size_t parent = place[index(from)];
    place[index(router)] = tree.size();
    tree.push_back({router, parent, tree[parent].depth + 1, down, adjacency.leaving(router, port)});
  }
  return tree;
}

bool goes_to_all(Operation operation) { return operation != Operation::kReduce; }

/// Reverses the rounds of the broadcast, so that sums go up the tree; with `to_all` the result then
/// goes down.
Schedule up_and_down(const Topology& topology, const Schedule& broadcast, bool to_all) {
  const Adjacency adjacency(topology);
  Schedule schedule;
  schedule.begin_phase("reduction");
  const auto output = [&](std::size_t m) { return broadcast.path(m)[0]; };
  const auto sum = [](std::size_t) { return kPartialSum; };
  add_rounds(schedule, broadcast, true, sum, [&](std::size_t m) {
    const RouterId parent{index(broadcast.message(m).from)};
    return topology.channels()[adjacency.leaving(parent, output(m))].to.port;
  });
  schedule.begin_phase("broadcast");
  const auto result = [](std::size_t) { return kResult; };
  if (to_all) add_rounds(schedule, broadcast, false, result, output);
  return schedule;
}

/// Reduction along a broadcast tree, the dimension-order tree of grids or the binomial tree of
/// hypercubes, from its leaves to its root, the source; for all-reduce and barrier, whose root is
/// node 0, the result goes down the tree again. Store-and-forward.
///
/// Cost, for a broadcast of R rounds on N nodes: R rounds and N - 1 sends, twice as many of both if
/// the result also goes down; no duplicates. R is minimal for the reduction if it is minimal for
/// the broadcast, its mirror image. The operator must be commutative: a node combines sums in the
/// order of its children, not of the ranks. Reversing a broadcast tree is flitcast's choice; the
/// broadcasts name their sources.
Collective make_reduction_tree(const Section&, const CollectiveContext& context) {
  const Topology& topology = context.topology;
  const Plan broadcast = broadcast_to(context, context.source);
  const bool to_all = goes_to_all(context.operation);
  const std::size_t directions = to_all ? 2 : 1;
  const Claim claim{directions * broadcast.claim.rounds, broadcast.claim.at_most,
                    directions * (topology.node_count() - 1), 0};
  Demand demand{context.operation, topology.node_count(), context.source};
  return {demand,
          {Switching::kStoreAndForward, context.ports},
          {up_and_down(topology, broadcast.schedule, to_all), claim}};
}

/// Makes `at_once` reductions, each with another root, starting with the source.
RouterForwarding forward_reduction_tree(const Section& workload, const CollectiveContext& context,
                                        std::size_t virtual_channels) {
  const std::vector<NodeId> nodes = all_nodes(context.topology.node_count());
  const bool to_all = goes_to_all(context.operation);
  std::vector<Reduction> reductions;
  std::vector<RouterTree> trees;
  for (std::size_t r = 0; r < workload.count("at_once"); ++r) {
    const NodeId root = nodes[(index(context.source) + r) % nodes.size()];
    reductions.push_back({nodes, to_all ? nodes : std::vector<NodeId>{root}});
    trees.push_back(tree_of(context.topology, root, broadcast_to(context, root).schedule));
  }
  return reduction_forwarding(context.topology, reductions, trees, virtual_channels);
}

Param at_once_of_routers() {
  Param at_once = at_once_param();
  at_once.when = {"forwarding", {"routers"}};
  return at_once;
}

}  // namespace

CollectiveEntry reduction_tree_collective() {
  return {
      {"reduction_tree",
       "Grids and hypercubes, one port or all: a broadcast tree backwards; routers can combine.",
       {forwarding_param(), at_once_of_routers()},
       make_reduction_tree},
      {Operation::kReduce, Operation::kAllReduce, Operation::kBarrier},
      false,
      forward_reduction_tree};
}

}  // namespace flitcast
