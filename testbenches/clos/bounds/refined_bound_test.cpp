// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "clos/bounds/bounds.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

/// The definition, step by step: returns true if the count leaves an element to x of `sets` sets.
bool survives(std::uint64_t sets, std::uint64_t c, std::uint64_t r, std::uint64_t x) {
  std::uint64_t left = r;
  for (std::uint64_t i = 0; i < x; ++i) {
    if (sets <= i) return true;
    left = left * (c > i ? c - i : 0) / (sets - i);
  }
  return left >= 1;
}

std::uint64_t largest_by_trial(std::uint64_t c, std::uint64_t r, std::uint64_t x) {
  std::uint64_t largest = 0;
  for (std::uint64_t sets = 1; sets <= c * r + 2; ++sets) {
    if (survives(sets, c, r, x)) largest = sets;
  }
  return largest;
}

Bound by_every_limit(std::uint64_t n1, std::uint64_t n2, std::uint64_t r2) {
  Bound best{~std::uint64_t{0}, 0};
  for (std::uint64_t x = 1; x <= n2; ++x) {
    const std::uint64_t m = (n1 - 1) * x + largest_family(n2 - 1, r2, x) + 1;
    if (m < best.m) best = {m, x};
  }
  return best;
}

struct RefinedLine {
  std::uint64_t n;
  std::vector<Bound> bounds;  ///< Bounds for r = 2, 3, 4, 8, 16, 27, 64, 256, 1024.
};

const std::vector<std::uint64_t> kRefinedColumns{2, 3, 4, 8, 16, 27, 64, 256, 1024};

const std::vector<RefinedLine> kRefined{
    {2, {{4, 1}, {4, 2}, {4, 2}, {4, 2}, {4, 2}, {4, 2}, {4, 2}, {4, 2}, {4, 2}}},
    {3, {{7, 1}, {8, 2}, {8, 2}, {9, 2}, {9, 3}, {9, 3}, {9, 3}, {9, 3}, {9, 3}}},
    {4, {{10, 1}, {11, 2}, {12, 2}, {14, 2}, {15, 3}, {16, 3}, {16, 4}, {16, 4}, {16, 4}}},
    {5, {{13, 1}, {15, 2}, {16, 2}, {19, 2}, {21, 3}, {22, 3}, {24, 4}, {25, 5}, {25, 5}}},
    {8, {{22, 1}, {25, 2}, {28, 2}, {33, 2}, {37, 3}, {39, 3}, {44, 4}, {52, 4}, {56, 5}}},
    {16, {{46, 1}, {53, 2}, {60, 2}, {71, 2}, {79, 3}, {87, 3}, {99, 4}, {113, 4}, {127, 5}}},
};

}  // namespace

TEST_CASE("the refined bound and its smallest x are those of the table", "[clos]") {
  for (const RefinedLine& line : kRefined) {
    for (std::size_t column = 0; column < kRefinedColumns.size(); ++column) {
      const Bound bound = refined(line.n, kRefinedColumns[column]);
      INFO("n " << line.n << ", r " << kRefinedColumns[column] << ": " << bound.m << " "
                << bound.x);
      CHECK(bound == line.bounds[column]);
    }
  }
  CHECK(refined(32, 64) == Bound{206, 4});
  CHECK(refined(32, 32).m == 183);
}

TEST_CASE("the largest family is the largest size that the count does not exclude", "[clos]") {
  for (std::uint64_t c = 0; c <= 7; ++c) {
    for (std::uint64_t r = 1; r <= 40; ++r) {
      for (std::uint64_t x = 1; x <= c + 1; ++x) {
        INFO("c " << c << ", r " << r << ", x " << x);
        REQUIRE(largest_family(c, r, x) == largest_by_trial(c, r, x));
      }
    }
  }
}

TEST_CASE("for equal x the refined count is never above the root of Theorem 2", "[clos]") {
  for (std::uint64_t c = 1; c <= 20; ++c) {
    for (std::uint64_t r = 1; r <= 200; r += 1 + r / 7) {
      for (std::uint64_t x = 1; x <= std::min(c, r); ++x) {
        REQUIRE(largest_family(c, r, x) <= scaled_root(c, r, x));
      }
    }
  }
}

