// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topology/grid.h"

namespace flitcast {

/// The sizes of a grid, dimension 0 first.
using Sizes = std::vector<std::size_t>;

/// "use torus 4x5 or torus 6x5", as remedies name the instances that work; at least one.
std::string use_one_of(const std::string& family, const std::vector<Sizes>& choices);

/// The sizes of the grid, each raised to 3 at least: from there on the two directions of a wrapped
/// dimension lead to different neighbours.
Sizes raised_to_three(const Grid& grid);

/// Throws PreconditionError (kTopology) unless the grid wraps in every dimension and every size is
/// 3 or more.
/// @param what  First words of the reason: "gossip on Hamiltonian cycles".
/// @param nearest  Tori that the algorithm works on, for the remedy; those of raised_to_three() if
///   it works on all.
void require_torus(const Grid& grid, const std::string& what, const std::vector<Sizes>& nearest);
void require_torus(const Grid& grid, const std::string& what);

/// Throws PreconditionError (kTopology) unless the grid has two dimensions.
/// @param what  First words of the reason, as above.
void require_two_dimensions(const Grid& grid, const std::string& what);

}  // namespace flitcast
