// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "clos/minimum/minimum_search.h"
#include "clos/minimum/state_search.h"

namespace flitcast::clos {

/// The verdicts on m = first_m, first_m + 1, ... up to the first that never blocks (the smallest
/// nonblocking m from there on), the first that a limit left undecided, or kMostSearchMiddles. m <
/// n never suffices. The field m of `structure` is ignored.
std::vector<MiddleVerdict> check_rising_middles(Structure structure, std::uint32_t first_m,
                                                const MinimumParams& params);

/// The verdicts on m = 1, 2, ... up to the first with kNeverBlocks, the smallest m, kNoVerdict, or
/// kMostSearchMiddles.
std::vector<RearrangeableVerdict> check_rising_rearrangeable(Structure structure,
                                                             AssignmentKind kind,
                                                             const SearchLimits& limits = {});

}  // namespace flitcast::clos
