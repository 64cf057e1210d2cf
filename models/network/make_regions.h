// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "network/region_makers.h"
#include "network/router_region.h"

namespace flitcast {

template <class Core>
std::unique_ptr<Region> make_region(const std::string& name, unsigned number,
                                    RegionContext& context, RouterId first_router,
                                    const std::vector<RouterShape>& shapes,
                                    std::vector<NodeId> nodes, Probe* probe) {
  return std::make_unique<RouterRegion<Core>>(name.c_str(), number, context, first_router, shapes,
                                              std::move(nodes), probe);
}

/// The maker for cores of so many words, out of one for each of kCoreWidths.
template <template <int> class Core, std::size_t... kWidth>
RegionMaker maker_of(unsigned words, std::index_sequence<kWidth...>) {
  RegionMaker maker = nullptr;
  ((kCoreWidths[kWidth] == words
        ? void(maker = &make_region<Core<static_cast<int>(kCoreWidths[kWidth])>>)
        : void()),
   ...);
  return maker;
}

template <template <int> class Core>
RegionMaker maker_of(unsigned words) {
  return maker_of<Core>(words, std::make_index_sequence<std::size(kCoreWidths)>());
}

}  // namespace flitcast
