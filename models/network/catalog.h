// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/catalog.h"
#include "config/section.h"
#include "network/network_params.h"
#include "topology/topology.h"

namespace flitcast {

/// What a kind of router is made for.
struct RouterContext {
  const Topology& topology;  ///< Must outlive the network.
  std::uint64_t seed = 1;    ///< Of the experiment.
};

/// Sets what a kind of router adds to the parameters of the network; throws ConfigError.
using RouterMaker = void (*)(const Section& router, const RouterContext& context,
                             NetworkParams& params);

/// The routers that a user can name under router.kind.
const Catalog<CatalogEntry<RouterMaker>>& routers();

}  // namespace flitcast
