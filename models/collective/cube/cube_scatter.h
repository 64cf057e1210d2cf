// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/plan.h"
#include "topology/hypercube.h"

namespace flitcast {

/// Optimal scatter (OAS) from one node of a hypercube, store-and-forward, all-port, full-duplex.
///
/// The packet for the node at relative address v leaves through port j = entry of v in
/// cube_numbering() mod n, then crosses the other set bits of v in cyclically ascending order. Each
/// port sends its packets farthest first, the last one in the last round; packets never wait.
/// Packets of different ports never meet in a channel: from the node with set bits A the next
/// dimension lies in the cyclic gap of A before the port's bit, and these gaps are disjoint.
///
/// Cost on the n-cube: ceil((2^n - 1) / n) rounds and n 2^(n-1) sends, both minimal, without
/// duplicates. n = 0: nothing. Chunk: the destination.
/// Throws PreconditionError for a source that is not in the cube.
/// Source: CS838 lecture notes (1999), lemma of "An example of lower bound calculations", which
/// says that a matching algorithm exists but does not give it; the ports are cube_numbering()'s.
Plan cube_scatter(const Hypercube& cube, NodeId source);

}  // namespace flitcast
