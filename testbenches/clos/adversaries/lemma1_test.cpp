// SPDX-License-Identifier: Apache-2.0
#include "clos/adversaries/lemma1.h"

#include <algorithm>
#include <stdexcept>

#include "base/sequences.h"
#include "clos/adversaries/opponents.h"
#include "clos/replay.h"
#include "clos/trace.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

struct Size {
  std::uint32_t n;
  std::uint32_t x;
  std::uint32_t m;
};

constexpr Size kSizes[] = {{2, 1, 1},  {2, 1, 3},  {3, 1, 5},  {3, 2, 2}, {3, 2, 8}, {4, 1, 7},
                           {4, 2, 11}, {5, 2, 14}, {6, 2, 17}, {5, 3, 9}, {12, 1, 9}};

Lemma1Family quick_family(const Size& size) {
  Lemma1Search search;
  search.samples = 1;
  return lemma1_family(size.n, size.x, size.m, search);
}

std::unique_ptr<Strategy> strategy_for(const Lemma1Family& family, const std::string& name) {
  const Opponent enemy = opponent(lemma1_network(family), name);
  return enemy.strategy(enemy.context);
}

// The first family that the specification measured, n = 4, x = 1, m = 7.
Lemma1Family printed_family() {
  Lemma1Family family{4, 1, 24, {}, {}};
  for (const char* mask : {"f", "74", "a9", "d2"}) family.requests.push_back(from_hex(mask, 24));
  for (const char* mask : {"1f11", "e122", "702a4", "19044a", "622848", "ac4011", "d09084"}) {
    family.destination_sets.push_back(from_hex(mask, 24));
  }
  return family;
}

// Returns true if all I's meet the intersection of the M's in this mask.
bool all_meet(const Lemma1Family& family, std::uint32_t chosen) {
  BitSet meet = BitSet::full(family.r);
  for (std::uint32_t j = 0; j < family.m(); ++j) {
    if ((chosen >> j & 1) != 0) meet &= family.destination_sets[j];
  }
  return std::all_of(family.requests.begin(), family.requests.end(),
                     [&](const BitSet& request) { return request.intersects(meet); });
}

// Checks condition 2 with all masks of M's.
bool meets_by_masks(const Lemma1Family& family) {
  for (std::uint32_t chosen = 0; chosen < 1U << family.m(); ++chosen) {
    if (popcount(chosen) == family.x && !all_meet(family, chosen)) return false;
  }
  return true;
}

void check_blocks(const Size& size, const Lemma1Family& family) {
  for (const char* strategy : {"S1", "S2"}) {
    CAPTURE(size.n, size.x, size.m, strategy);
    const Lemma1Outcome outcome = play_lemma1(family, strategy_for(family, strategy));
    CHECK(outcome.alone);
    CHECK(outcome.middles.size() == size.n);
    CHECK(contains(outcome.middles, std::size_t{0}));
    for (const std::size_t middles : outcome.middles) CHECK((middles == 0 || middles > size.x));
  }
}

}  // namespace

TEST_CASE("a built family satisfies both conditions of Lemma 1", "[clos]") {
  for (const Size& size : kSizes) {
    CAPTURE(size.n, size.x, size.m);
    const Lemma1Family family = quick_family(size);
    CHECK(family.requests.size() == size.n);
    CHECK(family.m() == size.m);
    CHECK(fault_of(family).value_or("none") == "none");
  }
}

TEST_CASE("the check finds every element that a condition needs", "[clos]") {
  const Lemma1Family family = quick_family({4, 2, 9});
  std::size_t faults = 0;
  for (std::size_t i = 0; i < family.requests.size(); ++i) {
    for (std::size_t element = 0; element < family.r; ++element) {
      Lemma1Family smaller = family;
      smaller.requests[i].reset(element);
      CHECK(fault_of(smaller).has_value() == !meets_by_masks(smaller));
      faults += fault_of(smaller) ? 1 : 0;
    }
  }
  CHECK(faults > 20);
}

