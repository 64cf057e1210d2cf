// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/sequences.h"
#include "collective/catalog.h"
#include "collective/forwarding/reduction.h"
#include "collective/precondition.h"
#include "collective/ranks/builders.h"

namespace flitcast {

namespace {

/// The first channel from a router to another, by both.
using Links = std::map<std::pair<RouterId, RouterId>, std::uint32_t>;

Links links_of(const Topology& topology) {
  Links links;
  for (std::uint32_t c = 0; c < topology.channels().size(); ++c) {
    const Channel& channel = topology.channels()[c];
    links.try_emplace({channel.from.router, channel.to.router}, c);
  }
  return links;
}

/// The tree of shortest paths from a router, breadth first, over links that lead both ways.
RouterTree shortest_paths(const Topology& topology, const Links& links, RouterId root) {
  RouterTree tree{{root}};
  std::vector<bool> met(topology.router_count(), false);
  met[index(root)] = true;
  for (std::size_t at = 0; at < tree.size(); ++at) {
    const RouterId router = tree[at].router;
    for (auto link = links.lower_bound({router, RouterId{0}});
         link != links.end() && link->first.first == router; ++link) {
      const RouterId to = link->first.second;
      const auto back = links.find({to, router});
      if (back == links.end() || met[index(to)]) continue;
      met[index(to)] = true;
      tree.push_back({to, at, tree[at].depth + 1, link->second, back->second});
    }
  }
  return tree;
}

/// The operation, or number `turn` of reductions at once, with the nodes of its ranks.
Reduction reduction_of(const CollectiveContext& context, std::size_t turn) {
  const auto placed = [&](const std::vector<NodeId>& ranks) {
    return mapped(ranks, [&](const NodeId rank) { return context.placement.node(rank); });
  };
  const std::size_t ranks = context.rank_count();
  const NodeId source = to_id<NodeId>((index(context.source) + turn) % ranks);
  const std::vector<NodeId> all = placed(all_nodes(ranks));
  switch (context.operation) {
    case Operation::kBroadcast:
      return {placed({source}), placed(nodes_after(source, ranks - 1, ranks)), ChunkId{0}};
    case Operation::kMulticast:
      return {{source}, context.receivers, ChunkId{0}};
    case Operation::kReduce:
      return {all, placed({source})};
    default:
      return {all, all};
  }
}

/// A router whose farthest leaf, a router where a node injects or ejects, is nearest; of several,
/// number `turn`, cyclically. Time: O(links) for each leaf.
RouterId centre(const Topology& topology, const Links& links, const Reduction& reduction,
                std::size_t turn) {
  std::set<RouterId> leaves;
  for (const NodeId node : reduction.contributors) {
    leaves.insert(topology.attachment(node).injection.router);
  }
  for (const NodeId node : reduction.receivers) {
    leaves.insert(topology.attachment(node).ejection.router);
  }
  // By router: the leaves that it does not reach, and the distance of the farthest that it reaches.
  std::vector<std::pair<std::size_t, std::size_t>> cost(topology.router_count(),
                                                        {leaves.size(), 0});
  for (const RouterId leaf : leaves) {
    for (const TreeRouter& one : shortest_paths(topology, links, leaf)) {
      auto& [missed, farthest] = cost[index(one.router)];
      --missed;
      farthest = std::max(farthest, one.depth);
    }
  }
  const auto least = *std::min_element(cost.begin(), cost.end());
  const auto found =
      filtered(topology.routers(), [&](RouterId router) { return cost[index(router)] == least; });
  return found[turn % found.size()];
}

RouterId root_of(const Section& workload, const CollectiveContext& context, const Links& links,
                 const Reduction& reduction, std::size_t turn) {
  const Topology& topology = context.topology;
  if (workload.is_integer("root")) {
    const std::size_t root = workload.count("root");
    if (root < topology.router_count()) return to_id<RouterId>(root);
    workload.fail("root", topology.name() + " has no router " + std::to_string(root),
                  "use routers from 0 to " + std::to_string(topology.router_count() - 1));
  }
  if (workload.text("root") == "centre") return centre(topology, links, reduction, turn);
  const bool gathers = context.operation == Operation::kReduce;
  const NodeId source = (gathers ? reduction.receivers : reduction.contributors).front();
  return topology.attachment(source).injection.router;
}

RouterForwarding along_trees(const Section& workload, const CollectiveContext& context,
                             std::size_t count, std::size_t virtual_channels) {
  const Topology& topology = context.topology;
  require(source_exists(topology, context.source));
  const Links links = links_of(topology);
  std::vector<Reduction> reductions;
  std::vector<RouterTree> trees;
  for (std::size_t turn = 0; turn < count; ++turn) {
    reductions.push_back(reduction_of(context, turn));
    const RouterId root = root_of(workload, context, links, reductions.back(), turn);
    trees.push_back(shortest_paths(topology, links, root));
  }
  return reduction_forwarding(topology, reductions, trees, virtual_channels);
}

/// Collective operation in the routers: along the tree of shortest paths to a root, over links that
/// lead both ways, routers combine the contributions of their nodes and of their children; the
/// root's router sends the result down the tree to all nodes that want it. A broadcast or multicast
/// goes up to the root, and from there down. Routers without nodes, as the upper switches of a fat
/// tree, are inner vertices; several nodes at a router all contribute there.
///
/// The root is a router whose farthest leaf, a router with nodes of the operation, is nearest: in
/// fat trees the lowest common ancestor of the nodes, the switch of a crossbar. Several reductions
/// at once take turns at these routers.
///
/// Cost, with one channel a round: 1 + the largest depth of a leaf that contributes + 1 + the
/// largest depth of a leaf that receives. That is 2 on one switch, 2 l on a fat tree of l levels,
/// which is minimal.
///
/// Source: Graham et al., "Scalable Hierarchical Aggregation Protocol (SHArP)", COM-HPC 2016, for
/// trees of switches; Klenk et al., "An In-Network Architecture for Accelerating Shared-Memory
/// Multiprocessor Collectives", ISCA 2020, for a switch that combines and multicasts. The choice of
/// the root is flitcast's.
Collective make_switch_tree(const Section& workload, const CollectiveContext& context) {
  const RouterForwarding forwarding = along_trees(workload, context, 1, 1);
  const Demand demand = demand_of_ranks(context);
  Plan plan{steps_of(context.topology, *forwarding.routing, forwarding.injections, demand,
                     context.placement),
            {forwarding.injections.empty() ? 0 : forwarding.depth() + 2}};
  return {demand, {Switching::kThroughRouters, context.ports}, std::move(plan)};
}

RouterForwarding forward_switch_tree(const Section& workload, const CollectiveContext& context,
                                     std::size_t virtual_channels) {
  const std::size_t count = workload.has("at_once") ? workload.count("at_once") : 1;
  return along_trees(workload, context, count, virtual_channels);
}

std::vector<Param> switch_tree_params() {
  std::vector<Param> params{Param::choice_or_integer(
      "root", "router",
      "Root of the tree. centre: the router whose farthest router with nodes is nearest, of "
      "several reductions at once each another; source: the router of the source, or of node 0.",
      {"centre", "source"}, 0, kMaxRouters - 1)};
  for (const char* operation : {"reduce", "all_reduce", "barrier"}) {
    params.push_back(at_once_param());
    params.back().when = {"operation", {operation}};
  }
  return params;
}

}  // namespace

CollectiveEntry switch_tree_collective() {
  CollectiveEntry entry{{"switch_tree",
                         "Any network whose links lead both ways: routers combine and copy along a "
                         "tree of shortest paths.",
                         switch_tree_params, make_switch_tree},
                        {Operation::kBroadcast, Operation::kMulticast, Operation::kReduce,
                         Operation::kAllReduce, Operation::kBarrier},
                        false,
                        forward_switch_tree};
  entry.on_ranks = {Operation::kBroadcast, Operation::kReduce, Operation::kAllReduce,
                    Operation::kBarrier};
  return entry;
}

}  // namespace flitcast
