// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/exact_arithmetic.h"

#include <stdexcept>

namespace flitcast::clos {

std::uint64_t require_fitting(std::uint64_t value, const std::string& what) {
  if (value != kTooLarge) return value;
  throw std::overflow_error(what + " does not fit in 64 bits; take a smaller network");
}

void require_positive(const char* name, std::uint64_t value) {
  if (value == 0) throw std::invalid_argument(std::string(name) + " is 0; take at least 1");
}

}  // namespace flitcast::clos
