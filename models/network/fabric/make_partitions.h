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

/// The maker of partitions of these cores, for RouterCores::partitions.
template <template <int> class Core, int kWords = 1>
PartitionMaker partition_maker(unsigned words) {
  if (words == kWords) {
    return [](const std::string& name, unsigned number, PartitionContext& context,
              RouterId first_router, const std::vector<RouterShape>& shapes,
              std::vector<NodeId> nodes, Probe* probe) -> std::unique_ptr<Partition> {
      return std::make_unique<RouterPartition<Core<kWords>>>(
          name.c_str(), number, context, first_router, shapes, std::move(nodes), probe);
    };
  }
  if constexpr (kWords < 64)
    return partition_maker < Core, kWords == 16 ? 64 : 2 * kWords > (words);
  return nullptr;
}

/// The maker of such a core behind pins, for RouterCores::with_pins.
template <template <int> class Core, int kWords = 1>
pins::ModelRouterMaker pins_maker(unsigned words) {
  if (words == kWords) {
    return [](const std::string& name, const pins::Site& site,
              const Routing& routing) -> std::unique_ptr<pins::ModelRouter> {
      return std::make_unique<pins::CoreRouter<Core<kWords>>>(name.c_str(), site, routing);
    };
  }
  if constexpr (kWords < kWidestWithPins) return pins_maker<Core, 2 * kWords>(words);
  return nullptr;
}

/// Both makers of a core, and the bytes of the narrowest core.
template <template <int> class Core>
struct Makers {
  static std::size_t bytes(const RouterParams& params, unsigned inputs, unsigned outputs) {
    return flitcast::storage_bytes<Core<1>>({params, inputs, outputs});
  }
  static PartitionMaker partition(unsigned words) { return partition_maker<Core>(words); }
  static pins::ModelRouterMaker pins(unsigned words) { return pins_maker<Core>(words); }
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

/// The RouterCores of one core template for each OutputMode; the templates may be equal.
template <template <int> class Unicast, template <int> class Multicast,
          template <int> class Adaptive = NoCore, template <int> class Combining = NoCore>
RouterCores cores_of(std::vector<BlockedVc> (*find_deadlock)(const Inspection& network),
                     const FigureTable<Inspection>* figures = nullptr) {
  return {Unicast<1>::kUnit,
          [](unsigned words, OutputMode mode) {
            if (mode == OutputMode::kCombinations) return Makers<Combining>::partition(words);
            if (mode == OutputMode::kAlternatives) return Makers<Adaptive>::partition(words);
            return mode == OutputMode::kOne ? Makers<Unicast>::partition(words)
                                            : Makers<Multicast>::partition(words);
          },
          [](unsigned words, OutputMode mode) -> pins::ModelRouterMaker {
            if (mode == OutputMode::kCombinations) return nullptr;
            if (mode == OutputMode::kAlternatives) return Makers<Adaptive>::pins(words);
            return mode == OutputMode::kOne ? Makers<Unicast>::pins(words)
                                            : Makers<Multicast>::pins(words);
          },
          [](OutputMode mode, const RouterParams& params, unsigned inputs, unsigned outputs) {
            if (mode == OutputMode::kCombinations) {
              return Makers<Combining>::bytes(params, inputs, outputs);
            }
            if (mode == OutputMode::kAlternatives)
              return Makers<Adaptive>::bytes(params, inputs, outputs);
            return mode == OutputMode::kOne ? Makers<Unicast>::bytes(params, inputs, outputs)
                                            : Makers<Multicast>::bytes(params, inputs, outputs);
          },
          find_deadlock,
          figures};
}

}  // namespace flitcast
