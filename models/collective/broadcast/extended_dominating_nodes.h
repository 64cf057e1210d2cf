// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/plan.h"
#include "topology/grid.h"

namespace flitcast {

/// One-to-all broadcast on the meshes M(4^k,4^k), k = 1, 2, 3, from any node, between all-port
/// wormhole routers with XY routing.
///
/// In the last round every 4 x 4 block is informed by the 4 nodes of its perfect dominating set.
/// The dominating sets of all blocks together are informed in the round before by two lattices of
/// nodes, whose dominating sets are informed likewise (dominating_classes.h); the few nodes at the
/// top of this hierarchy get their copies one by one (column_start.h).
///
///   k   start              then round by round
///   1   4 nodes, 2 rounds  all blocks
///   2   4 nodes, 2 rounds  half blocks of both lattices; dominating sets; blocks
///   3   16 nodes, 3 rounds dominating sets, then blocks of both lattices; dominating sets; blocks
///
/// Cost: 2k + 1 rounds, the lower bound ceil(log5 16^k) being 2k; N - 1 sends, no duplicate. Legal
/// from every node of all three meshes, by simulation. Time O(hops).
///
/// Throws PreconditionError for another grid (larger k: no construction is known here) and for a
/// source that it does not have.
///
/// Source: CS838 lecture notes (1999), section 11, "Extended dominating set approach", which gives
/// the idea and the rounds for k = 2; its figure is lost. The lattices, the start from any source
/// and k = 3 are ours. Two lattices a level, because one with the same place in every block cannot
/// inform the dominating sets of M(16,16) in one XY round (a SAT solver refutes all 16 places).
Plan extended_dominating_nodes_broadcast(const Grid& grid, NodeId source);

}  // namespace flitcast
