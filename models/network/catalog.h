// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/router_entry.h"

namespace flitcast {

// The kinds of routers, each in a file of its own.
RouterEntry wormhole_router();
RouterEntry virtual_cut_through_router();
RouterEntry store_and_forward_router();
RouterEntry circuit_router();

}  // namespace flitcast
