// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/rising.h"
#include "clos/minimum/state_search.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

std::uint32_t minimum(std::uint32_t n, std::uint32_t r, AssignmentKind kind) {
  const auto verdicts = check_rising_rearrangeable(Structure::symmetric(1, n, r), kind);
  REQUIRE(verdicts.back().outcome == SearchOutcome::kNeverBlocks);
  CHECK_FALSE(verdicts.back().blocked);
  return verdicts.back().m;
}

}  // namespace

TEST_CASE("all multicast assignments have routings from the published m on", "[clos]") {
  CHECK(minimum(2, 2, AssignmentKind::kMulticast) == 2);
  CHECK(minimum(2, 3, AssignmentKind::kMulticast) == 3);
  CHECK(minimum(3, 2, AssignmentKind::kMulticast) == 3);
  CHECK(minimum(1, 4, AssignmentKind::kMulticast) == 1);
}

TEST_CASE("all permutations have routings if and only if m >= n", "[clos]") {
  for (std::uint32_t n = 1; n <= 3; ++n) {
    for (std::uint32_t r = 1; r <= 3; ++r) CHECK(minimum(n, r, AssignmentKind::kPermutations) == n);
  }
}

TEST_CASE("a multicast assignment without a routing is shown", "[clos]") {
  const auto verdict =
      check_rearrangeable(Structure::symmetric(2, 2, 3), AssignmentKind::kMulticast);
  CHECK(verdict.outcome == SearchOutcome::kBlocks);
  REQUIRE(verdict.blocked);
  CHECK_FALSE(has_routing(*verdict.blocked, Structure::symmetric(2, 2, 3)));
  CHECK(has_routing(*verdict.blocked, Structure::symmetric(3, 2, 3)));
}

TEST_CASE("two middle switches do not carry {0}, {1,2} and {1}, {2}", "[clos]") {
  const Assignment wanted{0, 0, 1, 6, 2, 4};
  CHECK_FALSE(has_routing(wanted, Structure::symmetric(2, 2, 3)));
  CHECK(has_routing(wanted, Structure::symmetric(3, 2, 3)));
  CHECK(has_routing({0, 0, 1, 6, 2, 0}, Structure::symmetric(2, 2, 3)));
}

TEST_CASE("a limit on assignments leaves no verdict", "[clos]") {
  const Structure structure = Structure::symmetric(3, 2, 3);
  SearchLimits limits;
  SECTION("of assignments") { limits.most_states = 10; }
  SECTION("of bytes") { limits.most_bytes = 100; }
  SECTION("of time") {
    limits.stop = [] { return true; };
  }
  CHECK(check_rearrangeable(structure, AssignmentKind::kMulticast, limits).outcome ==
        SearchOutcome::kNoVerdict);
}
