// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "collective/gossip/trail_gossip.h"
#include "collective/schedule.h"
#include "topology/grid.h"

namespace flitcast {

/// The two cycles on which zigzag_cycle_gossip() circulates its chunks: edge-disjoint, each node at
/// most once on either, all nodes but those of one column on both.
///
/// Rows are counted along dimension 0 and columns along dimension 1, or the other way round if only
/// dimension 1 is of even size. What enters a node by one side leaves it by another, always the
/// same (T top, B bottom, L left, R right):
///
///   even columns, and the last   T <-> R, B <-> L
///   odd columns                  T <-> L, B <-> R
///   the last but one, if odd     L <-> R            (of an odd number of columns)
///
/// Even number of columns: Hamiltonian cycles. Odd: of length P less half the rows, for a node of
/// the last column but one lies on one of them only.
/// Throws as zigzag_cycle_gossip() does, but for the number of nodes.
std::vector<Trail> zigzag_cycles(const Grid& torus);

/// Gossip with two chunks a node along two fixed zigzag cycles of a two-dimensional torus.
///
/// Store-and-forward, all-port. A node puts one chunk on each cycle that it lies on, or both on the
/// only one; nodes beside a cycle are fed by the nodes above and below them (trail_gossip.h).
/// Cost on P nodes: P/2 rounds, which is optimal; 2P (P-1) sends, no duplicates.
///
/// Throws PreconditionError unless the torus has two dimensions, both of size 3 or more and at
/// least one of even size, for with both odd the rule gives one trail of about twice the length;
/// and beyond kMostSends (11585 nodes).
///
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori" (1998), section 2,
/// theorem 1. It calls the case of two odd sizes similar, which it is not.
Plan zigzag_cycle_gossip(const Grid& torus);

}  // namespace flitcast
