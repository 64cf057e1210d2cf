// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "collective/gossip/trail_gossip.h"
#include "collective/schedule.h"
#include "topology/grid.h"

namespace flitcast {

/// The trails of the one-packet gossip on d-dimensional tori: long straight lines along axis 1,
/// joined by zigzags that shift each lap by d places in axis 2 (and, where that is full, in higher
/// axes). All moves are upwards.
///
/// Trail c starts at (0, c, 0, ..) and goes in laps l = 1, 2, .. until it is back there. A lap is
/// the moves 2,1, 2,1, 3,1, .., j+1,1 and then 2,1 until there are d pairs (zigzag j), followed by
/// moves in axis 1 up to coordinate 0. Of all j < d for which l is a multiple of
/// (n_2 / d) n_3 .. n_j the largest is taken; j = 1 always can.
///
/// d trails of P / d + P / n_1 positions each; but if d = 2 and n_2 is odd, one trail of twice
/// that. Every node is entered once by axis 1, and more often only at coordinates below d. The
/// trails close and use no link twice for d = 2 with n_1 >= 3, and for d = 3 or 4 with n_1 >= d,
/// n_2 a multiple of d and all further sizes multiples of n_2; otherwise this need not even end.
///
/// @param axes  The dimension of the torus that plays axis 1, then axis 2, and so on.
///
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori" (1998), section 3. It asks
/// for multiples of d only; then trails clash or stay open, on T(4,6,3) for example.
std::vector<Trail> zigzag_laps(const Grid& torus, const std::vector<std::size_t>& axes);

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
