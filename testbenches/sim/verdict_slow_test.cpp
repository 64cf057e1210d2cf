// SPDX-License-Identifier: Apache-2.0
// Verdicts at known capacities in long windows, where random variation is smaller.
#include "known_capacity.h"

using namespace flitcast::program;

TEST_CASE("just below capacity a run is ok, just above it is saturated, in 100000 cycles",
          "[program]") {
  for (const Pair& pair : kPairs) {
    INFO(pair.name);
    CHECK(status_at(pair, 0.97, 100000) == "ok");
    CHECK(status_at(pair, 1.03, 100000) == "saturated");
  }
}

TEST_CASE("just below capacity a run is ok, just above it is saturated, in 400000 cycles",
          "[program]") {
  for (const Pair& pair : kPairs) {
    INFO(pair.name);
    CHECK(status_at(pair, 0.97, 400000) == "ok");
    CHECK(status_at(pair, 1.03, 400000) == "saturated");
  }
}
