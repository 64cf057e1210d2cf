// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective/precondition.h"
#include "support/test_catch.h"

namespace flitcast {

/// Why an algorithm refuses an instance; fails the test if it does not.
template <class Algorithm>
PreconditionError refusal(const Algorithm& algorithm) {
  try {
    algorithm();
  } catch (const PreconditionError& error) {
    return error;
  }
  FAIL("the instance is not refused");
  throw;  // Never reached: FAIL throws.
}

}  // namespace flitcast
