// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "traffic/permutation.h"

namespace flitcast {

/// A permutation drawn once, by Fisher and Yates' shuffle over SplitMix64(seed): for i from N - 1
/// down to 1, swap entry i with entry next() mod (i + 1). The plain remainder is part of the
/// definition, so that anyone can regenerate the instance: seed 1 on 8 nodes is 4 3 2 7 5 6 0 1.
DestinationTable random_permutation(std::uint64_t seed, std::size_t node_count);

/// Reads `permutation_seed`; independent of the experiment's seed, so that repetitions of an
/// experiment share the permutation.
std::unique_ptr<Pattern> make_random_permutation(const Section& workload, const Topology& topology);

}  // namespace flitcast
