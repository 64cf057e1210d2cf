// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective/plan.h"
#include "topology/hypercube.h"

namespace flitcast {

/// Optimal all-to-all broadcast (AAB) on a hypercube, store-and-forward, all-port, full-duplex.
///
/// One broadcast tree, translated to every source: in round g the nodes at the addresses of group g
/// of cube_numbering() relative to the source are informed, each through its own dimension. The
/// translates of one hop use every channel of that dimension once.
///
/// Cost on the n-cube: ceil((2^n - 1) / n) rounds and 2^n (2^n - 1) sends, both minimal, without
/// duplicates. n = 0: nothing. One chunk a node: the origin.
/// Throws PreconditionError for n >= 15, beyond kMostSends.
/// Source: CS838 lecture notes (1999), lemma of "An example of lower bound calculations", which
/// says that a matching algorithm exists but does not give it; the schedule is cube_numbering()'s.
Plan cube_gossip(const Hypercube& cube);

}  // namespace flitcast
