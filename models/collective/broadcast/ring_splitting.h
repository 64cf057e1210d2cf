// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/ids.h"
#include "collective/broadcast/broadcast_builder.h"
#include "topology/grid.h"

namespace flitcast {

/// Nodes of one ring that one of them has to inform.
struct RingTask {
  std::vector<NodeId> nodes;  ///< Going up the ring.
  std::size_t owner = 0;      ///< The index of the informed one.
};

/// What `owner` has to do to inform `targets` (itself among them or not), all in its ring of
/// `dimension`. Targets up to half way round come after it, the others before.
RingTask ring_task(const Grid& grid, std::size_t dimension, NodeId owner,
                   const std::vector<NodeId>& targets);

/// Three-way splitting: in each round every informed node keeps the middle of the nodes it is
/// responsible for and hands the others over, to a new owner on either side. Tasks run side by side
/// and must not share a ring.
///
/// Cost: with at most b nodes on either side of the owner ceil(log3(2b + 1)) rounds, added to the
/// broadcast. Paths are minimal and, within a ring, never share a channel.
void split_rings(BroadcastBuilder& broadcast, const std::vector<RingTask>& tasks);

}  // namespace flitcast
