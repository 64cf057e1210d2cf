// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/closed_forms.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "clos/bounds/exact_arithmetic.h"

namespace flitcast::clos {
namespace {

// Doubles are exact up to here.
constexpr double kMostMiddles = 9007199254740992.0;

void require_in_domain(const char* name, std::uint64_t value) {
  if (value >= 3) return;
  throw std::invalid_argument(std::string("the closed form needs ") + name +
                              " >= 3, where ln ln is positive; use the integer bound for " +
                              std::to_string(value));
}

double others(std::uint64_t n) {
  require_positive("n", n);
  return static_cast<double>(n - 1);
}

std::uint64_t to_count(double m) {
  const bool fits = m < kMostMiddles;
  return require_fitting(fits ? static_cast<std::uint64_t>(m) : kTooLarge,
                         "the number of middle switches");
}

}  // namespace

std::uint64_t theorem4(std::uint64_t n, std::uint64_t r) {
  require_in_domain("r", r);
  const double log = std::log(static_cast<double>(r));
  return std::max(to_count(std::ceil(3 * others(n) * log / std::log(log))), std::uint64_t{1});
}

std::uint64_t corollary1_closed(std::uint64_t n, std::uint64_t d) {
  require_in_domain("d", d);
  const double log = std::log(static_cast<double>(d));
  return to_count(std::floor(others(n) * (2 * log / std::log(log) + std::sqrt(log)))) + 1;
}

}  // namespace flitcast::clos
