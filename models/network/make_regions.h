// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/pins/core_routers.h"
#include "network/router_cores.h"
#include "network/router_region.h"

namespace flitcast {

/// The maker of regions of these cores, for RouterCores::regions.
template <template <int> class Core, int kWords = 1>
RegionMaker region_maker(unsigned words) {
  if (words == kWords) {
    return [](const std::string& name, unsigned number, RegionContext& context,
              RouterId first_router, const std::vector<RouterShape>& shapes,
              std::vector<NodeId> nodes, Probe* probe) -> std::unique_ptr<Region> {
      return std::make_unique<RouterRegion<Core<kWords>>>(
          name.c_str(), number, context, first_router, shapes, std::move(nodes), probe);
    };
  }
  if constexpr (kWords < 64) return region_maker < Core, kWords == 16 ? 64 : 2 * kWords > (words);
  return nullptr;
}

/// The maker of such a core behind pins, for RouterCores::with_pins.
template <template <int> class Core, int kWords = 1>
pins::ModelRouterMaker pins_maker(unsigned words) {
  if (words == kWords) {
    return [](const std::string& name, const pins::Place& place,
              const Routing& routing) -> std::unique_ptr<pins::ModelRouter> {
      return std::make_unique<pins::CoreRouter<Core<kWords>>>(name.c_str(), place, routing);
    };
  }
  if constexpr (kWords < kWidestWithPins) return pins_maker<Core, 2 * kWords>(words);
  return nullptr;
}

/// What a network has to know of cores for packets with one output and for others; they may be the
/// same.
template <template <int> class Unicast, template <int> class Multicast>
RouterCores cores_of(std::vector<BlockedVc> (*find_deadlock)(const Inspection& network),
                     const FigureTable<Inspection>* figures = nullptr) {
  return {Unicast<1>::kUnit,
          [](unsigned words, bool multicast) {
            return multicast ? region_maker<Multicast>(words) : region_maker<Unicast>(words);
          },
          [](unsigned words, bool multicast) {
            return multicast ? pins_maker<Multicast>(words) : pins_maker<Unicast>(words);
          },
          Unicast<1>::storage_bytes,
          find_deadlock,
          figures};
}

}  // namespace flitcast
