// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "routing/dimension_order.h"
#include "routing/grid_moves.h"
#include "routing/routing.h"

namespace flitcast {

/// Minimal fully adaptive routing on grids beside an escape channel: a packet takes any output that
/// leads nearer, in any order of the dimensions, and falls back to dimension order where all of
/// those are taken.
///
/// VCs: the first are the escape channels, 1, or 2 by the rule of Dally and Seitz where a wrapped
/// size exceeds 3; all others are adaptive, of higher priority, and entered only while they have
/// room. A packet on an escape channel stays there, so that escape channels depend on nothing but
/// escape channels. Without an escape channel packets wait for adaptive channels in cycles: the
/// control. Injection and ejection use all VCs. Half way round a wrapped dimension both ways are
/// open. Sources: Duato, "A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks",
/// IEEE Trans. Parallel and Distributed Systems 4(12), 1993; Dally and Towles, Principles and
/// Practices of Interconnection Networks, 2004, section 14.3.
class MinimalAdaptive : public AdaptiveRouting {
 public:
  struct Params {
    std::size_t virtual_channels = 2;
    bool escape = true;
    /// Let packets on escape channels go back to adaptive ones, as Duato's theory allows where
    /// packets share no buffer. Here they do: check_dependencies() finds the cycles of that.
    bool leaves_escape = false;
    bool tie_by_coin = true;  ///< As DimensionOrder::Params, on escape channels.
    OutputSelection selection = OutputSelection::kFreeCredits;
  };

  /// Escape channels that the grid needs.
  static std::size_t escape_vcs(const Grid& grid) { return needs_classes(grid) ? 2 : 1; }

  /// Throws std::invalid_argument unless there is an adaptive VC besides the escape channels.
  /// `grid` need not outlive the routing.
  MinimalAdaptive(const Grid& grid, const Params& params);

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }
  std::size_t tie_dimensions() const override { return escapes_ ? escape_.tie_dimensions() : 0; }

 private:
  void add(std::size_t dimension, bool minus, Alternatives& alternatives) const;

  GridMoves moves_;
  PortId local_;
  bool escapes_;
  bool leaves_escape_;
  VcSet all_;
  VcSet adaptive_;
  DimensionOrder escape_;
};

}  // namespace flitcast
