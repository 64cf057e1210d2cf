// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "collective/forwarding/forwarding.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// A sum of contributions that routers form along a tree, up to its root.
struct Reduction {
  NodeId root{};
  std::vector<NodeId> contributors;  ///< The nodes that contribute: at least one, each once.
  /// True: the root's router sends the sum back down the tree to all contributors; false: only the
  /// root gets the sum, whether or not it contributes.
  bool to_all = false;
};

/// Trees along which routers combine packets, one for each reduction: the tree of a broadcast from
/// the root, reversed, without branches that lead to no contributor. On grids that is the union of
/// the dimension-order paths from the contributors to the root, highest dimension first; on
/// hypercubes the union of the e-cube paths, most significant bit first.
///
/// Reduction r has message class r mod C of the C classes and uses the first virtual channel of the
/// class at every port. Works on topologies where input p of a router comes from the router that
/// output p leads to, and likewise for nodes (grids, hypercubes). 12 bytes for every router and
/// reduction.
class ReductionTrees : public Routing {
 public:
  /// Throws std::invalid_argument unless the classes split the virtual channels evenly.
  ReductionTrees(const Topology& topology, std::size_t virtual_channels, std::size_t classes);

  /// The longest path of a reduction, which determines its time.
  struct Path {
    /// From the farthest contributor, and back to it if the sum goes to all.
    std::size_t channels = 0;
    std::size_t combinations = 0;  ///< The routers on the path in which several packets become one.
  };
  /// Adds a reduction. `broadcast` is a broadcast from its root with a single injection, whose
  /// route_field is used; it is not kept.
  ///
  /// Throws std::invalid_argument for nodes that do not exist, contributors named twice, a
  /// broadcast whose copies are no tree or do not reach a contributor, and unidirectional links.
  Path add(const Reduction& reduction, const RouterForwarding& broadcast);

  bool multicast() const override { return true; }
  std::uint32_t reductions() const override { return reductions_; }
  void combination(const RouteRequest& request, Combination& combination) const override;
  std::size_t message_classes() const override { return classes_; }
  VcSet class_vcs(std::size_t message_class) const override {
    const std::size_t vcs = virtual_channels_ / classes_;
    return vc_range(message_class * vcs, vcs);
  }
  VcSet injection_vcs(NodeId, NodeId) const override { return vcs_; }

  /// Throws std::logic_error, because the result of this routing is a combination.
  Route route(const RouteRequest&) const override;

 private:
  static constexpr std::uint16_t kNoPort = 0xffff;

  /// A router's role in a tree.
  struct Stop {
    std::uint16_t up = kNoPort;  ///< The port to its parent; at the root the port to its node.
    /// The number of inputs from children, and from the node if it contributes.
    std::uint16_t inputs = 0;
    std::uint32_t first_input = 0;
    bool root = false;
    bool to_all = false;
  };
  struct Visit;
  std::vector<Visit> walk(const Reduction& reduction, const RouterForwarding& broadcast) const;
  void prune(const Reduction& reduction, std::vector<Visit>& visits) const;
  Path enter(const Reduction& reduction, const std::vector<Visit>& visits);

  const Topology& topology_;
  const std::size_t virtual_channels_;
  const std::size_t classes_;
  VcSet vcs_ = 0;
  std::uint32_t reductions_ = 0;
  std::vector<Stop> stops_;     // By reduction and router: its role.
  std::vector<PortId> inputs_;  // The inputs of a stop are contiguous.
};

/// Reductions that routers carry out at the same time; broadcasts[r] starts at the root of
/// reductions[r]. A contributor injects one packet for each of its reductions, and node n begins
/// with number n mod (its number of reductions), so that nodes use different orders. A reduction of
/// nothing but its root's own contribution needs no packet.
///
/// ReductionPlayer plays it. The time of a single reduction of m flits is, with D channels and
/// k combinations on the longest path, and c cycles for a combination (RouterParams::combine),
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
                                      const std::vector<RouterForwarding>& broadcasts,
                                      std::size_t virtual_channels);

}  // namespace flitcast
