// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/check.h"

namespace flitcast::conformance {

/// Category `cdg`: channels, dependencies and cycle-freedom of the channel-dependency graph of a
/// routing scheme ("XY", "minimal DOR, tie +, dateline", "e-cube", "Valiant 2VC") on a topology
/// ("mesh 4x4", "torus 5", "Q4"). All levels give the same result, since the graph has no notion of
/// time.
Verdict cdg_row(const Row& row, Level level);

/// Category `cdg_turns`: the same figures for all channels of a 2-D mesh and all turns that a turn
/// model ("westfirst", "oddeven", "all") allows, straight on included, without U-turns.
Verdict cdg_turns_row(const Row& row, Level level);

/// Category `cdg_duato`: escape channels, their extended dependencies, and freedom from cycles of
/// the extended and of the full graph, of minimal adaptive routing on a mesh.
Verdict cdg_duato_row(const Row& row, Level level);

}  // namespace flitcast::conformance
