// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/strip.h"

#include <algorithm>

namespace flitcast {

namespace {

/// Of `places` places on one side of an owner, those of the part next to it.
std::int64_t near_share(std::int64_t places, int parts_per_side) {
  return (places + parts_per_side - 1) / parts_per_side;
}

}  // namespace

Strip centred_strip(std::int64_t first, std::int64_t size) {
  return {first + (size - 1) / 2, (size - 1) / 2, size / 2};
}

std::vector<HandedStrip> split(Strip& strip, int parts_per_side) {
  const std::int64_t parts = 2 * parts_per_side + 1;
  const std::int64_t width = (strip.size() + parts - 1) / parts;
  const Strip middle{strip.owner, std::min(strip.below, (width - 1) / 2),
                     std::min(strip.above, width / 2)};

  std::vector<HandedStrip> handed;
  const auto hand_over = [&handed](std::int64_t first, std::int64_t size, bool far) {
    if (size > 0) handed.push_back({centred_strip(first, size), far});
  };
  const std::int64_t above = strip.above - middle.above;
  const std::int64_t near_above = near_share(above, parts_per_side);
  const std::int64_t first_above = strip.owner + middle.above + 1;
  hand_over(first_above, near_above, false);
  hand_over(first_above + near_above, above - near_above, true);

  const std::int64_t below = strip.below - middle.below;
  const std::int64_t near_below = near_share(below, parts_per_side);
  const std::int64_t first_below = strip.owner - strip.below;
  hand_over(first_below + below - near_below, near_below, false);
  hand_over(first_below, below - near_below, true);

  strip = middle;
  return handed;
}

}  // namespace flitcast
