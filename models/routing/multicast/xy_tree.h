// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "routing/grid_moves.h"
#include "routing/multicast/multicast_routing.h"
#include "topology/grid.h"

namespace flitcast {

/// Tree-based multicast on meshes: one packet, copied where the dimension-order paths to its
/// destinations part (XY on 2-D meshes). Fewest channels of all multicasts here.
///
/// Wormhole routers keep the branches of a packet in lock step, so that packets that branch wait
/// for each other in cycles; routers with space for whole packets do not.
class XyTree : public MulticastRouting {
 public:
  /// `mesh` does not wrap and need not outlive the routing.
  XyTree(const Grid& mesh, std::size_t virtual_channels);

  std::vector<Nodes> parts(NodeId source, const Nodes& destinations) const override;
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
