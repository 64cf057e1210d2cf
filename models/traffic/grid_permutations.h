// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "traffic/permutation.h"

namespace flitcast {

/// Permutations that shift the coordinate x of every dimension of size k round the dimension.
///
///   tornado     x + ceil(k/2) - 1 mod k: almost half-way round, all in one direction, which leaves
///               the other half of a ring's channels idle under minimal routing
///   neighbour   x + 1 mod k
///
/// @param grid  Sizes, dimension 0 fastest, as Topology::node_grid(); sizes of 1 shift nothing.
DestinationTable tornado(const std::vector<std::size_t>& grid);
DestinationTable neighbour(const std::vector<std::size_t>& grid);

/// These read no keys and exist on every topology.
std::unique_ptr<Pattern> make_tornado(const Section& workload, const Topology& topology);
std::unique_ptr<Pattern> make_neighbour(const Section& workload, const Topology& topology);

}  // namespace flitcast
