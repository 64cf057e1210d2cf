// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "clos/adversaries/opponents.h"
#include "clos/adversaries/search_adversary.h"
#include "clos/adversaries/shrink.h"
#include "clos/bounds/bounds.h"
#include "clos/replay.h"
#include "clos/trace.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

struct Target {
  std::uint32_t n;
  std::uint32_t r;
  const char* strategy;
  std::uint32_t m;  ///< This m blocks, so the smallest nonblocking m is larger.
  std::uint64_t seed;
};

struct Size {
  std::uint32_t n;
  std::uint32_t r;
};

}  // namespace

TEST_CASE("the search finds the blocking m of the specification", "[clos]") {
  for (const Target& target :
       {Target{4, 4, "S1", 7, 4}, Target{4, 4, "S3", 8, 1}, Target{4, 4, "FF", 9, 4},
        Target{4, 8, "S1", 8, 2}, Target{4, 8, "S3", 8, 1}, Target{4, 8, "FF", 10, 1},
        Target{3, 4, "S1", 5, 1}, Target{3, 4, "FF", 6, 1}}) {
    CAPTURE(target.n, target.r, target.strategy, target.m);
    const Opponent enemy =
        opponent(Structure::symmetric(target.m, target.n, target.r), target.strategy);
    GuidedSearch search;
    search.seed = target.seed;
    const auto found = find_blocking_sequence(enemy, search);
    REQUIRE(found);
    ConnectionAdmission control = enemy.fresh();
    CHECK_FALSE(replay(*found, control));
    CHECK(is_blocked(found->back()));
  }
}

TEST_CASE("at m of Theorem 3 the search never blocks strategy 1 under its pass limit", "[clos]") {
  for (const Size& size :
       {Size{2, 2}, Size{2, 4}, Size{3, 3}, Size{3, 4}, Size{4, 4}, Size{4, 8}}) {
    CAPTURE(size.n, size.r);
    const Bound bound = theorem3(size.n, size.r);
    const auto m = static_cast<std::uint32_t>(bound.m);
    const Structure structure = Structure::symmetric(m, size.n, size.r);
    Opponent enemy = opponent(structure, "S1", static_cast<std::size_t>(bound.x));
    GuidedSearch search;
    search.events = 6'000;
    CHECK_FALSE(find_blocking_sequence(enemy, search));
    enemy.control.candidates = Candidates::kFirst;
    CHECK_FALSE(find_blocking_sequence(enemy, search));
  }
}
