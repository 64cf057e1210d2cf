// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// The points of one latency-load curve, each simulated anew with the windows of its row and
/// averaged over several seeds:
///  - zero load: mean packet latency within 0.5 cycle;
///  - up to 0.5 of the saturation rate within 2 %, up to 0.8 within 5 %;
///  - above, where latency is a matter of chance, the accepted rate within 3 %;
///  - the rate at which latency reaches three times that of zero load within 5 %;
///  - the rate accepted when 1 flit per node and cycle is offered within 3 %.
/// The reference drew its own destinations in short windows; so latencies are compared at its mean
/// number of hops, each hop more or less being cycles_per_hop() cycles. The same on every level.
std::vector<Verdict> curve(const std::vector<Row>& rows, Level level);

}  // namespace flitcast::conformance
