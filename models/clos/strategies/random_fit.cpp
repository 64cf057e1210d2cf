// SPDX-License-Identifier: Apache-2.0
#include "clos/strategies/random_fit.h"

#include <utility>

#include "clos/draw.h"

namespace flitcast::clos {

void RandomFit::arrange(const BitMatrix&, std::vector<std::uint32_t>& candidates) {
  for (std::size_t places = candidates.size(); places > 1; --places) {
    const std::uint32_t chosen = draw(random_, static_cast<std::uint32_t>(places));
    std::swap(candidates[places - 1], candidates[chosen]);
  }
}

}  // namespace flitcast::clos
