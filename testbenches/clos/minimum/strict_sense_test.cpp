// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "clos/minimum/minimum_search.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

SearchOutcome strict_sense(std::uint32_t m, std::uint32_t n, std::uint32_t r) {
  MinimumParams params;
  params.strategy = kStrictStrategy;
  params.counting = false;
  return check_middles(Structure::symmetric(m, n, r), params).outcome;
}

}  // namespace

TEST_CASE("in the strict sense (n - 1) r + 1 middle switches are needed and suffice", "[clos]") {
  CHECK(strict_sense(2, 2, 2) == SearchOutcome::kBlocks);
  CHECK(strict_sense(3, 2, 2) == SearchOutcome::kNeverBlocks);
  CHECK(strict_sense(3, 2, 3) == SearchOutcome::kBlocks);
  CHECK(strict_sense(4, 2, 3) == SearchOutcome::kNeverBlocks);
  CHECK(strict_sense(4, 3, 2) == SearchOutcome::kBlocks);
  CHECK(strict_sense(5, 3, 2) == SearchOutcome::kNeverBlocks);
  CHECK(strict_sense(4, 2, 4) == SearchOutcome::kBlocks);
}
