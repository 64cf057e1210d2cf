// SPDX-License-Identifier: Apache-2.0
#include "traffic/geometric.h"

#include <algorithm>
#include <stdexcept>

namespace flitcast {
namespace {

constexpr std::size_t kDigits = 62;
constexpr double kLeastProbability = 0x1p-53;  // Of which 1 - p still differs from 1.

}  // namespace

Geometric::Geometric(double probability) {
  if (!(probability > 0 && probability <= 1)) {
    throw std::invalid_argument("a geometric draw needs a probability above 0 and at most 1");
  }
  double power = 1 - std::max(probability, kLeastProbability);  // q^(2^k), at most 1.
  while (thresholds_.size() < kDigits) {
    // Half at most: the product with 2^64 fits.
    const auto threshold = static_cast<std::uint64_t>(power / (1 + power) * 0x1p64);
    if (threshold == 0) break;
    thresholds_.push_back(threshold);
    power *= power;
  }
}

}  // namespace flitcast
