// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "clos/multistage_admission.h"

namespace flitcast {

/// Returns a factory that makes the same strategy for every network of one MultistageAdmission,
/// with the pass limit of its level.
///
/// Random strategies draw from separate sequences: the outermost network uses the sequence of
/// `seed`, as the experiments on three stages do; the q-th network made after it uses stream q of
/// the seed.
/// @param params  One entry for each level; empty: the defaults.
clos::StrategyFactory strategy_factory(clos::StrategyMaker make,
                                       const std::vector<clos::AdmissionParams>& params,
                                       std::uint64_t seed);

}  // namespace flitcast
