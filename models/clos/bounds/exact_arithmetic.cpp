// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/exact_arithmetic.h"

#include <algorithm>
#include <stdexcept>

namespace flitcast::clos {

std::uint64_t require_fitting(std::uint64_t value, const std::string& what) {
  if (value != kTooLarge) return value;
  throw std::overflow_error(what + " does not fit in 64 bits; take a smaller network");
}

void require_positive(const char* name, std::uint64_t value) {
  if (value == 0) throw std::invalid_argument(std::string(name) + " is 0; take at least 1");
}

std::vector<std::uint64_t> proper_divisors(std::uint64_t number) {
  std::vector<std::uint64_t> divisors;
  for (std::uint64_t d = 2; d * d <= number; ++d) {
    if (number % d != 0) continue;
    divisors.push_back(d);
    if (d * d != number) divisors.push_back(number / d);
  }
  std::sort(divisors.begin(), divisors.end());
  return divisors;
}

}  // namespace flitcast::clos
