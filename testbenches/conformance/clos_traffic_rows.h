// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of the Clos table of one of the kinds g1, g2, blocking_trace.
Verdict clos_traffic_row(const Row& row, Level level);

}  // namespace flitcast::conformance
