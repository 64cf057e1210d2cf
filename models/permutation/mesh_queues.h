// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace flitcast {

/// The longest queue, in packets and with the one that leaves, that any complete or partial
/// permutation can make XY with farthest-first queues build up on a mesh: on n x n for n >= 3
/// max(2, ceil(2n/3) - 1). The most packets held besides the heads of queues is one less.
///
///   max over r = 0, 1, columns c, t >= 1 with a(t) >= t of min(rows - 1 - r, a(t)) - (t - 1),
///   a(t) = min(t, c) + min(t, columns - 1 - c) + r t
///
/// packets reach column c in row r in t steps, and all but one a step stay in the queue. Source:
/// CS838 lecture notes (1999), section 9, whose 2n/3 - 1 is to be rounded up.
/// @param columns, rows  At least 1.
std::size_t most_queued_under_xy(std::size_t columns, std::size_t rows);

}  // namespace flitcast
