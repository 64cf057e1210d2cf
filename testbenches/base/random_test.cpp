// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <set>

#include "support/test_catch.h"

using flitcast::Random;

TEST_CASE("seed 0 yields the published first numbers of SplitMix64", "[base]") {
  Random random(0);
  CHECK(random.next() == 0xe220a8397b1dcdafULL);
  CHECK(random.next() == 0x6e789e6aa1b965f4ULL);
  CHECK(random.next() == 0x06c45d188009454fULL);
}

TEST_CASE("streams of one experiment start differently and repeat themselves", "[base]") {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t stream = 0; stream < 1000; ++stream) {
    firsts.insert(Random::stream(1, stream).next());
    CHECK(Random::stream(1, stream).next() == Random::stream(1, stream).next());
  }
  CHECK(firsts.size() == 1000);
}

TEST_CASE("below reaches every value under its bound and none above", "[base]") {
  Random random(5);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.below(7));
  CHECK(seen == std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6});
  CHECK(random.below(1) == 0);
}
