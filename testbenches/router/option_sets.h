// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "router/option_core.h"
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

struct WithOptions {
  template <int kWords>
  using Core = OptionCore<kWords>;
};
struct WithOrder {
  template <int kWords>
  using Core = OrderingCore<kWords>;
};

/// Calls use(WithOptions{}) or use(WithOrder{}), whose `Core` carries out the options.
template <class Use>
void with_core_of(const RouterOptions& options, Use&& use) {
  if (options.arbitration == ArbitrationKind::kRoundRobin) {
    use(WithOptions{});
  } else {
    use(WithOrder{});
  }
}

}  // namespace flitcast
