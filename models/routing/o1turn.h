// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "routing/dimension_order.h"
#include "routing/routing.h"

namespace flitcast {

/// Dimension order, ascending (XY) or descending (YX) according to each packet's header: bit
/// grid.dimensions() of Flit::ties set means descending. Sources that draw the header at random
/// balance the load of both orders, which is near-optimal for the worst traffic on 2-D meshes;
/// schedules such as recursive tiling set the header.
///
/// Packets of the ascending order use the first V - V/2 of V virtual channels, packets of the
/// descending order the rest, both with the classes of DimensionOrder in wrapped dimensions: 2 VCs
/// on meshes, 4 where a wrapped size exceeds 3. With a single VC both orders share it, which can
/// deadlock. Injection and ejection use all VCs.
/// Source: Seo, Ali, Lim, Rafique and Thottethodi, "Near-Optimal Worst-Case Throughput Routing for
/// Two-Dimensional Mesh Networks", ISCA 2005.
class O1Turn : public OnAllVcs<Routing> {
 public:
  static constexpr std::size_t kMaxDimensions = 7;  ///< Flit::ties has 8 bits.

  /// Throws std::invalid_argument for more than kMaxDimensions dimensions, and where DimensionOrder
  /// does for the VCs of one order. `grid` need not outlive the routing.
  O1Turn(const Grid& grid, VcClasses classes, std::size_t virtual_channels);

  Route route(const RouteRequest& request) const override {
    const bool descends = (request.ties >> order_bit_ & 1) != 0;
    const Route route = (descends ? descending_ : ascending_).route(request);
    return {route.output, route.output == local_ ? all_ : route.vcs};
  }
  bool reads_arrival() const override {
    return ascending_.reads_arrival() || descending_.reads_arrival();
  }
  std::size_t tie_dimensions() const override { return order_bit_ + 1; }

 private:
  std::size_t order_bit_;
  PortId local_;
  DimensionOrder ascending_;
  DimensionOrder descending_;
};

/// Dimension order on meshes, ascending (XY) or descending (YX) as the router of the source decides
/// for each packet: the order whose first output has fewer flits in the buffers behind it, a random
/// order if they are equal. Flit::route_field of the head holds the decision.
///
/// Packets of the ascending order use the first V - V/2 of V virtual channels, packets of the
/// descending order the rest; with one VC, which can deadlock, both orders use it. Injection and
/// ejection use all VCs.
/// Source: the routing function of that name of BookSim2 (Jiang et al., "A Detailed and Flexible
/// Cycle-Accurate Network-on-Chip Simulator", ISPASS 2013), which adapts O1Turn.
class AdaptiveXyYx : public OnAllVcs<AdaptiveRouting> {
 public:
  /// Throws std::invalid_argument for a grid that wraps. `mesh` need not outlive the routing.
  AdaptiveXyYx(const Grid& mesh, std::size_t virtual_channels);

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;

 private:
  enum Order : std::uint16_t { kUndecided, kAscending, kDescending };

  void add(Order order, const RouteRequest& request, Alternatives& alternatives) const;

  PortId local_;
  DimensionOrder ascending_;
  DimensionOrder descending_;
};

}  // namespace flitcast
