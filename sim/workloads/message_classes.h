// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/experiment/workload.h"
#include "traffic/named_classes.h"

namespace flitcast {

/// Gives the network the message classes that the sections of a list describe, in their order.
/// Throws ConfigError with all problems: a control that supports only one class, keys that the
/// routers do not read, and guarantees that a channel cannot keep.
/// @param owner  The section whose key `list` has the sections.
void add_classes(const std::vector<NamedClass>& classes, const Section& owner,
                 const std::string& list, NetworkPlan& network);

}  // namespace flitcast
