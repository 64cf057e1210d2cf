// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "clos/bounds/bounds.h"
#include "clos/bounds/theorems.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

using Loads = std::vector<std::uint64_t>;

/// The number of links that a request of this weight cannot use.
std::uint64_t too_full(const Loads& links, const Weights& weights) {
  return static_cast<std::uint64_t>(std::count_if(links.begin(), links.end(), [&](auto load) {
    return load + weights.weight > weights.capacity;
  }));
}

/// Lemma 2 as printed: Case 2 and Case 3, for b <= 1 - w.
std::uint64_t printed_lemma2(std::uint64_t n1, std::uint64_t x, const Weights& w) {
  const std::uint64_t space = w.capacity - w.weight;
  const std::uint64_t whole = w.capacity / space;
  const bool case2 = w.capacity - whole * space < w.least;
  if (!case2) return (n1 - 1) * w.capacity / space * x + x;
  return whole * (n1 - 1) * x + (n1 > 1 ? x - x / (space / w.least) : 0);
}

/// Links of input switch 0 in the state that contradicts Case 2: each of 12 ports, x = 1, has
/// connections of 0.154 (twice) and 0.2305 (three times); three of the former fill a link, or two
/// of the latter.
Loads case2_links() {
  Loads links;
  for (int i = 0; i < 24 / 3; ++i) links.push_back(3 * 1540);
  for (int i = 0; i < 36 / 2; ++i) links.push_back(2 * 2305);
  return links;
}

/// The same for Case 3: 95 connections of the other port and 50 of the requesting port, each of
/// 20/1900, each on 10 different links, assigned in turn.
Loads case3_links() {
  Loads links(28, 0);
  std::size_t next = 0;
  for (int connection = 0; connection < 95 + 50; ++connection) {
    for (int copy = 0; copy < 10; ++copy) links[next++ % links.size()] += 20;
  }
  return links;
}

constexpr Weights kCase2{10000, 1500, 5400};  // b = 0.15, w = 0.54.
constexpr Weights kCase3{1900, 19, 900};      // b = 0.01, w = 9/19.

}  // namespace

TEST_CASE("multirate m, x and unicast m are those of the table", "[clos]") {
  CHECK(multirate(4, 8, {1, 2}) == Bound{29, 2});
  CHECK(multirate(4, 8, {1, 3}) == Bound{44, 2});
  CHECK(multirate(4, 8, {3, 10}) == Bound{44, 2});
  CHECK(multirate(8, 16, {1, 4}) == Bound{155, 3});
  CHECK(multirate(2, 4, {1, 2}) == Bound{9, 2});
  CHECK(multirate(3, 4, 8, {1, 2}) == Bound{25, 2});
  CHECK(multirate(4, 3, 8, {1, 4}) == Bound{47, 2});
  CHECK(multirate_unicast(4, {1, 2}) == 13);
  CHECK(multirate_unicast(4, {1, 3}) == 19);
  CHECK(multirate_unicast(4, {3, 10}) == 19);
  CHECK(multirate_unicast(8, {1, 4}) == 57);
  CHECK(multirate_unicast(2, {1, 2}) == 5);
}

TEST_CASE("rates above one half are circuits: Theorem 3 and 2n - 1", "[clos]") {
  for (std::uint64_t n = 1; n <= 20; ++n) {
    for (std::uint64_t r = 1; r <= 40; ++r) {
      REQUIRE(multirate(n, r, {1, 1}) == theorem3(n, r));
      REQUIRE(multirate(n, 7, r, {2, 3}) == asymmetric(n, 7, r));
    }
    CHECK(multirate_unicast(n, {51, 100}) == 2 * n - 1);
  }
}

TEST_CASE("K connections of the least rate fit on a link, and no more", "[clos]") {
  for (std::uint64_t whole = 1; whole <= 50; ++whole) {
    for (std::uint64_t part = 1; part <= whole; ++part) {
      const std::uint64_t k = connections_per_link({part, whole});
      CHECK(k * part <= whole);
      CHECK((k + 1) * part > whole);
    }
  }
}

TEST_CASE("rates are read exactly from fractions and decimals", "[clos]") {
  const auto same = [](const Rate& rate, std::uint64_t part, std::uint64_t whole) {
    return rate.numerator * whole == rate.denominator * part;
  };
  CHECK(same(parse_rate("3/10"), 3, 10));
  CHECK(same(parse_rate("0.3"), 3, 10));
  CHECK(same(parse_rate(".25"), 1, 4));
  CHECK(same(parse_rate("1"), 1, 1));
  // The result is not 9 (nor 10 by chance), as with doubles.
  CHECK(connections_per_link(parse_rate("0.1")) == 10);
  for (const char* text : {"", "0", "0/3", "4/3", "1/0", "-1/2", "1/2/3", "0.3/1", "x", "2", "1.5",
                           ".", "1/", "/2", "1e-1", "0.1111111111111111111"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_rate(text), std::invalid_argument);
  }
}

TEST_CASE("Case 2 of Lemma 2 as printed is too small: 26 links, not 25", "[clos]") {
  const std::uint64_t port_load = 2 * 1540 + 3 * 2305;
  REQUIRE(port_load <= kCase2.capacity);
  REQUIRE(1540 >= kCase2.least);
  CHECK(printed_lemma2(13, 1, kCase2) == 25);
  CHECK(too_full(case2_links(), kCase2) == 26);
  CHECK(unavailable_links(13, 1, kCase2) >= 26);
}

TEST_CASE("Case 3 of Lemma 2 as printed is too small: 28 links, not 20", "[clos]") {
  REQUIRE(95 * 20 <= 1900);        // The other port is full.
  REQUIRE(50 * 20 + 900 <= 1900);  // The requesting port has space for the request.
  CHECK(printed_lemma2(2, 10, kCase3) == 20);
  CHECK(too_full(case3_links(), kCase3) == 28);
  CHECK(unavailable_links(2, 10, kCase3) == 28);
}

TEST_CASE("unavailable links are bounded by Lemma 3, and by load where w leaves room", "[clos]") {
  CHECK(unavailable_links(4, 2, {4, 2, 4}) == 12);  // 2 x 3 x 2: w = 1 leaves no space.
  CHECK(unavailable_links(4, 2, {4, 1, 1}) == 9);   // ceil(2 (16 - 1) / 3) - 1, not 4 x 3 x 2.
  CHECK(unavailable_links(1, 5, {4, 2, 3}) == 0);
  for (std::uint64_t weight = 2; weight <= 12; ++weight) {
    CHECK(unavailable_links(3, 2, {12, 2, weight}) <= 6 * 2 * 2);
  }
}

TEST_CASE("multirate bounds refuse what describes no network", "[clos]") {
  CHECK_THROWS_AS(multirate(0, 4, {1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(multirate(4, 0, {1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(multirate(4, 4, {0, 2}), std::invalid_argument);
  CHECK_THROWS_AS(multirate(4, 4, {3, 2}), std::invalid_argument);
  CHECK_THROWS_AS(multirate_unicast(0, {1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(unavailable_links(4, 2, {4, 0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(unavailable_links(4, 2, {4, 2, 1}), std::invalid_argument);
  CHECK_THROWS_AS(unavailable_links(4, 2, {4, 1, 5}), std::invalid_argument);
  CHECK_THROWS_AS(unavailable_links(4, 0, {4, 1, 2}), std::invalid_argument);
  const std::uint64_t most = ~std::uint64_t{0};
  CHECK_THROWS_AS(multirate(most, 4, {1, 2}), std::overflow_error);
  CHECK_THROWS_AS(multirate_unicast(most, {1, 2}), std::overflow_error);
}
