// SPDX-License-Identifier: Apache-2.0
#include "permutation/mesh_queues.h"

#include <algorithm>

namespace flitcast {
namespace {

// In row r of column c.
std::size_t most_queued(std::size_t columns, std::size_t rows, std::size_t r, std::size_t c) {
  std::size_t most = 1;
  for (std::size_t t = 1; t <= columns + rows; ++t) {
    const std::size_t arrived = std::min(t, c) + std::min(t, columns - 1 - c) + r * t;
    const std::size_t wanted = std::min(rows - 1 - r, arrived);
    if (arrived >= t && wanted + 1 > t) most = std::max(most, wanted + 1 - t);
  }
  return most;
}

}  // namespace

std::size_t most_queued_under_xy(std::size_t columns, std::size_t rows) {
  std::size_t most = 1;
  for (std::size_t r = 0; r < std::min<std::size_t>(2, rows); ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      most = std::max(most, most_queued(columns, rows, r, c));
    }
  }
  return most;
}

}  // namespace flitcast
