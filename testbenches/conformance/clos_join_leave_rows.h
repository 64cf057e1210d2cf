// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of the Clos table of kind joinleave_trace: replays the events, including joins and leaves,
/// and compares their outcomes and the final sets M_j.
Verdict clos_join_leave_row(const Row& row, Level level);

}  // namespace flitcast::conformance
