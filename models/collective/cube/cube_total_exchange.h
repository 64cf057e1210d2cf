// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective/plan.h"
#include "topology/hypercube.h"

namespace flitcast {

/// Optimal all-to-all scatter (AAS, total exchange) on a hypercube, store-and-forward, all-port,
/// full-duplex.
///
/// The bipartite graph of all pairs (relative address v, set bit d of v) is coloured properly with
/// 2^(n-1) colours (see edge_colouring.h). In round c every node forwards the packet with relative
/// address v through d, for each pair (v, d) of colour c: a packet takes its dimensions in the
/// order of their colours and waits in between. At a vertex d all colours occur, so every channel
/// is busy in every round.
///
/// Cost on the n-cube: 2^(n-1) rounds and n 2^(2n-1) sends, both minimal, without duplicates.
/// n = 0: nothing. Chunk: origin + 2^n * destination.
/// Throws PreconditionError for n >= 13, beyond kMostSends.
/// Source: CS838 lecture notes (1999), lemma of "An example of lower bound calculations", which
/// says that a matching algorithm exists but does not give it; the colouring is flitcast's.
Plan cube_total_exchange(const Hypercube& cube);

}  // namespace flitcast
