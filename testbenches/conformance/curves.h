// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// The points of one latency-load curve, each simulated with the windows of its row and averaged
/// over several seeds:
///  - zero load: mean packet latency within 0.5 cycle, or 1 % where that is more;
///  - up to 0.5 of the saturation rate within 2 %, up to 0.8 within 5 %; rows that are means over
///    several seeds, such as 31-33: latency and accepted rate within 3 % up to 0.8;
///  - above, where latency varies strongly, the accepted rate within 3 %;
///  - the rate at which latency reaches three times that of zero load within 5 %;
///  - the rate accepted when 1 flit per node and cycle is offered within 3 %.
/// The reference drew its destinations in short windows, so latencies are compared at its mean
/// number of hops, counting cycles_per_hop() cycles for each hop of difference, except those of
/// several seeds. All levels give the same result.
std::vector<Verdict> curve(const std::vector<Row>& rows, Level level);

}  // namespace flitcast::conformance
