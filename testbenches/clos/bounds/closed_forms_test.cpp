// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "clos/bounds/bounds.h"
#include "clos/bounds/theorems.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

TEST_CASE("Theorem 4 uses natural logarithms", "[clos]") {
  CHECK(theorem4(4, 4) == 39);
  CHECK(theorem4(4, 16) == 25);
  CHECK(theorem4(8, 16) == 58);
  CHECK(theorem4(8, 64) == 62);
  CHECK(theorem4(16, 256) == 146);
  CHECK(theorem4(32, 1024) == 333);
}

TEST_CASE("the closed forms are upper bounds of the integer formula", "[clos]") {
  for (std::uint64_t n = 1; n <= 70; ++n) {
    for (std::uint64_t r = 3; r <= 3000; r += 1 + r / 40) {
      INFO("n " << n << ", r " << r);
      // The derivation uses the best x for r alone, which n - 1 must reach.
      if (n - 1 < theorem3(4000, r).x) continue;
      REQUIRE(theorem4(n, r) >= theorem3(n, r).m);
      REQUIRE(corollary1_closed(n, r) >= corollary1(n, r).m);
    }
  }
}

TEST_CASE("with logarithms to base 2 Theorem 4 would be below the integer formula", "[clos]") {
  const double log = std::log2(295.0);
  CHECK(std::ceil(3 * 9 * log / std::log2(log)) == 73);
  CHECK(theorem3(10, 295).m == 74);
  CHECK(theorem4(10, 295) >= 74);
}

TEST_CASE("the closed forms refuse sizes where ln ln is not positive", "[clos]") {
  CHECK(theorem4(1, 3) == 1);
  CHECK(corollary1_closed(1, 3) == 1);
  CHECK_THROWS_AS(theorem4(4, 2), std::invalid_argument);
  CHECK_THROWS_AS(theorem4(0, 8), std::invalid_argument);
  CHECK_THROWS_AS(corollary1_closed(4, 1), std::invalid_argument);
  CHECK_THROWS_AS(theorem4(~std::uint64_t{0}, 1024), std::overflow_error);
}
