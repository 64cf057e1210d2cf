// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "collective/demand.h"
#include "collective/forwarding/forwarding.h"
#include "collective/schedule.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// A sum of contributions that routers form along a tree, up to its root, from where the sum goes
/// down the tree to all receivers. The contribution of a single node makes it a multicast.
struct Reduction {
  std::vector<NodeId> contributors;  ///< At least one, each once.
  std::vector<NodeId> receivers;     ///< Each once; a node may contribute and receive.
  ChunkId item = kPartialSum;        ///< The item that contributors inject.

  /// True if the only contributor is the only receiver, or there is no receiver: then no packet is
  /// needed.
  bool moves_nothing() const {
    return receivers.empty() || (contributors.size() == 1 && contributors == receivers);
  }
};

/// A router of a tree whose links lead both ways.
struct TreeRouter {
  RouterId router{};
  std::size_t parent = 0;  ///< The index of its parent in the tree; 0 at the root.
  std::size_t depth = 0;   ///< The number of channels from the root.
  std::uint32_t down = 0;  ///< The channel from the parent, except at the root.
  std::uint32_t up = 0;    ///< The channel to the parent, except at the root.
};
/// A tree of routers: the root is the first, and parents come before their children.
using RouterTree = std::vector<TreeRouter>;

/// Trees along which routers combine packets, one for each reduction, without branches that lead to
/// no contributor and no receiver.
///
/// Reduction r has message class r mod C of the C classes and uses the first virtual channel of the
/// class at every port. 56 bytes for every router and reduction, and 2 for every port of a tree.
class ReductionTrees : public Routing {
 public:
  /// Throws std::invalid_argument unless the classes split the virtual channels evenly.
  ReductionTrees(const Topology& topology, std::size_t virtual_channels, std::size_t classes);

  using Paths = std::vector<RouterForwarding::Path>;
  /// Adds a reduction. Returns the different paths from a contributor through the root to the
  /// farthest receiver.
  ///
  /// Throws std::invalid_argument for nodes that do not exist, and for contributors or receivers
  /// that are named twice; PreconditionError for nodes that the tree does not reach.
  Paths add(const RouterTree& tree, const Reduction& reduction);

  bool multicast() const override { return true; }
  std::uint32_t reductions() const override { return static_cast<std::uint32_t>(stops_.size()); }
  void combination(const RouteRequest& request, Combination& combination) const override;
  std::size_t message_classes() const override { return classes_; }
  VcSet class_vcs(std::size_t message_class) const override {
    const std::size_t vcs = virtual_channels_ / classes_;
    return vc_range(message_class * vcs, vcs);
  }
  VcSet injection_vcs(NodeId, NodeId) const override { return vcs_; }

 private:
  static constexpr PortId kNoPort{0xffff};

  /// A router's role in a tree.
  struct Stop {
    PortId to_parent = kNoPort;     ///< The output to its parent; kNoPort at the root.
    PortId from_parent = kNoPort;   ///< The input from its parent.
    std::vector<PortId> inputs{};   ///< From children, and from nodes that contribute.
    std::vector<PortId> outputs{};  ///< To children, and to nodes that receive.
  };
  Stop& stop(RouterId router) { return stops_.back()[index(router)]; }
  void place_nodes(const RouterTree& tree, const Reduction& reduction);
  void join_routers(const RouterTree& tree);

  const Topology& topology_;
  const std::size_t virtual_channels_;
  const std::size_t classes_;
  VcSet vcs_ = 0;
  std::vector<std::vector<Stop>> stops_;  // By reduction and router: its role.
};

/// Reductions that routers carry out at the same time, reduction r along trees[r]. A contributor
/// injects one packet for each of its reductions, and node n begins with number n mod (its number
/// of reductions), so that nodes use different orders.
///
/// ReductionPlayer plays it. The time of a single reduction of m flits is, with D channels and
/// k combinations on the slowest path, and c cycles for a combination (RouterParams::combine),
///
///   ts + D td + k c + m tm     wormhole, cut-through, if buffers cover the credit loop
///
/// where on grids and hypercubes to which all nodes contribute D = k is the root's eccentricity e,
/// or D = 2 e and k = e if the sum goes back to all.
///
/// If there are enough virtual channels, each reduction has a message class, and thus a virtual
/// channel, that no other uses; then no reduction waits for another. Otherwise all share one class
/// and can deadlock; see check_dependencies().
///
/// Throws the same exceptions as ReductionTrees.
RouterForwarding reduction_forwarding(const Topology& topology,
                                      const std::vector<Reduction>& reductions,
                                      const std::vector<RouterTree>& trees,
                                      std::size_t virtual_channels);

/// The messages of reduction 0 on the abstract machine (Switching::kThroughRouters):
/// in round 1 every contributor injects; a router sends, by each branch, in the round after that in
/// which the last of its parts has arrived. The sum of all contributions is a result, that of fewer
/// a partial sum; in an operation that does not add up every message carries chunk 0. A router that
/// waits for parts that never come sends nothing, which verify() detects.
///
/// Time: O(channels of the tree).
///
/// @param routing    Combines packets; only its combination() is asked.
/// @param placement  The nodes of the ranks that the demand counts.
Schedule steps_of(const Topology& topology, const Routing& routing,
                  const std::vector<RouterForwarding::Injection>& injections, const Demand& demand,
                  const Placement& placement);

}  // namespace flitcast
