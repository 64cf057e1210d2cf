// SPDX-License-Identifier: Apache-2.0
// Worst-case instances, and bounds on what any instance can cause.
#include <algorithm>
#include <tuple>
#include <utility>

#include "base/sequences.h"
#include "permutation/instance.h"

namespace flitcast {

namespace {

/// The sources of packets that reach column c along row r and continue downwards, in the order of
/// the construction; arrivals[t - 1] of them arrive in step t.
struct Crowd {
  std::vector<std::size_t> sources;
  std::vector<std::size_t> arrivals;
};

Crowd crowd_at(std::size_t columns, std::size_t rows, std::size_t r, std::size_t c) {
  const std::size_t most = rows > r + 1 ? rows - 1 - r : 0;
  Crowd crowd;
  const auto add = [&](std::size_t x, std::size_t y) {
    if (crowd.sources.size() < most) crowd.sources.push_back(y * columns + x);
  };
  for (std::size_t t = 1; crowd.sources.size() < most; ++t) {
    const std::size_t before = crowd.sources.size();
    if (t <= c) add(c - t, r);
    if (t <= columns - 1 - c) add(c + t, r);
    // A packet of row 0 arrives along the column itself.
    if (r == 1 && t - 1 <= c) {
      add(c - (t - 1), 0);
    } else if (r == 1 && t - 1 <= columns - 1 - c) {
      add(c + (t - 1), 0);
    }
    if (crowd.sources.size() == before) break;
    crowd.arrivals.push_back(crowd.sources.size() - before);
  }
  return crowd;
}

// The longest queue if all arrivals of a step join it and one packet leaves in the next step.
std::size_t longest_queue(const Crowd& crowd) {
  std::size_t queue = 0;
  std::size_t longest = 0;
  for (const std::size_t arrivals : crowd.arrivals) {
    queue += arrivals;
    longest = std::max(longest, queue);
    --queue;
  }
  return longest;
}

}  // namespace

Instance worst_buffer(std::size_t columns, std::size_t rows) {
  Instance worst;
  std::size_t longest = 0;
  for (std::size_t r = 0; r < std::min<std::size_t>(2, rows); ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const Crowd crowd = crowd_at(columns, rows, r, c);
      const std::size_t queue = longest_queue(crowd);
      if (queue <= longest) continue;
      longest = queue;
      worst.clear();
      for (const std::size_t source : crowd.sources) {
        worst.push_back(
            {to_id<NodeId>(source), to_id<NodeId>((r + 1 + worst.size()) * columns + c)});
      }
    }
  }
  sort_by(worst, &Transfer::from);
  return worst;
}

Instance worst_dimension_order(std::size_t side) {
  const std::size_t half = side / 2;
  // The coordinates x and y in the plane z = 0.
  std::vector<std::pair<std::size_t, std::size_t>> sources;
  for (std::size_t y = half; y-- > 0;) {
    for (std::size_t x = 0; x < side; ++x) sources.emplace_back(x, y);
  }
  const auto steps = [half](const std::pair<std::size_t, std::size_t>& source) {
    const auto [x, y] = source;
    return std::make_tuple((x > half ? x - half : half - x) + half - 1 - y, y);
  };
  sort_by(sources, steps);
  Instance instance;
  for (std::size_t y = side; y-- > half;) {
    for (std::size_t z = 0; z < side && instance.size() < sources.size(); ++z) {
      const auto [sx, sy] = sources[instance.size()];
      instance.push_back(
          {to_id<NodeId>(sy * side + sx), to_id<NodeId>((z * side + y) * side + half)});
    }
  }
  sort_by(instance, &Transfer::from);
  return instance;
}

std::size_t most_queued_under_xy(std::size_t columns, std::size_t rows) {
  std::size_t most = 1;
  for (std::size_t r = 0; r < std::min<std::size_t>(2, rows); ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t t = 1; t <= columns + rows; ++t) {
        const std::size_t arrived = std::min(t, c) + std::min(t, columns - 1 - c) + r * t;
        const std::size_t wanted = std::min(rows - 1 - r, arrived);
        if (arrived >= t && wanted + 1 > t) most = std::max(most, wanted + 1 - t);
      }
    }
  }
  return most;
}

}  // namespace flitcast
