// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace flitcast {

/// Jain's fairness index: 1 if all shares are equal, 1/n if one of n has everything; absent if all
/// are 0.
/// Source: Jain, Chiu, Hawe, "A Quantitative Measure of Fairness and Discrimination", 1984.
inline std::optional<double> fairness_of(const std::vector<std::uint64_t>& shares) {
  double sum = 0;
  double squares = 0;
  for (const std::uint64_t share : shares) {
    sum += static_cast<double>(share);
    squares += static_cast<double>(share) * static_cast<double>(share);
  }
  if (squares == 0) return std::nullopt;
  return sum * sum / (static_cast<double>(shares.size()) * squares);
}

}  // namespace flitcast
