// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/plan.h"
#include "topology/hypercube.h"

namespace flitcast {

Plan cube_total_exchange(const Hypercube& cube);

}  // namespace flitcast
