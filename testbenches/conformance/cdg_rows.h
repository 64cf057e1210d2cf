// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// Category `cdg`: channels, dependencies and cycle-freedom of the channel-dependency graph of a
/// routing scheme ("XY", "minimal DOR, tie +, dateline", "e-cube") on a topology ("mesh 4x4",
/// "torus 5", "Q4"). The same on every level: the graph has no notion of time.
Verdict cdg_row(const Row& row, Level level);

}  // namespace flitcast::conformance
