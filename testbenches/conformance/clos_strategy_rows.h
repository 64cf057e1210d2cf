// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of the Clos table of one of the kinds strategy.
Verdict clos_strategy_row(const Row& row, Level level);

}  // namespace flitcast::conformance
