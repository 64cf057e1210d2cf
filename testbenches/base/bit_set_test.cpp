// SPDX-License-Identifier: Apache-2.0
#include "base/bit_set.h"

#include <set>
#include <stdexcept>

#include "base/bit_matrix.h"
#include "base/random.h"
#include "support/test_catch.h"

using flitcast::BitMatrix;
using flitcast::BitSet;
using flitcast::Random;

namespace {

BitSet to_bits(const std::set<std::size_t>& members, std::size_t size) {
  BitSet result(size);
  for (const std::size_t member : members) result.set(member);
  return result;
}

std::set<std::size_t> random_members(Random& random, std::size_t size) {
  std::set<std::size_t> members;
  for (std::size_t draw = 0; draw < size / 2; ++draw) members.insert(random.below(size));
  return members;
}

}  // namespace

TEST_CASE("a bit set behaves as a set of numbers, whatever its size", "[base]") {
  const std::size_t size = GENERATE(std::size_t{1}, 63U, 64U, 65U, 200U);
  Random random(size);
  for (int round = 0; round < 50; ++round) {
    const auto a = random_members(random, size);
    const auto b = random_members(random, size);
    std::set<std::size_t> both, either = a, rest = a;
    for (const std::size_t member : b) {
      if (a.count(member) != 0) both.insert(member);
      either.insert(member);
      rest.erase(member);
    }
    const BitSet x = to_bits(a, size);
    const BitSet y = to_bits(b, size);
    CHECK((BitSet(x) &= y) == to_bits(both, size));
    CHECK((BitSet(x) |= y) == to_bits(either, size));
    CHECK((BitSet(x) -= y) == to_bits(rest, size));
    CHECK(x.count() == a.size());
    CHECK(x.any() == !a.empty());
    CHECK(x.intersects(y) == !both.empty());
    CHECK(x.contains(y) == (both.size() == b.size()));
    CHECK(x.first() == (a.empty() ? size : *a.begin()));
    std::size_t rank = 0;
    for (const std::size_t member : a) CHECK(x.nth(rank++) == member);
  }
}

TEST_CASE("the full set has every member and no bit beyond", "[base]") {
  const std::size_t size = GENERATE(std::size_t{0}, 1U, 63U, 64U, 65U, 128U);
  std::set<std::size_t> members;
  for (std::size_t member = 0; member < size; ++member) members.insert(member);
  CHECK(BitSet::full(size) == to_bits(members, size));
}

TEST_CASE("masks are read and written in hexadecimal without leading zeros", "[base]") {
  CHECK(to_hex(to_bits({0, 3}, 8)) == "9");
  CHECK(to_hex(BitSet(8)) == "0");
  CHECK(to_hex(to_bits({68}, 70)) == "100000000000000000");
  CHECK(flitcast::from_hex("100000000000000000", 70) == to_bits({68}, 70));
  CHECK_THROWS_AS(flitcast::from_hex("10", 4), std::invalid_argument);
  CHECK_THROWS_AS(flitcast::from_hex("x", 4), std::invalid_argument);
  CHECK_THROWS_AS(flitcast::from_hex("", 4), std::invalid_argument);
}

TEST_CASE("the rows of a bit matrix are sets of their own", "[base]") {
  BitMatrix matrix(3, 70);
  matrix.set(1, 69);
  matrix.assign(2, to_bits({0, 64}, 70));
  CHECK(matrix.set_of(0).none());
  CHECK(matrix.set_of(1) == to_bits({69}, 70));
  CHECK(matrix.set_of(2) == to_bits({0, 64}, 70));
  matrix.reset(2, 64);
  CHECK(matrix.set_of(2) == to_bits({0}, 70));
}
