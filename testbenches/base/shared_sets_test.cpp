// SPDX-License-Identifier: Apache-2.0
#include "base/shared_sets.h"

#include <map>
#include <stdexcept>
#include <string>

#include "base/random.h"
#include "base/sequences.h"
#include "support/test_catch.h"

using flitcast::BitSet;
using flitcast::numbers;
using flitcast::Random;
using flitcast::SharedSet;
using flitcast::SharedSets;

namespace {

constexpr std::size_t kEnough = 1 << 20;

BitSet bits_of(const SharedSets& sets, const SharedSet& set, std::size_t size) {
  BitSet bits(size);
  for (const std::size_t member : numbers(size)) {
    if (sets.test(set, member)) bits.set(member);
  }
  return bits;
}

BitSet cyclic(std::size_t first, std::size_t count, std::size_t size) {
  BitSet bits(size);
  for (std::size_t n = 0; n < count; ++n) bits.set((first + n) % size);
  return bits;
}

}  // namespace

TEST_CASE("every range of a cycle has its members, and one value", "[base]") {
  const std::size_t size = GENERATE(std::size_t{1}, 2U, 5U, 64U, 65U, 130U);
  const SharedSets sets(size, kEnough);
  std::map<std::string, SharedSet> by_members;
  for (std::size_t first = 0; first < size; ++first) {
    for (std::size_t count = 0; count <= size; ++count) {
      const SharedSet range = sets.range(first, count);
      const BitSet expected = cyclic(first, count, size);
      CHECK(range.size == count);
      CHECK(bits_of(sets, range, size) == expected);
      CHECK(by_members.emplace(to_hex(expected), range).first->second == range);
    }
  }
}

TEST_CASE("unions of two ranges are those of bits, and ranges where they can be", "[base]") {
  const std::size_t size = GENERATE(std::size_t{1}, 2U, 7U, 12U);
  SharedSets sets(size, kEnough);
  for (std::size_t pair = 0; pair < size * (size + 1) * size * (size + 1); ++pair) {
    const std::size_t first = pair % size, other = pair / size % size;
    const std::size_t count = pair / size / size % (size + 1),
                      more = pair / size / size / (size + 1);
    BitSet expected = cyclic(first, count, size);
    expected |= cyclic(other, more, size);
    const SharedSet both = sets.united(sets.range(first, count), sets.range(other, more));
    CHECK(bits_of(sets, both, size) == expected);
    CHECK(both.size == expected.count());
    bool can_be = false;
    for (std::size_t begin = 0; begin < size; ++begin) {
      can_be |= cyclic(begin, expected.count(), size) == expected;
    }
    CHECK(both.is_range() == can_be);
  }
}

// Sets are drawn from those made so far, so that ranges, stored sets and repeated calls mix.
TEST_CASE("random unions are those of bits, and equal sets are stored once", "[base]") {
  const std::size_t size = GENERATE(std::size_t{3}, 8U, 63U, 64U, 65U, 200U);
  Random random(size);
  SharedSets sets(size, kEnough);
  std::vector<SharedSet> made{SharedSet{}};
  std::vector<BitSet> expected{BitSet(size)};
  std::map<std::string, SharedSet> by_members;
  std::size_t stored = 0;
  for (int call = 0; call < 3000; ++call) {
    if (random.below(3) == 0) {
      const std::size_t first = random.below(size), count = random.below(1 + size / 4);
      made.push_back(sets.range(first, count));
      expected.push_back(cyclic(first, count, size));
      continue;
    }
    const std::size_t a = random.below(made.size()), b = random.below(made.size());
    made.push_back(sets.united(made[a], made[b]));
    expected.push_back(BitSet(expected[a]) |= expected[b]);
    const SharedSet& both = made.back();
    REQUIRE(bits_of(sets, both, size) == expected.back());
    REQUIRE(both.size == expected.back().count());
    const bool disjoint = both.size == made[a].size + made[b].size;
    REQUIRE(disjoint == !expected[a].intersects(expected[b]));
    REQUIRE((both == made[a]) == expected[a].contains(expected[b]));
    const auto [known, is_new] = by_members.emplace(to_hex(expected.back()), both);
    REQUIRE(known->second == both);
    stored += is_new && !both.is_range();
  }
  CHECK(sets.stored() == stored);
  CHECK((size < 8 || stored > 10));
}

TEST_CASE("ranges of a ring store nothing, sets with two gaps are stored up to a limit", "[base]") {
  SharedSets sets(100, 47);  // Two sets of 16 bytes, and less than a third.
  SharedSet ring = sets.range(90, 1);
  for (std::size_t next = 91; next < 190; ++next)
    ring = sets.united(ring, sets.range(next % 100, 1));
  CHECK(ring == sets.range(0, 100));
  CHECK(sets.stored() == 0);
  const SharedSet two = sets.united(sets.range(0, 1), sets.range(2, 1));
  CHECK(sets.united(two, sets.range(98, 1)).size == 3);
  CHECK(sets.united(sets.range(2, 1), sets.range(0, 1)) == two);
  CHECK(sets.united(two, sets.range(1, 1)) == sets.range(0, 3));
  CHECK(sets.stored() == 2);
  CHECK_THROWS_WITH(sets.united(two, sets.range(50, 1)),
                    "more than 2 different sets of 100 numbers");
  CHECK(sets.united(sets.range(2, 1), sets.range(0, 1)) == two);
}
