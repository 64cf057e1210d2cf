// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/routing.h"
#include "topology/fat_tree.h"

namespace flitcast {

/// The paths through a fat tree, switch by switch: up until the destination is below, then down by
/// the only path. Minimal, and deadlock-free with one VC, since no packet goes up after it went
/// down.
class TreePaths {
 public:
  explicit TreePaths(const FatTree& tree);

  /// True if the node is below the switch.
  bool above(RouterId router, NodeId node) const {
    const Switch& at = switches_[index(router)];
    return index(node) / at.span == at.subtree;
  }
  /// The output towards a node below the switch.
  PortId down(RouterId router, NodeId node) const {
    const Switch& at = switches_[index(router)];
    return to_id<PortId>(index(node) / at.child_span % at.down);
  }
  /// The output to the parent with the number `number`. The same number leads to the same root from
  /// every switch.
  PortId up(RouterId router, std::uint32_t number) const {
    const Switch& at = switches_[index(router)];
    return to_id<PortId>(at.down + number / at.copies % at.up);
  }
  /// The output down to a node, or up to the parent with that number if the node is not below.
  PortId towards(RouterId router, NodeId node, std::uint32_t number) const {
    return above(router, node) ? down(router, node) : up(router, number);
  }
  std::size_t parents(RouterId router) const { return switches_[index(router)].up; }

 private:
  struct Switch {
    std::uint32_t subtree = 0;
    std::uint32_t span = 1;        ///< Nodes in the subtree.
    std::uint32_t child_span = 1;  ///< Nodes below each child.
    std::uint32_t copies = 1;      ///< Number of switches at the top of the subtree.
    std::uint32_t down = 1;
    std::uint32_t up = 0;
  };
  std::vector<Switch> switches_;  // Per router.
};

/// D-mod-k routing: the number of the destination names the parents, so that in a k-ary n-tree up
/// port l is digit l of the destination. All paths to a node lead down from the same root, so no
/// downward link carries packets for two nodes, and all shift permutations are free of contention.
/// Deterministic; uses any VC.
/// Source: Zahavi, "Fat-tree routing and node ordering providing contention free traffic for MPI
/// global collectives", Journal of Parallel and Distributed Computing 72(11), 2012.
class DModK : public OnAllVcs<Routing> {
 public:
  /// `tree` need not outlive the routing.
  DModK(const FatTree& tree, std::size_t virtual_channels)
      : OnAllVcs(vc_range(0, virtual_channels)), paths_(tree) {}

  Route route(const RouteRequest& request) const override {
    const NodeId to = request.destination;
    return {paths_.towards(request.router, to, index(to)), all_};
  }
  bool reads_arrival() const override { return false; }

 private:
  TreePaths paths_;
};

/// Random ascent: the source draws one of the nearest common ancestors of source and destination,
/// all equally likely; the packet goes up to it, then down. Oblivious; uses any VC.
/// Source: Valiant's intermediate node at the top of a tree; e.g. Petrini and Vanneschi, "k-ary
/// n-trees: High Performance Networks for Massively Parallel Architectures", IPPS 1997.
class NearestCommonAncestor : public OnAllVcs<Routing> {
 public:
  /// The largest number of switches at the top: their numbers have to fit in Flit::route_field.
  static constexpr std::size_t kMostRoots = 65536;

  /// Throws std::invalid_argument for more than kMostRoots. `tree` need not outlive the routing.
  NearestCommonAncestor(const FatTree& tree, std::size_t virtual_channels);

  Route route(const RouteRequest& request) const override {
    return {paths_.towards(request.router, request.destination, request.route_field), all_};
  }
  bool reads_arrival() const override { return false; }

  std::uint32_t choices(NodeId source, NodeId destination) const override;
  std::uint32_t most_choices() const override { return levels_.back().copies; }

 private:
  struct Level {
    std::uint32_t span = 1;    ///< Nodes below a switch of the level.
    std::uint32_t copies = 1;  ///< Switches with the same nodes below.
  };

  TreePaths paths_;
  std::vector<Level> levels_;
};

/// Adaptive ascent: each switch on the way up sends a packet to the better of two parents that it
/// draws, by the flits in the buffers behind them. Uses any VC.
/// Source: two random choices as in Mitzenmacher, "The Power of Two Choices in Randomized Load
/// Balancing", IEEE Trans. Parallel and Distributed Systems 12(10), 2001; the routing function
/// `anca` of BookSim2 (Jiang et al., ISPASS 2013).
class AdaptiveAscent : public OnAllVcs<AdaptiveRouting> {
 public:
  /// `tree` need not outlive the routing.
  AdaptiveAscent(const FatTree& tree, std::size_t virtual_channels)
      : OnAllVcs(vc_range(0, virtual_channels), OutputSelection::kFreeCredits), paths_(tree) {}

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;

 private:
  TreePaths paths_;
};

}  // namespace flitcast
