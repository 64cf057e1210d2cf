// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/minimum_search.h"
#include "clos/minimum/rising.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

std::uint32_t minimum(std::uint32_t n, std::uint32_t r, const std::string& strategy) {
  MinimumParams params;
  params.strategy = strategy;
  params.shortening_states = 0;
  const auto verdicts = check_rising_middles(Structure::symmetric(1, n, r), n, params);
  REQUIRE(verdicts.back().outcome == SearchOutcome::kNeverBlocks);
  return verdicts.back().m;
}

}  // namespace

TEST_CASE("all published strategies need the published numbers of middle switches", "[clos]") {
  const std::string strategy = GENERATE("S1", "S2", "S3", "FF", "any");
  CHECK(minimum(2, 2, strategy) == 3);
  CHECK(minimum(2, 3, strategy) == 4);
  CHECK(minimum(2, 4, strategy) == 4);
  CHECK(minimum(3, 2, strategy) == 5);
}

TEST_CASE("switches of four ports need 7 middle switches under every strategy", "[clos]") {
  const std::string strategy =
      GENERATE("S1", "S2", "S3", "S3m", "S3r", "FF", "MU", "SPREAD", "any");
  CHECK(minimum(4, 2, strategy) == 7);
}

// S1 and S2 need fewer, but the proof takes minutes: 32226768 states with m = 6.
TEST_CASE("six middle switches do not suffice for n = r = 3 with strategies that pack", "[clos]") {
  const std::string strategy = GENERATE("S3", "S3m", "S3r", "FF", "MU");
  CHECK(minimum(3, 3, strategy) == 7);
}

TEST_CASE("some strategy needs 6 middle switches for n = r = 3, none suffices with 5", "[clos]") {
  CHECK(minimum(3, 3, "any") == 6);
}

// With leaves alone S1 also needs 7, which takes minutes to show; with open ties alone it does not.
TEST_CASE("with members that leave and open ties S1 needs 7 middle switches for n = r = 3",
          "[clos]") {
  MinimumParams params;
  params.ties = Ties::kByAdversary;
  params.shortening_states = 0;
  const Structure six = Structure::symmetric(6, 3, 3);
  CHECK(check_middles(six, params).outcome == SearchOutcome::kNeverBlocks);
  params.leave = true;
  CHECK(check_middles(six, params).outcome == SearchOutcome::kBlocks);
  CHECK(check_middles(Structure::symmetric(7, 3, 3), params).outcome ==
        SearchOutcome::kNeverBlocks);
}

TEST_CASE("in the strict sense n = 2, r = 4 needs 5 middle switches", "[clos]") {
  MinimumParams params;
  params.strategy = kStrictStrategy;
  params.counting = false;
  CHECK(check_middles(Structure::symmetric(5, 2, 4), params).outcome ==
        SearchOutcome::kNeverBlocks);
}
