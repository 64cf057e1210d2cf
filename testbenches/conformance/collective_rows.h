// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// A row of the broadcast-and-gossip table: an algorithm on an instance, with the figures to be
/// reproduced. It passes if
///  - the schedule is legal on the step machine and satisfies its theorem,
///  - the normative columns agree, and those that the algorithm's definition determines;
///  - `lower_bound` agrees, and so does `time` if rounds and longest paths must agree (if these may
///    be better, so may the time), and the "quiescent after N" of a flooding;
///  - or, for an instance to be rejected, if it is refused with a reason.
///
/// On the network level the schedule is also played on the cycle-accurate network, in rounds, and
/// passes if every node holds the right bytes after exactly the analytic time, which is the row's.
///
/// Empty columns are ignored unless normative. If the longest paths may differ from the row's, the
/// time must match the computed paths.
Verdict collective_row(const Row& row, Level level);

}  // namespace flitcast::conformance
