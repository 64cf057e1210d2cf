// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/region.h"

namespace flitcast {

using RegionMaker = std::unique_ptr<Region> (*)(const std::string& name, unsigned number,
                                                RegionContext& context, RouterId first_router,
                                                const std::vector<RouterShape>& shapes,
                                                std::vector<NodeId> nodes, Probe* probe);

/// Sizes in which router cores are compiled: words of 64 bits, a bit for each VC of a side.
inline constexpr unsigned kCoreWidths[] = {1, 2, 4, 8, 16, 64};

/// Makers of regions whose routers are cores of so many words, one of kCoreWidths.
RegionMaker wormhole_regions(unsigned words);
RegionMaker multicast_regions(unsigned words);
RegionMaker store_forward_regions(unsigned words);

/// The cores that a network needs: store-and-forward, or else wormhole, which comes in a version
/// for routings that multicast.
inline RegionMaker region_maker(const RouterParams& params, const Routing& routing,
                                unsigned words) {
  if (params.store_and_forward) return store_forward_regions(words);
  return routing.multicast() ? multicast_regions(words) : wormhole_regions(words);
}

}  // namespace flitcast