TEST_CASE("the check names what breaks a condition", "[clos]") {
  CHECK(!fault_of(printed_family()));
  Lemma1Family missing = printed_family();
  missing.requests[3].reset(1);
  CHECK(fault_of(missing) == "I_4 misses M_2");
  Lemma1Family disjoint = printed_family();
  disjoint.destination_sets[0].reset(8);
  CHECK(fault_of(disjoint) == "M_1 and M_2 are disjoint");
  Lemma1Family crowded = printed_family();
  crowded.requests[1].set(0);
  CHECK(fault_of(crowded) == "output switch 0 is in 5 sets, more than n = 4");
  CHECK_THROWS_AS(lemma1_requests(crowded), std::invalid_argument);
  Lemma1Family triple = quick_family({4, 2, 9});
  triple.requests[1].clear();
  CHECK(fault_of(triple) == "I_2 misses M_1 & M_2");
}

TEST_CASE("every M lands alone and some I blocks under strategies 1 and 2", "[clos]") {
  for (const Size& size : kSizes) {
    if (size.m < size.n * (size.x + 1)) check_blocks(size, quick_family(size));
  }
}

TEST_CASE("a family of more than 64 sets blocks 65 middle switches", "[clos]") {
  const Size size{33, 1, 65};
  const Lemma1Family family = quick_family(size);
  CHECK(fault_of(family).value_or("none") == "none");
  check_blocks(size, family);
}

TEST_CASE("with one middle switch less than n (x + 1) only the last request blocks", "[clos]") {
  for (const Size& size : {Size{4, 1, 7}, Size{4, 2, 11}, Size{6, 2, 17}}) {
    CAPTURE(size.n, size.x, size.m);
    const Lemma1Family family = quick_family(size);
    for (const char* strategy : {"S1", "S2"}) {
      std::vector<std::size_t> expected(size.n, size.x + 1);
      expected.back() = 0;
      CHECK(play_lemma1(family, strategy_for(family, strategy)).middles == expected);
    }
  }
}

TEST_CASE("strategy 3 packs the M's and blocks nothing", "[clos]") {
  for (const Size& size : {Size{4, 1, 7}, Size{4, 2, 11}}) {
    const Lemma1Family family = quick_family(size);
    const Lemma1Outcome outcome = play_lemma1(family, strategy_for(family, "S3"));
    CHECK_FALSE(outcome.alone);
    CHECK_FALSE(contains(outcome.middles, std::size_t{0}));
  }
}

TEST_CASE("the trace of the lemma replays", "[clos]") {
  const Lemma1Family family = printed_family();
  const Lemma1Outcome outcome = play_lemma1(family, strategy_for(family, "S1"));
  CHECK(outcome.trace.size() == 11);  // There are m + n requests.
  CHECK(to_line(outcome.trace.back()) == "C 3 7,19,27,31 = B");
  ConnectionAdmission control = opponent(lemma1_network(family), "S1").fresh();
  CHECK_FALSE(replay(outcome.trace, control));
}

TEST_CASE("built families are no larger than those of the specification", "[clos]") {
  Lemma1Search search;
  search.samples = 1;
  CHECK(lemma1_family(4, 1, 7, search).r <= 24);
  CHECK(lemma1_family(6, 2, 17, search).r <= 101);
  CHECK(lemma1_family(8, 2, 23, search).r <= 137);
  search.tries = 40;
  CHECK(lemma1_family(4, 2, 11, search).r <= 80);  // Reaching 78 takes some 300 tries.
}

TEST_CASE("equal seeds build equal families, and more tries no larger ones", "[clos]") {
  Lemma1Search search;
  search.seed = 7;
  const Lemma1Family once = lemma1_family(4, 2, 9, search);
  CHECK(lemma1_family(4, 2, 9, search).requests == once.requests);
  search.tries = 5;
  CHECK(lemma1_family(4, 2, 9, search).r <= once.r);
}

TEST_CASE("the network has an input for every request, however few output switches", "[clos]") {
  const BitSet all = BitSet::full(1);
  const Lemma1Family family{2, 1, 1, {}, {all, all, all, all, all}};
  CHECK(lemma1_network(family).r1 == 4);  // One switch for the I's, three for five M's.
  CHECK(lemma1_network(family).m == 5);
}

TEST_CASE("sizes without a family are refused", "[clos]") {
  for (const Size& size : {Size{4, 0, 7}, Size{4, 4, 7}, Size{4, 2, 1}, Size{1, 1, 3},
                           Size{0, 0, 0}, Size{40, 20, 60}}) {
    CAPTURE(size.n, size.x, size.m);
    CHECK_THROWS_AS(lemma1_family(size.n, size.x, size.m), std::invalid_argument);
  }
}
