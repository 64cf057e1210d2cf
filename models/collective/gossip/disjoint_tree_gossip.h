// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective/plan.h"
#include "topology/grid.h"

namespace flitcast {

/// Optimal gossip (AAB) of one chunk a node on a 2-D torus, store-and-forward, all-port,
/// full-duplex.
///
/// Every node broadcasts along its translate of one tree (see generic_tree.h); no two translates
/// use a channel in the same round. What a node does with a packet depends on the round, unlike in
/// the gossips along cycles and trails.
///
/// Cost on P nodes: ceil((P-1) / 4) rounds and P (P-1) sends, both minimal, without duplicates.
/// Chunk: the origin.
/// Throws PreconditionError unless the grid has two dimensions, both wrapped and of size 3 or more,
/// and beyond kMostSends (16384 nodes).
/// Source: Soch and Tvrdik, "Optimal gossip in store-and-forward noncombining 2-D tori", Euro-Par
/// 1997, whose bound Meyer and Sibeyn cite as optimal.
Plan disjoint_tree_gossip(const Grid& torus);

}  // namespace flitcast
