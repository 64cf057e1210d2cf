// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "routing/grid_moves.h"
#include "routing/routing.h"

namespace flitcast {

/// Planar-adaptive routing on meshes: a packet adapts within the plane of dimensions n and n + 1,
/// where n is the lowest dimension in which it has hops left, until n is finished.
///
/// VCs in three groups, the first two of V/3, the third of the rest: hops in n use the third; hops
/// in n + 1 use the first if n is to be increased, the second if it is to be decreased. So in every
/// plane packets that go up in n and packets that go down in n use different VCs, and no cycle
/// closes. With fewer than three VCs, which can deadlock, all hops use all VCs. Injection and
/// ejection use all VCs.
/// Source: Chien and Kim, "Planar-Adaptive Routing: Low-Cost Adaptive Networks for
/// Multiprocessors", ISCA 1992.
class PlanarAdaptive : public AdaptiveRouting {
 public:
  /// Throws std::invalid_argument for a grid that wraps. `mesh` need not outlive the routing.
  PlanarAdaptive(const Grid& mesh, std::size_t virtual_channels, OutputSelection selection);

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }

 private:
  static void add(std::size_t dimension, GridMove move, VcSet vcs, Alternatives& alternatives);

  GridMoves moves_;
  PortId local_;
  VcSet all_;
  VcSet increasing_;
  VcSet decreasing_;
  VcSet first_dimension_;  // The third group: hops in the first dimension of a plane.
};

}  // namespace flitcast
