// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of the Clos table of kind strategy: one request, given by I, the available middle switches
/// ("all" or a mask) and the sets M_j, and the answer of each strategy: the legs "j:served" in the
/// order of selection joined by "+", or "B". Optional: a pass limit `x` and a `seed` for RND.
Verdict clos_strategy_row(const Row& row, Level level);

}  // namespace flitcast::conformance