TEST_CASE("n squared middle switches suffice whatever r is", "[clos]") {
  for (std::uint64_t n = 1; n <= 12; ++n) {
    for (const std::uint64_t r : {1, 2, 5, 64, 4096}) REQUIRE(refined(n, r).m <= n * n);
    REQUIRE(refined(n, std::uint64_t{1} << 50) == Bound{n * n, n});
  }
}

TEST_CASE("leaving out limits that cannot win never changes the refined minimum", "[clos]") {
  for (std::uint64_t n1 = 1; n1 <= 8; ++n1) {
    for (std::uint64_t n2 = 1; n2 <= 12; ++n2) {
      for (std::uint64_t r2 = 1; r2 <= 70; r2 += 1 + r2 / 6) {
        INFO("n1 " << n1 << ", n2 " << n2 << ", r2 " << r2);
        REQUIRE(refined(n1, n2, r2) == by_every_limit(n1, n2, r2));
      }
    }
  }
}

TEST_CASE("strict sense needs (n - 1) r + 1, less with a fan-out limit", "[clos]") {
  CHECK(strict_sense(2, 2) == 3);
  CHECK(strict_sense(2, 16) == 17);
  CHECK(strict_sense(3, 3) == 7);
  CHECK(strict_sense(32, 64) == 1985);
  CHECK(strict_sense(1, 9) == 1);
  CHECK(strict_sense(4, 8, 1) == 7);  // Clos: 2n - 1.
  CHECK(strict_sense(4, 8, 3) == 13);
  CHECK(strict_sense(4, 8, 7) == 25);
  CHECK(strict_sense(4, 8, 8) == 25);
}

TEST_CASE("Theorem 3 exceeds strict sense up to r = 3 and is equal at r = 4", "[clos]") {
  for (std::uint64_t n = 2; n <= 60; ++n) {
    CHECK(theorem3(n, 2).m > strict_sense(n, 2));
    CHECK(theorem3(n, 3).m > strict_sense(n, 3));
    if (n >= 3) CHECK(theorem3(n, 4).m == strict_sense(n, 4));
    CHECK(theorem3(2, n).m > strict_sense(2, n));
  }
}

TEST_CASE("the tightest bound has no limit x only if strict sense is below", "[clos]") {
  CHECK(tightest(2, 2) == Bound{3, 0});
  CHECK(tightest(2, 3) == Bound{4, 2});
  CHECK(tightest(3, 3) == Bound{7, 0});
  CHECK(tightest(4, 4) == Bound{12, 2});
  CHECK(tightest(5, 1) == Bound{5, 0});
  CHECK(tightest(1, 1) == Bound{1, 1});
}

TEST_CASE("millions of switches take no time for the refined bound", "[clos]") {
  const std::uint64_t huge = std::uint64_t{1} << 40;
  CHECK(refined(huge, huge).m <= theorem3(huge, huge).m);
  CHECK(tightest(huge, 3) == Bound{3 * huge - 2, 0});
  CHECK(refined(1, 4096, 4096).m >= 4096);
}

TEST_CASE("refined bounds refuse sizes of 0 and results beyond 64 bits", "[clos]") {
  CHECK_THROWS_AS(refined(0, 4), std::invalid_argument);
  CHECK_THROWS_AS(refined(4, 0), std::invalid_argument);
  CHECK_THROWS_AS(refined(4, 0, 4), std::invalid_argument);
  CHECK_THROWS_AS(strict_sense(0, 4), std::invalid_argument);
  CHECK_THROWS_AS(strict_sense(4, 4, 0), std::invalid_argument);
  CHECK_THROWS_AS(tightest(4, 0), std::invalid_argument);
  CHECK_THROWS_AS(largest_family(3, 3, 0), std::invalid_argument);
  CHECK_THROWS_AS(strict_sense(std::uint64_t{1} << 40, std::uint64_t{1} << 40),
                  std::overflow_error);
}
