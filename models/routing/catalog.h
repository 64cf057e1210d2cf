// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "config/catalog.h"
#include "config/section.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// What a routing algorithm is made for.
struct RoutingContext {
  const Topology& topology;          ///< Must outlive the routing.
  std::size_t virtual_channels = 1;  ///< Per port, 1 to kMaxVirtualChannels.
  bool unsafe = false;               ///< Make it even with fewer VCs than deadlock freedom needs.
};

/// Makes the routing that the section describes; throws ConfigError when the algorithm does not
/// work on the topology or needs more VCs than there are.
using RoutingMaker = std::unique_ptr<Routing> (*)(const Section& routing,
                                                  const RoutingContext& context);

/// The algorithms that a user can name under routing.kind.
const Catalog<CatalogEntry<RoutingMaker>>& routings();

}  // namespace flitcast
