// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "routing/dimension_order.h"
#include "routing/grid_moves.h"
#include "routing/routing.h"

namespace flitcast {

/// Minimal fully adaptive routing on grids beside an escape channel: a packet takes any productive
/// output, in any order of the dimensions, and falls back to dimension order if none of them is
/// available.
///
/// VCs: the escape channels are the first VC, or the first 2 by the rule of Dally and Seitz where a
/// wrapped size exceeds 3; all others are adaptive, have higher priority, and are entered only
/// while their buffers have space. A packet on an escape channel stays on escape channels, so these
/// depend only on each other. Without escape channels (for comparison) the adaptive channels have
/// cyclic dependencies. Injection and ejection use all VCs. Half way round a wrapped dimension both
/// directions are offered.
/// Sources: Duato, "A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks", IEEE
/// Trans. Parallel and Distributed Systems 4(12), 1993; Dally and Towles, Principles and Practices
/// of Interconnection Networks, 2004, section 14.3.
class MinimalAdaptive : public OnAllVcs<AdaptiveRouting> {
 public:
  struct Params {
    std::size_t virtual_channels = 2;
    bool escape = true;
    bool tie_by_coin = true;  ///< See DimensionOrder::Params; applies to escape channels.
    OutputSelection selection = OutputSelection::kFreeCredits;
  };

  /// The number of escape channels that the grid needs.
  static std::size_t escape_vcs(const Grid& grid) { return needs_classes(grid) ? 2 : 1; }

  /// Throws std::invalid_argument unless there is an adaptive VC besides the escape channels.
  /// `grid` need not outlive the routing.
  MinimalAdaptive(const Grid& grid, const Params& params);

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;
  std::size_t tie_dimensions() const override { return escapes_ ? escape_.tie_dimensions() : 0; }

 private:
  GridMoves moves_;
  PortId local_;
  bool escapes_;
  VcSet adaptive_;
  DimensionOrder escape_;
};

/// Planar-adaptive routing on meshes: a packet adapts within the plane of dimensions n and n + 1,
/// where n is the lowest dimension in which it has hops left, until n is finished.
///
/// The V VCs form three groups, the first two of V/3 VCs, the third of the rest: hops in n use the
/// third group; hops in n + 1 use the first group if n is to be increased, the second if n is to be
/// decreased. So in every plane packets that go up in n and packets that go down in n use different
/// VCs, and no cycle closes. With fewer than three VCs, which can deadlock, all hops use all VCs.
/// Injection and ejection use all VCs.
/// Source: Chien and Kim, "Planar-Adaptive Routing: Low-Cost Adaptive Networks for
/// Multiprocessors", ISCA 1992.
class PlanarAdaptive : public OnAllVcs<AdaptiveRouting> {
 public:
  /// Throws std::invalid_argument for a grid that wraps. `mesh` need not outlive the routing.
  PlanarAdaptive(const Grid& mesh, std::size_t virtual_channels, OutputSelection selection);

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;

 private:
  GridMoves moves_;
  PortId local_;
  VcSet increasing_;
  VcSet decreasing_;
  VcSet first_dimension_;  // The third group: hops in the first dimension of a plane.
};

}  // namespace flitcast
