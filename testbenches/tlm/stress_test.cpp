// SPDX-License-Identifier: Apache-2.0
#include "tlm/stress.h"

using namespace flitcast::testing;

TEST_CASE("under random load data are right, order is kept and no transaction waits for ever",
          "[tlm]") {
  const StressOutcome outcome = run_transactions(10'000, true);
  CHECK(outcome.wrong == 0);
  CHECK_FALSE(outcome.stood_still);
  CHECK(outcome.held == 0);
  CHECK(outcome.records <= std::size_t{8} * kNodes);
}
