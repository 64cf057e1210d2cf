// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective/precondition.h"
#include "support/test_catch.h"

namespace flitcast {

/// The reason for which an algorithm refuses an instance; fails the test if it accepts.
template <class Algorithm>
PreconditionError refusal(const Algorithm& algorithm) {
  try {
    algorithm();
  } catch (const PreconditionError& error) {
    return error;
  }
  FAIL("the instance is not refused");
  throw;  // FAIL throws, so this line is never reached.
}

}  // namespace flitcast
