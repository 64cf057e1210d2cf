// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "routing/multicast/multicast_routing.h"
#include "topology/grid.h"

namespace flitcast {

/// Path-based multicast on 2-D meshes along a Hamiltonian path: node (x, y) of a mesh with n
/// columns has label y n + x in even rows and y n + n - 1 - x in odd ones. Hops to larger labels
/// make the high subnetwork, hops to smaller ones the low one. A worm visits its nodes by rising
/// (falling) labels and leaves a copy at each; from node to node it takes, of all neighbours no
/// farther in label than the next of its nodes, the one that is nearest to it.
///
///   dual_path    one worm for the nodes of larger labels, one for those of smaller ones
///   multi_path   up to two each: for the nodes that lie, in x, strictly on the side of the
///                neighbour in the own row that belongs to the subnetwork, and for the rest, which
///                the neighbour in the next row goes first to
///
/// Channels are visited in the order of labels, so channels alone form no cycle; a worm also holds
/// a consumption channel at each of its nodes, and there one for each subnetwork is needed.
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
  /// By the output of a grid, a neighbour; absent over the border.
  std::optional<NodeId> neighbour(NodeId node, unsigned output) const;
  bool is_above(NodeId node, NodeId than) const { return label(node) > label(than); }
  std::optional<PortId> along_row(NodeId from, bool high) const;
  bool beside(NodeId source, NodeId node, bool high) const;
  PortId first_hop(NodeId source, NodeId next, bool high) const;
  PortId hop(NodeId here, NodeId next, bool high) const;

  const Split split_;
  const Consumption consumption_;
  const PortId local_;
  const std::uint32_t columns_;
  std::vector<std::uint32_t> labels_;
};

}  // namespace flitcast
