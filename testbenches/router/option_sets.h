// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "router/router_params.h"

namespace flitcast {

/// Each option alone, and some together, for routers of at least two VCs.
inline std::vector<RouterOptions> option_sets() {
  constexpr AllocatorKind kInput = AllocatorKind::kInputFirst;
  constexpr AllocatorKind kOutput = AllocatorKind::kOutputFirst;
  constexpr AllocatorKind kWave = AllocatorKind::kWavefront;
  return {
      {kOutput, 1, false, 1, VcReuse::kTail},
      {kInput, 2, false, 1, VcReuse::kTail},
      {kWave, 1, false, 1, VcReuse::kTail},
      {kInput, 1, true, 1, VcReuse::kTail},
      {kInput, 1, false, 2, VcReuse::kTail},
      {kInput, 1, false, 1, VcReuse::kTailCredit},
      {kOutput, 3, true, 2, VcReuse::kTailCredit},
      {kWave, 1, true, 2, VcReuse::kTail},
      {kInput, 1, false, 1, VcReuse::kTail, ArbitrationKind::kAge},
      {kOutput, 2, false, 2, VcReuse::kTailCredit, ArbitrationKind::kWeighted},
  };
}

}  // namespace flitcast
