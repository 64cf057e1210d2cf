// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "routing/grid_moves.h"
#include "routing/multicast/multicast_routing.h"
#include "topology/grid.h"

namespace flitcast {

/// Path-based multicast on 2-D meshes along XY paths: up to two worms for each column with
/// destinations, which travel along the row of the source to that column and then up or down
/// through the destinations there. The destination in the source's row is served by the upward worm
/// if there is one, else by the downward worm, or by a separate worm. Upward and downward worms
/// have separate consumption channels.
/// Source: Boppana, Chalasani and Raghavendra, "On Multicast Wormhole Routing in Multicomputer
/// Networks", SPDP 1994.
class ColumnPath : public MulticastRouting {
 public:
  /// The parameters have the same meaning as in HamiltonianPaths.
  ColumnPath(const Grid& mesh, std::size_t virtual_channels, bool split_consumption = true);

  std::vector<Nodes> parts(NodeId source, const Nodes& destinations) const override;
  void branches_to(const Nodes& part, const RouteRequest& request,
                   Branches& branches) const override;

 private:
  std::uint32_t column(NodeId node) const { return index(node) % columns_; }
  bool goes_up(const Nodes& part, const RouteRequest& request) const;

  const std::array<VcSet, 2> consumption_;  ///< Upward worms, downward worms.
  const PortId local_;
  const std::uint32_t columns_;
};

/// Tree-based multicast on meshes: one packet, copied where the dimension-order paths to its
/// destinations part (XY on 2-D meshes). Uses the fewest channels of all multicasts in this folder.
///
/// Wormhole routers keep the branches of a packet in lock step, so that packets that branch wait
/// for each other in cycles; routers with space for whole packets do not.
class XyTree : public MulticastRouting {
 public:
  /// `mesh` does not wrap and need not outlive the routing.
  XyTree(const Grid& mesh, std::size_t virtual_channels)
      : MulticastRouting(mesh, virtual_channels), moves_(mesh), local_(mesh.local()) {}

  std::vector<Nodes> parts(NodeId, const Nodes& destinations) const override {
    return std::vector<Nodes>(destinations.empty() ? 0 : 1, destinations);
  }
  void branches_to(const Nodes& part, const RouteRequest& request,
                   Branches& branches) const override;

 private:
  PortId output_towards(NodeId to, RouterId here) const;
  [[gnu::noinline]] void part_company(const Nodes& part, const RouteRequest& request,
                                      Branches& branches) const;

  const GridMoves moves_;
  const PortId local_;
};

}  // namespace flitcast
