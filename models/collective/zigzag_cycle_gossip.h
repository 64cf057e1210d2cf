// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/plan.h"
#include "topology/grid.h"

namespace flitcast {

Plan zigzag_cycle_gossip(const Grid& torus);

}  // namespace flitcast
