// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/dimension_order_rule.h"
#include "collective/schedule.h"
#include "topology/grid.h"

namespace flitcast {

/// Which of the dimension-order trees.
struct DimensionOrderTree {
  unsigned ports = kAllPorts;                     ///< 1 or kAllPorts.
  DirectionRule rule = DirectionRule::kFarthest;  ///< Of one-port nodes; all-port: no difference.
  /// False: wrapped lines go on until they meet nodes that hold the packet. All-port only.
  bool stop_in_time = true;
};

/// One-to-all broadcast along a dimension-order tree (see dimension_order_rule.h) of a mesh, torus
/// or mixture, store-and-forward.
///
/// Cost on N nodes, with a_i and b_i the reach of the source's line down and up in dimension i:
/// N - 1 sends, no duplicates, and as many rounds as the sum over the dimensions of
///  - all-port: max(a_i, b_i); together the source's eccentricity, the minimum;
///  - one-port, farthest: the same, and one more in each dimension where a_i = b_i > 0;
///  - one-port, seed: in dimension 0 as farthest; above it max(a_i, b_i + 1), or the only one of
///    the two that is not 0.
/// One-port farthest is optimal with no such centred dimension, with one, and with two on 2-D
/// meshes; in general not with two (M(5,5,4) from (2,2,1): 8, optimum 7) or more (M(3,3,3) from its
/// centre: 6, optimum 5).
///
/// Without stopping in time a node that receives from both sides in one round does not continue
/// that line, and drops what comes later. The rounds until everyone is informed are the same; each
/// wrapped line adds one duplicate if its size is even and two if odd, and there are as many lines
/// in dimension i as nodes in the dimensions below it.
///
/// A source that is not a node, and other ports, throw PreconditionError.
/// Source: CS838 lecture notes (1999), section 11, "Meshes" and "Tori". They serve the longer
/// direction first in dimension 0 only, which costs rounds (rule `seed`), and name as the only
/// exception to optimality a source in the middle of an odd first dimension: neither condition of
/// reaching the eccentricity, for which any centred dimension counts, nor of optimality.
Plan dimension_order_broadcast(const Grid& grid, NodeId source, const DimensionOrderTree& tree);

}  // namespace flitcast
