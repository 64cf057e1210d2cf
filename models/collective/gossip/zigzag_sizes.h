// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/grid.h"

namespace flitcast {

/// Throws PreconditionError (kTopology), with the nearest sizes that work, unless gossip along
/// zigzag trails is known to work: on tori with sizes of 3 or more,
///
///   two dimensions   all
///   three            n_2 a multiple of 3, n_3 of n_2
///   four             n_1 = 4, n_2 a multiple of 4, n_3 and n_4 of n_2
///
/// Sizes are taken in the order of the dimensions. "Nearest" is by the sum of the differences.
///
/// Source: the rules were found by exhaustive search. Meyer and Sibeyn (1998), theorems 3 and 4,
/// ask for multiples of d only: then the trails of T(4,6,3) stay open and clash, and on T(5,4,4,4)
/// some nodes have no neighbour on a trail that they need. Five dimensions were never verified.
void require_zigzag_sizes(const Grid& grid);

}  // namespace flitcast
