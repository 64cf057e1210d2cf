// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "collective/gossip/trail.h"
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

}  // namespace flitcast
