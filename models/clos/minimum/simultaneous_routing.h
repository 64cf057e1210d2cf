// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "clos/minimum/configuration.h"
#include "clos/structure.h"

namespace flitcast::clos {

/// The output switches that each input wants to reach, all at once. An output switch is wanted by
/// as many inputs as it has ports at most; which port is whose does not matter.
using Assignment = std::array<SwitchMask, kMostSearchInputs>;

/// Whether an idle network can carry the whole assignment. Tries the links in turn and goes back
/// where it does not get on: exponential at worst. Middle switches that carry nothing yet are all
/// alike; only one of them is tried.
bool has_routing(const Assignment& wanted, const Structure& structure);

}  // namespace flitcast::clos
