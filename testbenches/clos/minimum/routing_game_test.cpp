// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/state_search.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

SearchOutcome outcome(std::uint32_t m, std::uint32_t n, std::uint32_t r) {
  return solve_routing_game(Structure::symmetric(m, n, r), {}).outcome;
}

}  // namespace

TEST_CASE("the game is won with the published number of middle switches, lost with one fewer",
          "[clos]") {
  CHECK(outcome(2, 2, 2) == SearchOutcome::kBlocks);
  CHECK(outcome(3, 2, 2) == SearchOutcome::kNeverBlocks);
  CHECK(outcome(3, 2, 3) == SearchOutcome::kBlocks);
  CHECK(outcome(4, 3, 2) == SearchOutcome::kBlocks);
}

TEST_CASE("networks without a choice are verified as they are", "[clos]") {
  CHECK(outcome(1, 1, 1) == SearchOutcome::kNeverBlocks);
  CHECK(outcome(1, 1, 3) == SearchOutcome::kNeverBlocks);
  CHECK(outcome(1, 2, 1) == SearchOutcome::kBlocks);
  CHECK(outcome(2, 2, 1) == SearchOutcome::kNeverBlocks);
}
