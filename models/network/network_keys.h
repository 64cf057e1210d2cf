// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "config/configuration.h"
#include "config/param.h"
#include "network/network_params.h"

namespace flitcast {

/// The keys of the section `router`: those of each kind in the catalog, and those shared by all
/// routers with buffers.
std::vector<Param> router_keys();
/// The keys of the section `link`.
std::vector<Param> link_keys();

/// The parameters given by these two sections and the seed; all others have their defaults. The
/// entry of the router's kind adds the rest in configure().
NetworkParams network_params(const Configuration& configuration);

}  // namespace flitcast
