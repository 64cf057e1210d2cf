// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"

namespace flitcast {

/// How many coins fail before the first that succeeds? P(n) = p (1 - p)^n: the idle cycles of a
/// node are skipped in one draw instead of being tossed one by one.
///
/// With q = 1 - p, the binary digits of n are independent, and digit k is 1 with probability
/// q^(2^k) / (1 + q^(2^k)), because q^n is the product of q^(2^k) over the digits that are 1. The
/// draw needs no logarithm, so every machine draws the same numbers. It costs about log2(44 / p)
/// numbers of the stream: digits less likely than 2^-64 are left out.
class Geometric {
 public:
  /// @param probability  p, above 0 and at most 1, else std::invalid_argument. Below 2^-53 it acts
  ///                     as 2^-53.
  explicit Geometric(double probability);

  /// At most 2^62 - 1, so that a simulated cycle plus a draw does not overflow.
  std::uint64_t draw(Random& random) const {
    std::uint64_t failures = 0;
    for (std::size_t digit = 0; digit < thresholds_.size(); ++digit) {
      failures |= std::uint64_t{random.next() < thresholds_[digit]} << digit;
    }
    return failures;
  }

 private:
  std::vector<std::uint64_t> thresholds_;  ///< Probability of digit k being 1, times 2^64.
};

}  // namespace flitcast
