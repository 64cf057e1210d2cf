// SPDX-License-Identifier: Apache-2.0
#include "router/bit_mask.h"

#include <algorithm>
#include <bitset>
#include <random>
#include <vector>

#include "support/test_catch.h"

using flitcast::BitMask;

namespace {

/// The same set as a BitMask and as a std::bitset.
template <int kWords>
struct Twin {
  static constexpr unsigned kBits = BitMask<kWords>::kBits;
  using Plain = std::bitset<kBits>;

  /// Makes a set with about one bit in 2^sparsity.
  Twin(std::mt19937_64& random, unsigned sparsity) {
    for (unsigned bit = 0; bit < kBits; ++bit) {
      if (random() % (1U << sparsity) != 0) continue;
      mask.set(bit);
      plain.set(bit);
    }
  }

  BitMask<kWords> mask{};
  Plain plain;
};

template <int kWords>
std::bitset<64 * kWords> plain_of(const BitMask<kWords>& mask) {
  std::bitset<64 * kWords> plain;
  for (unsigned bit = 0; bit < mask.kBits; ++bit) plain[bit] = mask.test(bit);
  return plain;
}

/// The rule in its simplest form: the first member found when counting up from the number after
/// `last`.
template <std::size_t kBits>
unsigned plain_next(const std::bitset<kBits>& set, unsigned last) {
  unsigned bit = (last + 1) % kBits;
  while (!set.test(bit)) bit = (bit + 1) % kBits;
  return bit;
}

template <int kWords>
void check_against_bitset() {
  std::mt19937_64 random(kWords);
  for (unsigned round = 0; round < 60; ++round) {
    const Twin<kWords> a(random, round % 11);
    const Twin<kWords> b(random, round % 3);
    REQUIRE(plain_of(a.mask) == a.plain);
    CHECK(plain_of(a.mask | b.mask) == (a.plain | b.plain));
    CHECK(plain_of(a.mask & b.mask) == (a.plain & b.plain));
    CHECK(plain_of(a.mask.without(b.mask)) == (a.plain & ~b.plain));
    CHECK(a.mask.any() == a.plain.any());
    std::vector<unsigned> members;
    a.mask.for_each([&](unsigned bit) { members.push_back(bit); });
    CHECK(members.size() == a.plain.count());
    CHECK(std::is_sorted(members.begin(), members.end()));
    CHECK(std::all_of(members.begin(), members.end(), [&](unsigned m) { return a.plain[m]; }));
    if (members.empty()) continue;
    CHECK(a.mask.lowest() == members.front());
    CHECK(a.mask.single() == (members.size() == 1));
    for (unsigned last = 0; last < a.mask.kBits; last += 1 + kWords / 8) {
      REQUIRE(a.mask.next_after(last) == plain_next(a.plain, last));
    }
  }
}

template <int kWords>
void check_fields() {
  std::mt19937_64 random(kWords);
  for (const unsigned width : {1U, 2U, 4U, 8U, 16U, 32U}) {
    Twin<kWords> a(random, 1);
    for (unsigned first = 0; first < a.kBits; first += width) {
      for (unsigned bit = 0; bit < width; ++bit) {
        REQUIRE((a.mask.field(first, width) >> bit & 1) == a.plain[first + bit]);
        REQUIRE((a.mask.from(first) >> bit & 1) == a.plain[first + bit]);
      }
      REQUIRE(a.mask.field(first, width) >> (width - 1) <= 1);
    }
    const unsigned cleared = a.kBits - 64;
    a.mask.clear_field(cleared, width);
    for (unsigned bit = 0; bit < width; ++bit) a.plain.reset(cleared + bit);
    CHECK(plain_of(a.mask) == a.plain);
  }
}

template <int kWords>
void check_single_members() {
  using Mask = BitMask<kWords>;
  CHECK_FALSE(Mask{}.any());
  for (unsigned bit = 0; bit < Mask::kBits; bit += 21) {
    Mask one = Mask::of(bit);
    REQUIRE(one.test(bit));
    REQUIRE(one.single());
    REQUIRE(one.lowest() == bit);
    REQUIRE(one.next_after(bit) == bit);
    one.clear(bit);
    REQUIRE_FALSE(one.any());
  }
}

}  // namespace

TEST_CASE("select() takes what a conditional expression takes", "[router]") {
  int one = 1;
  int other = 2;
  for (const bool condition : {false, true}) {
    CHECK(flitcast::select(condition, 5U, 9U) == (condition ? 5U : 9U));
    CHECK(flitcast::select(condition, &one, &other) == (condition ? &one : &other));
  }
}

TEST_CASE("a mask of 1, 2 or 64 words is the set that std::bitset is", "[router]") {
  check_against_bitset<1>();
  check_against_bitset<2>();
  check_against_bitset<64>();
}

TEST_CASE("a field holds the bits from its first on and none beyond its width", "[router]") {
  check_fields<1>();
  check_fields<2>();
  check_fields<64>();
}

TEST_CASE("a mask of one member returns it from every round-robin choice", "[router]") {
  check_single_members<1>();
  check_single_members<2>();
  check_single_members<64>();
}

TEST_CASE("clearing members during a visit does not skip any", "[router]") {
  BitMask<2> mask = BitMask<2>::of(3) | BitMask<2>::of(4) | BitMask<2>::of(100);
  std::vector<unsigned> visited;
  mask.for_each([&](unsigned bit) {
    visited.push_back(bit);
    mask.clear(bit);
  });
  CHECK(visited == std::vector<unsigned>{3, 4, 100});
  CHECK_FALSE(mask.any());
}

TEST_CASE("round robin takes the first set bit after the last one, wrapping around", "[router]") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t word = random() & random() & random();
    if (word == 0) continue;
    for (unsigned last = 0; last < 64; ++last) {
      REQUIRE(flitcast::round_robin(word, last) == plain_next(std::bitset<64>(word), last));
    }
  }
}
