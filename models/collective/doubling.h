// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "collective/plan.h"
#include "topology/complete.h"

namespace flitcast {

Plan doubling_broadcast(const Complete& network, NodeId source);

}  // namespace flitcast
