// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/plan.h"
#include "topology/topology.h"

namespace flitcast {

Plan flooding_broadcast(const Topology& topology, NodeId source);

}  // namespace flitcast
