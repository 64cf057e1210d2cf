// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/bounds.h"

#include <gmpxx.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

/// The definition without a root: true if v^x <= c^x r.
bool at_most_root(std::uint64_t v, std::uint64_t c, std::uint64_t r, std::uint64_t x) {
  mpz_class left;
  mpz_class right;
  mpz_ui_pow_ui(left.get_mpz_t(), v, x);
  mpz_ui_pow_ui(right.get_mpz_t(), c, x);
  return left <= right * mpz_class(r);
}

/// The formula in its simplest form, for every x without a short cut.
Bound by_every_limit(std::uint64_t n1, std::uint64_t n2, std::uint64_t r2) {
  const std::uint64_t most = std::max<std::uint64_t>(std::min(n2 - 1, r2), 1);
  Bound best{~std::uint64_t{0}, 0};
  for (std::uint64_t x = 1; x <= most; ++x) {
    const std::uint64_t m = (n1 - 1) * x + scaled_root(n2 - 1, r2, x) + 1;
    if (m < best.m) best = {m, x};
  }
  return best;
}

struct Line {
  std::uint64_t n;
  std::vector<Bound> bounds;  ///< Bounds for r = 2, 3, 4, 8, 16, 27, 64, 256, 1024.
};

const std::vector<std::uint64_t> kColumns{2, 3, 4, 8, 16, 27, 64, 256, 1024};

const std::vector<Line> kTheorem3{
    {2, {{4, 1}, {5, 1}, {6, 1}, {10, 1}, {18, 1}, {29, 1}, {66, 1}, {258, 1}, {1026, 1}}},
    {3, {{7, 1}, {8, 2}, {9, 2}, {10, 2}, {13, 2}, {15, 2}, {21, 2}, {37, 2}, {69, 2}}},
    {4, {{10, 1}, {12, 2}, {13, 2}, {15, 2}, {17, 3}, {19, 3}, {22, 3}, {29, 3}, {40, 3}}},
    {5, {{13, 1}, {15, 2}, {17, 2}, {20, 2}, {23, 3}, {25, 3}, {28, 4}, {33, 4}, {39, 4}}},
    {8, {{22, 1}, {27, 2}, {29, 2}, {34, 2}, {39, 3}, {43, 3}, {48, 4}, {57, 4}, {64, 5}}},
    {10, {{28, 1}, {34, 2}, {37, 2}, {44, 2}, {50, 3}, {55, 3}, {62, 4}, {73, 4}, {82, 5}}},
    {16, {{46, 1}, {56, 2}, {61, 2}, {73, 2}, {83, 3}, {91, 3}, {103, 4}, {121, 4}, {136, 5}}},
    {32, {{94, 1}, {116, 2}, {125, 2}, {150, 2}, {172, 3}, {187, 3}, {212, 4}, {249, 4}, {280, 5}}},
};

}  // namespace

TEST_CASE("a root is the largest v with v^x <= c^x r", "[clos]") {
  for (std::uint64_t c = 0; c <= 12; ++c) {
    for (std::uint64_t r = 1; r <= 130; ++r) {
      for (std::uint64_t x = 1; x <= 7; ++x) {
        const std::uint64_t root = scaled_root(c, r, x);
        INFO("c " << c << ", r " << r << ", x " << x << ", root " << root);
        REQUIRE(at_most_root(root, c, r, x));
        REQUIRE_FALSE(at_most_root(root + 1, c, r, x));
      }
    }
  }
}

TEST_CASE("perfect powers have their root, where floating point falls one short", "[clos]") {
  CHECK(scaled_root(3, 125, 3) == 15);
  CHECK(scaled_root(3, 729, 3) == 27);
  CHECK(scaled_root(3, 1000, 3) == 30);
  CHECK(scaled_root(1, 4052555153018976267, 39) == 3);  // 3^39.
  CHECK(scaled_root(1, 4052555153018976266, 39) == 2);
  CHECK(scaled_root(7, 2, kMostPassLimit) == 7);
}

TEST_CASE("m of Theorem 3 and its smallest x are those of the table", "[clos]") {
  for (const Line& line : kTheorem3) {
    for (std::size_t column = 0; column < kColumns.size(); ++column) {
      const Bound bound = theorem3(line.n, kColumns[column]);
      INFO("n " << line.n << ", r " << kColumns[column] << ": " << bound.m << " " << bound.x);
      CHECK(bound == line.bounds[column]);
    }
  }
  CHECK(theorem3(128, 256) == Bound{1017, 4});
  CHECK(theorem3(256, 4096) == Bound{2551, 6});
  CHECK(theorem3(512, 2048) == Bound{4887, 6});
}

