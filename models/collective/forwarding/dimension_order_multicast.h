// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "collective/forwarding/router_broadcast.h"
#include "topology/grid.h"

namespace flitcast {

/// How a packet on a wrapped line learns that it is half way round. Both make the same copies.
enum class StopRule {
  kHopCounter,     ///< Flit::reach counts the nodes yet to serve; any source in any header.
  kSourceAddress,  ///< Flit::destination names the source; Flit::reach stays 0.
};

/// Broadcast along the dimension-order tree of a mesh, torus or mixture, by the routers: the rule
/// of dimension_order_rule.h, all copies at once.
///
/// Source: CS838 lecture notes (1999), section 11, "Meshes" and "Tori", where nodes forward.
class DimensionOrderMulticast : public RouterBroadcast {
 public:
  /// `grid` must outlive the routing. Throws std::invalid_argument as RouterBroadcast does, and
  /// PreconditionError where a line may serve more nodes than the hop counter can count, 65535.
  DimensionOrderMulticast(const Grid& grid, StopRule rule, std::size_t virtual_channels);

 private:
  void pass_on(const RouteRequest& request, Branches& branches) const override;

  const Grid& grid_;
  const StopRule rule_;
};

}  // namespace flitcast
