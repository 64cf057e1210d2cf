// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flitcast {

/// The non-zero addresses of the n-cube in the order in which the optimal all-to-all broadcast and
/// scatter serve them; an address stands for the node that differs from a packet's origin in its
/// bits.
///
/// Entry m has dimension m mod n, which is a set bit of its address, and its address without this
/// bit is in an earlier group of n entries. So, if group g is served in round g, the last hop of
/// each entry through its dimension, then every sender was served before, and no two entries of a
/// round share a dimension. Light addresses come first; those of equal weight are listed by classes
/// under rotation, each class starting where the dimension that is due is set.
///
/// Both properties were verified for n <= 20, all that Hypercube allows.
/// @param n  Dimension of the cube, 0 to 20; 2^n - 1 entries, O(n 2^n) time.
/// Source: after Bertsekas, Ozveren, Stamoulis, Tseng and Tsitsiklis, "Optimal communication
/// algorithms for hypercubes", J. Parallel and Distributed Computing 11, 1991. Which member starts
/// a class is flitcast's choice.
std::vector<std::uint32_t> cube_numbering(std::size_t n);

}  // namespace flitcast
