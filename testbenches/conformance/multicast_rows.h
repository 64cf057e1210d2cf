// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// Categories `umesh`, `ucube`, `separate_unicast_xy`, `dual_path`, `multi_path`, `column_path` and
/// `xy_tree`: a multicast "v=perm(seed=1); src=v[0], dests=v[1..5]" on "M(rows=6,cols=6)" or "Q4".
/// Metrics, several joined by ";", are, for messages between nodes, `steps`, `step_free` (no round
/// uses a channel twice), `depth_free` (messages that share a channel are in order of cause and
/// effect), `hops` or `total_hops`; for packets that routers copy, `worms`, `links`, `longest`. All
/// levels give the same result, which depends only on the routes.
Verdict multicast_row(const Row& row, Level level);

}  // namespace flitcast::conformance
