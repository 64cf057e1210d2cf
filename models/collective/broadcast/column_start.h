// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/ids.h"
#include "topology/grid.h"

namespace flitcast {

/// Who informs whom.
struct Message {
  NodeId from{};
  NodeId to{};
};

/// Informs a few nodes of a 2-D mesh, no two of them in one column, in a given number of rounds by
/// XY routing; all ports, no two messages of a round share a channel.
///
/// Every informed node is responsible for some targets on its left and on its right. With r rounds
/// left it keeps on each side the nearest (3^(r-1) - 1) / 2, enough for the rounds to come, and
/// informs the middle one of the others, which takes these over. The columns that two nodes are
/// responsible for never interleave, so their messages do not meet. A target in the source's own
/// column is informed through a y port in round 1.
///
/// That serves (3^rounds - 1) / 2 targets on either side. A side may have up to 3 more, if there is
/// time: then the source informs a helper in its own column in round 1, the target there or else
/// the next node, and leaves the nearest targets to it. The helper's messages run along another row
/// than the source's, and what its targets send to one another runs towards the source: no channel
/// is shared.
///
/// @param targets  The source may be one of them.
/// @param rounds   From 1 up.
/// @return  As many rounds as asked for.
/// Throws std::invalid_argument if a side has too many targets, or if both need the helper.
std::vector<std::vector<Message>> column_start(const Grid& mesh, NodeId source,
                                               const std::vector<NodeId>& targets,
                                               std::size_t rounds);

}  // namespace flitcast
