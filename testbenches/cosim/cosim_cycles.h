// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include "support/test_catch.h"

namespace flitcast {

/// Returns `by_default`, or the number in the environment variable `name` if that is set. Anything
/// but a positive number fails the test.
inline std::uint64_t positive_of(const char* name, std::uint64_t by_default) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return by_default;
  const std::string digits(text);
  const bool number = !digits.empty() && digits.size() < 19 &&
                      digits.find_first_not_of("0123456789") == std::string::npos;
  const std::uint64_t value = number ? std::stoull(digits) : 0;
  if (value == 0) {
    FAIL(name << ": \"" << digits << "\" is no number from 1 up; take one, or unset it");
  }
  return value;
}

/// Cycles of a lock-step test: `by_default`, or FLITCAST_COSIM_CYCLES if the environment sets it;
/// 10000000 is meant for a thorough manual run of a test program, outside of ctest's time limit.
inline std::uint64_t cosim_cycles(std::uint64_t by_default = 100'000) {
  return positive_of("FLITCAST_COSIM_CYCLES", by_default);
}

}  // namespace flitcast
