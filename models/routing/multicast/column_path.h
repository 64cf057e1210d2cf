// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

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
  /// The parameters are those of HamiltonianPaths.
  ColumnPath(const Grid& mesh, std::size_t virtual_channels, bool split_consumption = true);

  std::vector<Nodes> parts(NodeId source, const Nodes& destinations) const override;
  void branches_to(const Nodes& part, const RouteRequest& request,
                   Branches& branches) const override;

 private:
  std::uint32_t column(NodeId node) const { return index(node) % columns_; }
  bool goes_up(const Nodes& part, const RouteRequest& request) const;

  const Consumption consumption_;
  const PortId local_;
  const std::uint32_t columns_;
};

}  // namespace flitcast
