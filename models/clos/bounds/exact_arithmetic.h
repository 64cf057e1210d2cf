// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace flitcast::clos {

// A bound is the minimum over candidates of which some are astronomically large. Such a candidate
// counts as kTooLarge, which no other exceeds; only if it is the minimum is there no answer.

/// Stands for every number that does not fit in 64 bits, and for itself.
inline constexpr std::uint64_t kTooLarge = std::numeric_limits<std::uint64_t>::max();

/// a + b, or kTooLarge.
constexpr std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > kTooLarge - b ? kTooLarge : a + b;
}

/// a b, or kTooLarge.
constexpr std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > kTooLarge / a ? kTooLarge : a * b;
}

/// `value` itself; std::overflow_error "`what` does not fit in 64 bits; ..." for kTooLarge.
std::uint64_t require_fitting(std::uint64_t value, const std::string& what);

/// Throws std::invalid_argument "`name` is 0; take at least 1" for a size of 0.
void require_positive(const char* name, std::uint64_t value);

/// Divisors other than 1 and the number itself, rising. Time: O(sqrt(number)).
std::vector<std::uint64_t> proper_divisors(std::uint64_t number);

}  // namespace flitcast::clos
