// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective/plan.h"
#include "topology/grid.h"

namespace flitcast {

/// Optimal gossip (AAB) of d chunks a node on a d-dimensional torus, store-and-forward, all-port,
/// full-duplex.
///
/// Chunk c of a node goes both ways round Hamiltonian cycle c (see hamiltonian_cycles.h), one
/// node a round: forward ceil((P-1) / 2) steps and backward floor((P-1) / 2) steps on P nodes. What
/// a node receives it passes on in the next round, the same way in every round.
///
/// Cost: ceil((P-1) / 2) rounds, which is minimal for d chunks, and d P (P-1) sends, without
/// duplicates. Chunks of node v: v + P c, c = 0 .. d - 1.
/// Throws PreconditionError as hamiltonian_cycles() does, and beyond kMostSends (two dimensions:
/// 11585 nodes).
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori", introduction, where the
/// time is given as P / 2.
Plan hamiltonian_gossip(const Grid& torus);

}  // namespace flitcast
