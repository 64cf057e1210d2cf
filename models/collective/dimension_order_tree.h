// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/plan.h"
#include "topology/grid.h"

namespace flitcast {

enum class DirectionRule { kFarthest, kSeed };
struct DimensionOrderTree {
  unsigned ports;
  DirectionRule rule;
  bool stop_in_time;
};
Plan dimension_order_broadcast(const Grid& grid, NodeId source, const DimensionOrderTree& tree);

}  // namespace flitcast
