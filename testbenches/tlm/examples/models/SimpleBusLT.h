// SPDX-License-Identifier: Apache-2.0
// Replaces the bus that the SystemC examples include by this name.
#pragma once

#include "../network_bus.h"

template <int kInitiators, int kTargets>
using SimpleBusLT = flitcast::testing::NetworkBus<kInitiators, kTargets>;
