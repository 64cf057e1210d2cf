// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/ids.h"
#include "collective/schedule.h"
#include "topology/grid.h"

namespace flitcast {

/// One hop of a broadcast tree.
struct TreeHop {
  NodeId from{};
  NodeId to{};
  PortId output{};
};

/// A broadcast tree on a 2-D torus, rooted at node 0: its hops by rounds. The hops of a round leave
/// by different outputs, and every round but the last has four of them. So the translates of the
/// tree to all nodes as roots never use one channel in the same round.
using GenericTree = std::vector<std::vector<TreeHop>>;

/// ceil((P-1) / 4) rounds on a torus of P nodes, P - 1 hops. O(P^2) time at worst.
///
/// On n x n with n odd explicit: four arms, each with (n^2-1) / 4 nodes, are the quarter turns of
/// one another, and each round adds a node to each arm. Otherwise greedy: each port in turn takes
/// the uninformed node nearest to the root that it can reach, in the first order of the ports that
/// serves all. Verified for all sizes of 3 to 64.
///
/// @param torus  Two wrapped dimensions, each of size 3 or more.
/// Throws PreconditionError if the greedy choice should fail, which was not seen.
/// Source: Soch and Tvrdik, "Optimal gossip in store-and-forward noncombining 2-D tori", Euro-Par
/// 1997, as cited by Meyer and Sibeyn; their trees are not given there, these are flitcast's.
GenericTree generic_tree(const Grid& torus);

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
