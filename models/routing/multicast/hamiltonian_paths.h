// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "routing/multicast/multicast_routing.h"
#include "topology/grid.h"

namespace flitcast {

/// Path-based multicast on 2-D meshes along a Hamiltonian path: node (x, y) of a mesh with n
/// columns has label y n + x in even rows and y n + n - 1 - x in odd ones. Hops to larger labels
/// form the high subnetwork, hops to smaller ones the low one. A worm visits its destinations by
/// rising (falling) labels and leaves a copy at each. On the path to the next destination each hop
/// leads to the neighbour whose label is nearest to the label of that destination without lying
/// beyond it.
///
///   dual_path    one worm for the nodes of larger labels, one for the nodes of smaller labels
///   multi_path   up to two worms for each subnetwork: one for the nodes that lie, in x, strictly
///                on the side of the source's neighbour of the subnetwork in the same row, and one
///                for the rest, which visits the neighbour in the next row first
///
/// Channels are visited in the order of labels, so channels alone form no cycle. A worm also holds
/// a consumption channel at each of its nodes, so every node needs one for each subnetwork.
/// Source: Lin and Ni, "Deadlock-Free Multicast Wormhole Routing in Multicomputer Networks", ISCA
/// 1991.
class HamiltonianPaths : public MulticastRouting {
 public:
  enum class Split { kDual, kMulti };

  /// `mesh` has one or two dimensions, which do not wrap, and need not outlive the routing.
  HamiltonianPaths(const Grid& mesh, Split split, std::size_t virtual_channels,
                   bool split_consumption = true);

  std::vector<Nodes> parts(NodeId source, const Nodes& destinations) const override;
  void branches_to(const Nodes& part, const RouteRequest& request,
                   Branches& branches) const override;

  std::uint32_t label(NodeId node) const { return labels_[index(node)]; }

 private:
  /// The neighbour of `node` to which the output of the grid leads; absent beyond the border.
  std::optional<NodeId> neighbour(NodeId node, unsigned output) const;
  bool is_above(NodeId node, NodeId than) const { return label(node) > label(than); }
  std::optional<PortId> along_row(NodeId from, bool high) const;
  bool beside(NodeId source, NodeId node, bool high) const;
  PortId first_hop(NodeId source, NodeId next, bool high) const;
  PortId hop(NodeId here, NodeId next, bool high) const;

  const Split split_;
  const std::array<VcSet, 2> consumption_;  ///< The high subnetwork, the low one.
  const PortId local_;
  const std::uint32_t columns_;
  std::vector<std::uint32_t> labels_;
};

}  // namespace flitcast