TEST_CASE("m is right where a rounded cube root misleads", "[clos]") {
  CHECK(theorem3(4, 125) == Bound{25, 3});
  CHECK(3 * 3 + scaled_root(3, 729, 3) + 1 == 37);
  CHECK(3 * 3 + scaled_root(3, 1000, 3) + 1 == 40);
  CHECK(theorem3(4, 729).m == 37);
  CHECK(theorem3(4, 1000).m == 40);
}

TEST_CASE("one port per switch needs one middle switch, one output switch 2n - 1", "[clos]") {
  for (std::uint64_t size = 1; size <= 40; ++size) {
    CHECK(theorem3(1, size) == Bound{1, 1});
    CHECK(theorem3(size, 1) == Bound{2 * size - 1, 1});
    CHECK(asymmetric(size, 1, 9) == Bound{size, 1});
  }
}

TEST_CASE("a fan-out limit takes the place of r, and 1 gives Clos's 2n - 1", "[clos]") {
  CHECK(corollary1(4, 1) == Bound{7, 1});
  CHECK(corollary1(4, 2) == Bound{10, 1});
  CHECK(corollary1(4, 3) == Bound{12, 2});
  CHECK(corollary1(8, 4) == Bound{29, 2});
  CHECK(corollary1(8, 9) == Bound{36, 2});
  CHECK(corollary1(16, 4) == Bound{61, 2});
  CHECK(corollary1(16, 27) == Bound{91, 3});
  for (std::uint64_t n = 1; n <= 100; ++n) CHECK(corollary1(n, 1).m == 2 * n - 1);
}

TEST_CASE("inputs and outputs may differ", "[clos]") {
  CHECK(asymmetric(4, 4, 8) == Bound{15, 2});
  CHECK(asymmetric(4, 8, 8) == Bound{24, 3});
  CHECK(asymmetric(8, 4, 8) == Bound{23, 2});
  CHECK(asymmetric(2, 8, 16) == Bound{18, 5});
  CHECK(asymmetric(16, 2, 16) == Bound{32, 1});
}

TEST_CASE("leaving out limits that cannot win never changes the minimum or its x", "[clos]") {
  for (std::uint64_t n1 = 1; n1 <= 9; ++n1) {
    for (std::uint64_t n2 = 1; n2 <= 20; ++n2) {
      for (std::uint64_t r2 = 1; r2 <= 70; r2 += 1 + r2 / 8) {
        INFO("n1 " << n1 << ", n2 " << n2 << ", r2 " << r2);
        REQUIRE(asymmetric(n1, n2, r2) == by_every_limit(n1, n2, r2));
      }
    }
  }
  CHECK(asymmetric(1, 100, 300) == by_every_limit(1, 100, 300));
  CHECK(asymmetric(2, 400, 1000) == by_every_limit(2, 400, 1000));
}

TEST_CASE("millions of ports and switches take no time", "[clos]") {
  CHECK(theorem3(1 << 20, 1 << 20).m < std::uint64_t{20} << 20);
  const std::uint64_t huge = std::uint64_t{1} << 48;
  CHECK(theorem3(huge, huge) == Bound{24 * (huge - 1) + 1, 16});  // 2^48 is 8^16.
  CHECK(asymmetric(2, 4096, 4096).x > 100);
}

TEST_CASE("sizes of 0 and results beyond 64 bits are refused with a reason", "[clos]") {
  CHECK_THROWS_AS(theorem3(0, 4), std::invalid_argument);
  CHECK_THROWS_AS(theorem3(4, 0), std::invalid_argument);
  CHECK_THROWS_AS(corollary1(4, 0), std::invalid_argument);
  CHECK_THROWS_AS(asymmetric(0, 4, 4), std::invalid_argument);
  CHECK_THROWS_AS(asymmetric(4, 0, 4), std::invalid_argument);
  CHECK_THROWS_WITH(asymmetric(4, 4, 0), "r2 is 0; take at least 1");
  CHECK_THROWS_AS(scaled_root(4, 4, 0), std::invalid_argument);
  CHECK_THROWS_AS(scaled_root(4, 4, kMostPassLimit + 1), std::invalid_argument);
  const std::uint64_t most = ~std::uint64_t{0};
  CHECK_THROWS_AS(scaled_root(most, 4, 2), std::overflow_error);
  CHECK_THROWS_AS(theorem3(most, most), std::overflow_error);
  CHECK_THROWS_AS(asymmetric(1, most, most), std::overflow_error);
}
