// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "routing/dimension_order.h"
#include "routing/routing.h"

namespace flitcast {

/// Dimension order on meshes, ascending (XY) or descending (YX) as the router of the source decides
/// for each packet: the order whose first output has fewer flits in the buffers behind it, at
/// random if they are equal. Flit::route_field of the head holds the decision.
///
/// Packets of the ascending order use the first V - V/2 of V virtual channels, the others the rest;
/// with one VC, which can deadlock, both use it. Injection and ejection use all VCs.
/// Source: the routing function of that name of BookSim2 (Jiang et al., "A Detailed and Flexible
/// Cycle-Accurate Network-on-Chip Simulator", ISPASS 2013), which adapts O1TURN (see o1turn.h).
class AdaptiveXyYx : public AdaptiveRouting {
 public:
  /// Throws std::invalid_argument for a grid that wraps. `mesh` need not outlive the routing.
  AdaptiveXyYx(const Grid& mesh, std::size_t virtual_channels);

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }

 private:
  enum Order : std::uint16_t { kUndecided, kAscending, kDescending };

  void add(Order order, const RouteRequest& request, Alternatives& alternatives) const;

  PortId local_;
  VcSet all_;
  DimensionOrder ascending_;
  DimensionOrder descending_;
};

}  // namespace flitcast
