// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.h"
#include "collective/forwarding/reduction.h"
#include "network/fabric/fabric.h"
#include "network/sources.h"
#include "support/test_catch.h"
#include "topology/adjacency.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {

inline std::vector<NodeId> every_node(const Topology& topology) {
  std::vector<NodeId> nodes;
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) nodes.push_back(NodeId{n});
  return nodes;
}

inline RouterForwarding broadcast_by_routers(const Topology& topology, NodeId root) {
  if (const auto* cube = dynamic_cast<const Hypercube*>(&topology)) {
    return binomial_forwarding(*cube, root, 1);
  }
  return dimension_order_forwarding(dynamic_cast<const Grid&>(topology), root,
                                    StopRule::kSourceAddress, 1);
}

/// The tree of a broadcast with a single injection: follows the copies that its routers make. Input
/// p receives from the router that output p leads to.
inline RouterTree broadcast_tree(const Topology& topology, NodeId root,
                                 const RouterForwarding& broadcast) {
  const Adjacency adjacency(topology);
  const Endpoint start = topology.attachment(root).injection;
  RouterTree tree{{start.router}};
  if (broadcast.injections.empty()) return tree;
  std::vector<RouteRequest> requests{
      {start.router, start.port, VcId{0}, root, 0, broadcast.injections[0].route_field}};
  std::vector<bool> met(topology.router_count(), false);
  met[index(start.router)] = true;
  Branches branches;
  for (std::size_t at = 0; at < tree.size(); ++at) {
    branches.clear();
    broadcast.routing->branches(requests[at], branches);
    for (const Branch& branch : branches) {
      const std::uint32_t down = adjacency.leaving(tree[at].router, branch.output);
      if (down == Adjacency::kNone) continue;
      const Endpoint to = topology.channels()[down].to;
      const std::uint32_t up = adjacency.leaving(to.router, to.port);
      REQUIRE(!met[index(to.router)]);
      met[index(to.router)] = true;
      tree.push_back({to.router, at, tree[at].depth + 1, down, up});
      requests.push_back({to.router, to.port, VcId{0}, root, 0, branch.route_field});
    }
  }
  return tree;
}

/// A reduction along the tree of broadcast_by_routers() from a node.
struct RootedReduction {
  NodeId root{};
  std::vector<NodeId> contributors{};
  bool to_all = false;  ///< False: only the root gets the sum.

  Reduction reduction() const {
    return {contributors, to_all ? contributors : std::vector<NodeId>{root}};
  }
  RouterTree tree(const Topology& topology) const {
    return broadcast_tree(topology, root, broadcast_by_routers(topology, root));
  }
};

inline RouterForwarding forwarding_of(const Topology& topology,
                                      const std::vector<RootedReduction>& rooted,
                                      std::size_t virtual_channels) {
  std::vector<Reduction> reductions;
  std::vector<RouterTree> trees;
  for (const RootedReduction& one : rooted) {
    reductions.push_back(one.reduction());
    trees.push_back(one.tree(topology));
  }
  return reduction_forwarding(topology, reductions, trees, virtual_channels);
}

/// Wormhole routers that combine packets by addition, with buffers that cover the credit loop.
inline NetworkParams adding_routers() {
  NetworkParams params;
  params.full_hierarchy = false;
  params.router.virtual_channels = 1;
  params.router.buffer_depth = 8;
  params.combine = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  return params;
}

/// A source for several rounds of the reductions of a forwarding, with random gaps. The payload of
/// node n in round t of reduction r is drawn from (n, t, r).
class TurnsOfReductions : public ScriptSource {
 public:
  TurnsOfReductions(std::size_t nodes, const RouterForwarding& forwarding, std::uint32_t turns,
                    std::uint32_t longest, std::uint32_t longest_gap)
      : ScriptSource(nodes) {
    std::vector<std::uint64_t> clock(nodes, 0);
    for (std::uint32_t turn = 0; turn < turns; ++turn) {
      for (const RouterForwarding::Injection& injection : forwarding.injections) {
        Random draw = Random::stream(injection.route_field * 1000U + turn, index(injection.node));
        PacketRequest request;
        // The length is equal for all parts of a round.
        request.length = 1 + static_cast<std::uint32_t>(
                                 Random::stream(injection.route_field, turn).below(longest));
        request.tag = injection.route_field * 1000U + turn;
        request.payload = draw.next();
        request.receivers = injection.receivers;
        request.route_field = injection.route_field;
        request.message_class = injection.message_class;
        request.port = 0;
        std::uint64_t& now = clock[index(injection.node)];
        now += 1 + draw.below(longest_gap);
        add(Cycle{now}, injection.node, request);
        if (request.tag >= sums.size()) sums.resize(request.tag + 1, 0);
        sums[request.tag] += request.payload;
      }
    }
  }

  std::vector<std::uint64_t> sums;  ///< By tag: the expected sum.
};

}  // namespace flitcast
