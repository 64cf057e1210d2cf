// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "config/configuration.h"
#include "config/param.h"
#include "network/network_params.h"

namespace flitcast {

/// The keys of the section `router`: the catalog's kinds with theirs, and those that all routers
/// with buffers share.
std::vector<Param> router_keys();
/// The keys of the section `link`.
std::vector<Param> link_keys();

/// The parameters that these two sections and the seed give; all others have their defaults. The
/// router's kind has yet to configure() the rest.
NetworkParams network_params(const Configuration& configuration);

}  // namespace flitcast
