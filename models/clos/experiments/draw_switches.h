// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/bit_set.h"
#include "base/random.h"
#include "clos/draw.h"

namespace flitcast::clos {

/// Draws a fan-out of 1 .. most and as many switches of `open`, at least one, all sets of them with
/// equal chance: the first draws of a Fisher-Yates shuffle. The drawn ones are in front of `open`
/// then, and alone in `drawn`.
inline void draw_switches(Random& random, std::size_t most, std::vector<std::uint32_t>& open,
                          BitSet& drawn) {
  const auto below = [&](std::size_t bound) {
    return draw(random, static_cast<std::uint32_t>(bound));
  };
  const std::size_t fan_out = 1 + below(std::min(most, open.size()));
  drawn.clear();
  for (std::size_t t = 0; t < fan_out; ++t) {
    std::swap(open[t], open[t + below(open.size() - t)]);
    drawn.set(open[t]);
  }
}

}  // namespace flitcast::clos
