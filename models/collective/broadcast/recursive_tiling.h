// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/plan.h"
#include "topology/grid.h"

namespace flitcast {

/// One-to-all wormhole broadcast on the all-port torus T(5^k,5^k) by recursive tiling.
///
/// For u = 5^(k-1), ..., 5, 1 two rounds: every informed node sends
///   - to its four knight neighbours, +-(2,1) u by dimension 0 first (XY) and +-(-1,2) u by
///     dimension 1 first (YX);
///   - to its four neighbours at distance u, +-(1,0) u and +-(0,1) u.
/// Five crosses tile a 5x5 torus, and their centres are a knight's move apart.
///
/// Cost: 2k = log5 N rounds, which is optimal; N - 1 sends, no duplicates; longest paths 3u and u.
/// A node must be able to choose between XY and YX for each message: under XY alone 2k rounds are
/// impossible, for the source's column would have to hold 9^k informed nodes (dilated_diagonal.h
/// takes 2k + 1). O(hops) time. Throws PreconditionError: kTopology for other grids, kSource.
///
/// Source: CS838 lecture notes (1999), section 11, "Recursive tiling approach". Its figure is lost;
/// the paths were found anew.
Plan recursive_tiling_broadcast(const Grid& grid, NodeId source);

}  // namespace flitcast
