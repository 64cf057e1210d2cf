// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/fabric/router_cores.h"
#include "network/fabric/router_partition.h"
#include "network/pins/core_router.h"

namespace flitcast {

/// The makers of a core, and the bytes of the narrowest core.
template <template <int> class Core>
struct Makers {
  static std::size_t bytes(const RouterParams& params, unsigned inputs, unsigned outputs) {
    return flitcast::storage_bytes<Core<1>>({params, inputs, outputs});
  }

  /// The maker of partitions, for RouterCores::partitions.
  template <int kWords = 1>
  static PartitionMaker partition(unsigned words) {
    if (words == kWords) {
      return [](unsigned number, PartitionContext& context, RouterId first_router,
                const std::vector<RouterShape>& shapes, std::vector<NodeId> nodes,
                Probe* probe) -> std::unique_ptr<Partition> {
        return std::make_unique<RouterPartition<Core<kWords>>>(number, context, first_router,
                                                               shapes, std::move(nodes), probe);
      };
    }
    constexpr int kNext = kWords == 16 ? 64 : 2 * kWords;
    if constexpr (kWords < 64) return partition<kNext>(words);
    return nullptr;
  }

  /// The maker of the core behind pins, for RouterCores::with_pins.
  template <int kWords = 1>
  static pins::ModelRouterMaker pins(unsigned words) {
    if (words == kWords) {
      return [](const std::string& name, const pins::Site& site,
                const Routing& routing) -> std::unique_ptr<pins::ModelRouter> {
        return std::make_unique<pins::CoreRouter<Core<kWords>>>(name.c_str(), site, routing);
      };
    }
    if constexpr (kWords < kWidestWithPins) return pins<2 * kWords>(words);
    return nullptr;
  }
};

/// A placeholder for a core that does not exist.
template <int kWords>
class NoCore {};
template <>
struct Makers<NoCore> {
  static std::size_t bytes(const RouterParams&, unsigned, unsigned) { return 0; }
  static PartitionMaker partition(unsigned) { return nullptr; }
  static pins::ModelRouterMaker pins(unsigned) { return nullptr; }
};

/// Calls read() with the Makers of the core for a mode.
template <template <int> class Unicast, template <int> class Multicast,
          template <int> class Adaptive, template <int> class Combining, class Read>
auto with_makers(OutputMode mode, Read&& read) {
  if (mode == OutputMode::kCombinations) return read(Makers<Combining>());
  if (mode == OutputMode::kAlternatives) return read(Makers<Adaptive>());
  if (mode == OutputMode::kBranches) return read(Makers<Multicast>());
  return read(Makers<Unicast>());
}

/// The RouterCores of one core template for each OutputMode; the templates may be equal.
template <template <int> class Unicast, template <int> class Multicast,
          template <int> class Adaptive = NoCore, template <int> class Combining = NoCore>
RouterCores cores_of(std::vector<BlockedVc> (*find_deadlock)(const Inspection& network),
                     const FigureTable<Inspection>* figures = nullptr) {
  return {Unicast<1>::kUnit,
          [](unsigned words, OutputMode mode) {
            return with_makers<Unicast, Multicast, Adaptive, Combining>(
                mode, [=](auto makers) { return makers.partition(words); });
          },
          [](unsigned words, OutputMode mode) {
            return with_makers<Unicast, Multicast, Adaptive, NoCore>(
                mode, [=](auto makers) { return makers.pins(words); });
          },
          [](OutputMode mode, const RouterParams& params, unsigned inputs, unsigned outputs) {
            return with_makers<Unicast, Multicast, Adaptive, Combining>(
                mode, [&](auto makers) { return makers.bytes(params, inputs, outputs); });
          },
          find_deadlock,
          figures};
}

}  // namespace flitcast
