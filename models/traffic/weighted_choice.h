// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/random.h"

namespace flitcast {

/// Draws one of several things, each with a probability in proportion to its weight.
class WeightedChoice {
 public:
  WeightedChoice() = default;
  /// @param weights  Not negative, in any scale.
  explicit WeightedChoice(std::vector<double> weights) : bounds_(std::move(weights)) {
    for (std::size_t i = 1; i < bounds_.size(); ++i) bounds_[i] += bounds_[i - 1];
  }

  /// The sum of the weights.
  double sum() const { return bounds_.empty() ? 0 : bounds_.back(); }
  /// The probability of one of the things; the sum must be above 0.
  double share(std::size_t i) const {
    return (bounds_[i] - (i == 0 ? 0 : bounds_[i - 1])) / bounds_.back();
  }

  /// The index of one of the things; the sum must be above 0. A single one needs no random number.
  std::size_t draw(Random& random) const {
    if (bounds_.size() == 1) return 0;
    // The product can round up to the sum; it then selects the last one with a weight.
    const double mark = random.uniform() * bounds_.back();
    const auto chosen = std::upper_bound(bounds_.begin(), bounds_.end(), mark);
    const auto last = std::lower_bound(bounds_.begin(), bounds_.end(), bounds_.back());
    return static_cast<std::size_t>(std::min(chosen, last) - bounds_.begin());
  }

 private:
  std::vector<double> bounds_;  ///< Sums of the weights up to and including each.
};

}  // namespace flitcast
