// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "traffic/permutation.h"

namespace flitcast {

/// Permutations of the b bits of a node's number s; defined on 2^b nodes.
///
///   bit_complement   d_i = not s_i
///   bit_reverse      d_i = s_(b-1-i)
///   shuffle          d_i = s_(i-1 mod b), a rotation to the left
///   transpose        d_i = s_(i+b/2 mod b), b even
///
/// The functions demand node_count = 2^b, transpose with an even b; anything else throws
/// std::invalid_argument.
DestinationTable bit_complement(std::size_t node_count);
DestinationTable bit_reverse(std::size_t node_count);
DestinationTable shuffle(std::size_t node_count);
DestinationTable transpose(std::size_t node_count);

/// Transpose of a square grid: the node at (x, y) sends to (y, x). On 2^b x 2^b nodes this is
/// transpose(), but it exists for every side.
DestinationTable transpose_square(std::size_t side);

/// These read no keys. make_transpose prefers the coordinates of a square two-dimensional grid.
std::unique_ptr<Pattern> make_bit_complement(const Section& workload, const Topology& topology);
std::unique_ptr<Pattern> make_bit_reverse(const Section& workload, const Topology& topology);
std::unique_ptr<Pattern> make_shuffle(const Section& workload, const Topology& topology);
std::unique_ptr<Pattern> make_transpose(const Section& workload, const Topology& topology);

}  // namespace flitcast
