// SPDX-License-Identifier: Apache-2.0
#include "clos/experiments/blocking_curve.h"

#include "clos/experiments/controls.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

TEST_CASE("the blocking curve of S1 on v(m, 4, 4) has its exact counts", "[clos]") {
  const auto curve =
      blocking_curve(Structure::symmetric(1, 4, 4), 4, 7, maker_of("S1"), {42, 4, 75}, 40'000);
  REQUIRE(curve.size() == 4);
  const std::uint64_t expected[4][2] = {{12789, 26402}, {2653, 21332}, {119, 20065}, {0, 20006}};
  for (std::uint32_t t = 0; t < 4; ++t) {
    CHECK(curve[t].m == 4 + t);
    CHECK(curve[t].counts.blocked == expected[t][0]);
    CHECK(curve[t].counts.requests == expected[t][1]);
  }
  CHECK(curve[0].blocking_probability() == 12789.0 / 26402.0);
}

TEST_CASE("a point does not depend on the points before it", "[clos]") {
  const Structure structure = Structure::symmetric(1, 3, 4);
  for (const char* strategy : {"S1", "RND"}) {
    const auto whole = blocking_curve(structure, 3, 5, maker_of(strategy), {9, 0, 75}, 2000);
    const auto alone = blocking_curve(structure, 5, 5, maker_of(strategy), {9, 0, 75}, 2000);
    CHECK(whole[2].counts.blocked == alone[0].counts.blocked);
    CHECK(whole[2].counts.requests == alone[0].counts.requests);
  }
}
