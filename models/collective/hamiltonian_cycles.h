// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "collective/coloured_torus.h"
#include "topology/grid.h"

namespace flitcast {

/// As many Hamiltonian cycles as the torus has dimensions, without a common link; together they
/// use every link. The same torus always gives the same cycles.
///
/// The links, coloured by dimension at first, are recoloured by flips of squares (ColouredTorus)
/// until each colour is one cycle. In two dimensions the squares follow from the sizes; verified
/// for sizes of 3 to 64. In three and more they are tried at random (fixed seeds), keeping a flip
/// unless it makes more cycles. The search succeeded for all 3-D sizes of 3 to 12, all 4-D sizes of
/// 3 to 6 and samples up to 9000 nodes and 7 dimensions: in well under a second up to 1000 nodes,
/// in seconds up to 9000, in minutes for 3x3x1000, the most elongated.
///
/// Throws PreconditionError unless all dimensions wrap and have sizes of 3 or more, and if the
/// search should fail.
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori", refer to constructions by
/// others (Foregger; Aubert and Schneider) and give none; the flips are flitcast's.
std::vector<HamiltonianCycle> hamiltonian_cycles(const Grid& torus);

}  // namespace flitcast
