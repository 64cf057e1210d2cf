// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/plan.h"
#include "topology/hypercube.h"

namespace flitcast {

Plan ho_kao_broadcast(const Hypercube& cube, NodeId source);

}  // namespace flitcast
