// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/strategy_factory.h"

#include "base/random.h"

namespace flitcast {

clos::StrategyFactory strategy_factory(clos::StrategyMaker make,
                                       const std::vector<clos::AdmissionParams>& params,
                                       std::uint64_t seed) {
  return [make, params, seed, network = std::uint64_t{0}](const clos::Structure& structure,
                                                          unsigned level) mutable {
    const std::size_t limit = params.empty() ? 0 : params[level].pass_limit;
    const std::uint64_t own = network == 0 ? seed : Random::stream(seed, network).next();
    ++network;
    return make({structure, limit, own});
  };
}

}  // namespace flitcast
