// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "clos/multistage_admission.h"

namespace flitcast {

/// The same strategy for every network of one MultistageAdmission, with the pass limit of its
/// level.
///
/// Random strategies draw from separate sequences: the outermost network from that of `seed`, as
/// the experiments on three stages do, the q-th one made after it from stream q of the seed.
/// @param params  One for each level; none: the defaults.
clos::StrategyFactory strategy_factory(clos::StrategyMaker make,
                                       const std::vector<clos::AdmissionParams>& params,
                                       std::uint64_t seed);

}  // namespace flitcast
