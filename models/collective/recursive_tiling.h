// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/plan.h"
#include "topology/grid.h"

namespace flitcast {

Plan recursive_tiling_broadcast(const Grid& grid, NodeId source);

}  // namespace flitcast
