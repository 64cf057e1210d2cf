// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// By source: its destination.
using DestinationTable = std::vector<NodeId>;

/// floor(log2(count)) for count >= 1.
std::size_t bit_count(std::size_t count);

/// True if count = 2^b with b a multiple of `step`.
bool is_power_of_two(std::size_t count, std::size_t step = 1);

// Permutations of the b bits of a node's number s, defined on 2^b nodes.
///
//   bit_complement   d_i = not s_i
//   bit_reverse      d_i = s_(b-1-i)
//   shuffle          d_i = s_(i-1 mod b), a rotation to the left
//   transpose        d_i = s_(i+b/2 mod b); for an odd b the middle bit stays, and the
//                    floor(b/2) bits on its sides change places
//   transpose_midflip  the same, then bit floor(b/2) is inverted
//
// All throw std::invalid_argument unless node_count = 2^b.
DestinationTable bit_complement(std::size_t node_count);
DestinationTable bit_reverse(std::size_t node_count);
DestinationTable shuffle(std::size_t node_count);
DestinationTable transpose(std::size_t node_count);
DestinationTable transpose_midflip(std::size_t node_count);

/// Transpose of a square grid: the node at (x, y) sends to (y, x). On 2^b x 2^b nodes it equals
/// transpose(), but it is defined for every side.
DestinationTable transpose_square(std::size_t side);

/// True if a permutation of the bits of the node number puts bits of several coordinates into one,
/// so that it ignores the grid.
/// @param table  The table of one of the bit permutations above.
/// @param grid   Sizes, powers of two, dimension 0 fastest, as Topology::node_grid().
bool mixes_coordinates(const DestinationTable& table, const std::vector<std::size_t>& grid);

/// Moves the coordinate x of every dimension of size k to x + ceil(k/2) - 1 mod k: almost half way
/// round, all in one direction, which under minimal routing leaves the channels of the other
/// direction idle.
/// @param grid  Sizes, dimension 0 fastest, as in Topology::node_grid(); the coordinate stays in
/// dimensions of size 1.
DestinationTable tornado(const std::vector<std::size_t>& grid);
/// Moves the coordinate x of every dimension of size k to x + 1 mod k.
DestinationTable neighbour(const std::vector<std::size_t>& grid);

/// A random permutation, by Fisher and Yates' shuffle over SplitMix64(seed): for i from N - 1 down
/// to 1, swap entry i with entry next() mod (i + 1). The plain remainder is part of the definition,
/// so that other programs can regenerate the instance: seed 1 on 8 nodes is 4 3 2 7 5 6 0 1.
DestinationTable random_permutation(std::uint64_t seed, std::size_t node_count);

/// Independent uniform destinations from SplitMix64(seed), in the order of the nodes: next() mod N
/// for each. Some nodes get several packets, others none. Seed 1 on 8 nodes is 1 7 6 3 1 0 5 5.
DestinationTable random_function(std::uint64_t seed, std::size_t node_count);

}  // namespace flitcast
