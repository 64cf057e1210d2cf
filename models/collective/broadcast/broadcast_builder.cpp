// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/broadcast_builder.h"

#include <cstdint>

#include "collective/paths.h"

namespace flitcast {

BroadcastBuilder::BroadcastBuilder(const Grid& grid, NodeId source)
    : grid_(grid), informed_(grid.node_count()) {
  informed_[index(source)] = true;
}

void BroadcastBuilder::send(NodeId from, NodeId to, Ties ties) {
  if (informed_[index(to)]) return;
  informed_[index(to)] = true;
  const std::uint8_t minus_ties = ties == Ties::kDownwards ? 0xFF : 0;
  schedule_.add(from, to, ChunkId{0}, dimension_order_path(grid_, from, to, false, minus_ties));
}

}  // namespace flitcast
