// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/theorems.h"

#include <stdexcept>
#include <vector>

#include "clos/bounds/bounds.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

struct TheoremLine {
  std::uint64_t r;
  std::uint64_t x;
};

/// The rows for c = 2, 3 .. 15.
const std::vector<TheoremLine> kTheoremTable{
    {1, 1},    {2, 1},    {4, 2},     {9, 2},     {27, 3},     {81, 4},      {256, 4},
    {1024, 5}, {4096, 6}, {16384, 7}, {78125, 7}, {390625, 8}, {1953125, 9}, {10077696, 9}};

}  // namespace

TEST_CASE("all 14 rows of the table of coefficients are exact", "[clos]") {
  for (std::size_t i = 0; i < kTheoremTable.size(); ++i) {
    const Coefficient row = coefficient(i + 2);
    INFO("c " << row.c << ": r " << row.r.get_str() << ", x " << row.x);
    CHECK(row.c == i + 2);
    CHECK(row.r == kTheoremTable[i].r);
    CHECK(row.x == kTheoremTable[i].x);
  }
}

TEST_CASE("Theorem 3 has the coefficient at its r and not at the next", "[clos]") {
  constexpr std::uint64_t kPorts =
      1'000'000'001;  // 1 / n is below what one more switch adds to r^(1/x).
  for (std::uint64_t c = 2; c <= 15; ++c) {
    const Coefficient row = coefficient(c);
    const std::uint64_t r = row.r.get_ui();
    INFO("c " << c << ", r " << r);
    CHECK(theorem3(kPorts, r) == Bound{c * (kPorts - 1) + 1, row.x});
    CHECK(theorem3(kPorts, r + 1).m > c * (kPorts - 1) + 1);
  }
}

TEST_CASE("coefficients beyond 64 bits are exact, and those that reach nothing refused", "[clos]") {
  CHECK(coefficient(100).r > mpz_class("1000000000000000000000000000000000000000000"));
  CHECK_THROWS_AS(coefficient(1), std::invalid_argument);
  CHECK_THROWS_AS(coefficient(10001), std::invalid_argument);
}
