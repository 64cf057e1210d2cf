// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// Trees of switches with several roots: k-ary n-trees and folded Clos networks. Nodes are at the
/// switches of level 0, the leaves; a switch of level l has down(l) children and up(l) parents.
///
///   level 2    [ ] [ ] [ ] [ ]         2-ary 3-tree: 8 nodes, 3 levels of 4 switches
///              links both ways
///   level 1    [ ] [ ] [ ] [ ]
///
///   level 0    [ ] [ ] [ ] [ ]
///              0 1 2 3 4 5 6 7
///
/// Below a switch of level l are span(l) nodes of consecutive numbers, a subtree; each subtree has
/// copies(l) switches of level l at its top, each of which reaches all of its nodes. The switches
/// of level l are numbered subtree * copies(l) + copy, those of lower levels first. Up port u of
/// copy c of level l leads to copy c + u * copies(l) of level l + 1.
///
/// Outputs 0 to down(l) - 1 lead to the children in the order of their subtrees, or to nodes;
/// outputs to the parents follow. Input p faces the neighbour that output p leads to.
/// Sources: Petrini and Vanneschi, "k-ary n-trees: High Performance Networks for Massively Parallel
/// Architectures", IPPS 1997; with other numbers at each level: Ohring, Ibel, Das and Kumar, "On
/// Generalized Fat Trees", IPPS 1995.
class FatTree : public Topology {
 public:
  struct Level {
    std::size_t down = 1;  ///< Children of a switch; nodes at level 0.
    std::size_t up = 0;    ///< Parents of a switch; 0 at the highest level only.
  };

  /// @param levels  From the leaves upwards. Throws std::invalid_argument unless buildable().
  FatTree(std::string name, std::vector<Level> levels);

  /// True if there is a level, all numbers but the parents of the roots are at least 1, and neither
  /// kMaxRouters nor kMaxPorts is exceeded.
  static bool buildable(const std::vector<Level>& levels);
  /// The size of the tree with these levels, buildable or not.
  static TopologySize size(const std::vector<Level>& levels);

  std::size_t levels() const { return levels_.size(); }
  std::size_t down(std::size_t level) const { return levels_[level].down; }
  std::size_t up(std::size_t level) const { return levels_[level].up; }
  std::size_t span(std::size_t level) const { return span_[level]; }
  std::size_t copies(std::size_t level) const { return copies_[level]; }
  std::size_t switches(std::size_t level) const {
    return node_count() / span_[level] * copies_[level];
  }

  /// Dimension l is the child number below a switch of level l.
  std::vector<std::size_t> node_grid() const override;
  /// "level_l" for the channels between the switches of levels l and l + 1, up and down.
  std::string channel_class(const Channel& channel) const override;
  /// One row per level, the leaves at the bottom.
  Layout layout() const override;

  /// Half of the links of the roots, in both directions: N channels for the N nodes of a k-ary
  /// n-tree, since every permutation can be routed without sharing links. Known for k-ary n-trees
  /// and for two levels, if the roots have an even number of children.
  std::optional<std::size_t> bisection_channels() const override;

 private:
  void connect(std::size_t level);

  std::vector<Level> levels_;
  std::vector<std::size_t> span_;    // Per level.
  std::vector<std::size_t> copies_;  // Per level.
  std::vector<std::size_t> first_;   // Per level, the number of its first switch.
};

/// k^n nodes and n levels of k^(n-1) switches: "fat_tree 4-ary 3-tree".
FatTree k_ary_n_tree(std::size_t arity, std::size_t levels);

/// A tree of two levels, in which every leaf is linked to every spine: "folded_clos 8 leaves 4
/// spines".
/// @param nodes  The number of nodes of each leaf.
FatTree folded_clos(std::size_t nodes, std::size_t leaves, std::size_t spines);

}  // namespace flitcast
