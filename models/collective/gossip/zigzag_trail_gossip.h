// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective/plan.h"
#include "topology/grid.h"

namespace flitcast {

/// Gossip with one chunk a node along the fixed trails of zigzag_laps.h, about P/(2d) of P nodes
/// each. A node's chunk circulates on the trail that enters the node by axis 1; to the trails that
/// a node does not lie on it is bound by two neighbours that feed it (trail_gossip.h).
///
/// Store-and-forward, all-port. Cost: P (P-1) sends, no duplicates, and in rounds
///
///   n_1 x n_2, n_1 even    ceil(n_1 n_2 / 4 + n_1 / 2)
///   n_1 x n_2, n_1 odd     max(ceil((n_1 (n_2+2) - 1) / 4), ceil(((n_2+2) (n_1+1) / 2 - 2) / 2))
///   d = 3 or 4 dimensions  ceil(P / (2d) + P / (2 n_1))
///
/// In two dimensions n_1 is dimension 0 or 1, whichever takes fewer rounds; in more the sizes are
/// taken in order.
///
/// Throws PreconditionError where zigzag_sizes.h says so, and beyond kMostSends (16384 nodes).
///
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori" (1998), section 3,
/// theorems 2 to 4. Theorem 2 prints n_1 n_2 / 4 + n_1 / 2 + 1; for odd n_1 that holds here up to
/// n_2 = 8, and from 9 on this takes up to about n_2 / 4 - 3/2 rounds more, for the paper's "one
/// special row" is not described. Theorem 3 prints n_1 n_2 / 2 for n_2 n_3 / 2.
Plan zigzag_trail_gossip(const Grid& torus);

}  // namespace flitcast
