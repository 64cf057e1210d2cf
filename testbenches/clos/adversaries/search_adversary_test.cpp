// SPDX-License-Identifier: Apache-2.0
#include "clos/adversaries/search_adversary.h"

#include <algorithm>
#include <stdexcept>

#include "clos/adversaries/opponents.h"
#include "clos/adversaries/shrink.h"
#include "clos/blocking.h"
#include "clos/replay.h"
#include "clos/trace.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

GuidedSearch budget(std::uint64_t events, std::uint64_t seed = 1) {
  GuidedSearch search;
  search.events = events;
  search.seed = seed;
  return search;
}

// Checks that only the last request blocks, and that a replay of the trace gives the same outcomes.
void check_blocking(const std::vector<Event>& trace, const Opponent& enemy) {
  INFO(to_text(trace));
  REQUIRE_FALSE(trace.empty());
  CHECK(is_blocked(trace.back()));
  CHECK(std::count_if(trace.begin(), trace.end(), is_blocked) == 1);
  ConnectionAdmission control = enemy.fresh();
  CHECK_FALSE(replay(trace, control));
  control.state().verify();
}

// Checks that the state blocks right before the last event, and not earlier.
void check_prompt(const std::vector<Event>& trace, const Opponent& enemy) {
  INFO(to_text(trace));
  ConnectionAdmission control = enemy.fresh();
  for (std::size_t e = 0; e + 1 < trace.size(); ++e) {
    REQUIRE_FALSE(blocks(control.state()));
    replay(trace[e], control);
  }
  CHECK(blocks(control.state()));
}

struct Minimum {
  std::uint32_t n;
  std::uint32_t r;
  std::uint32_t m;  ///< The smallest m for strategy 1, by exhaustive search.
};

constexpr Minimum kMinima[] = {{2, 2, 3}, {2, 3, 4}, {2, 4, 4}, {3, 2, 5}};

}  // namespace

TEST_CASE("one middle switch fewer than the exhaustive minimum, a sequence blocks and replays",
          "[clos]") {
  for (const Minimum& minimum : kMinima) {
    CAPTURE(minimum.n, minimum.r);
    const Opponent enemy =
        opponent(Structure::symmetric(minimum.m - 1, minimum.n, minimum.r), "S1");
    const auto found = find_blocking_sequence(enemy, budget(100'000, 4));
    REQUIRE(found);
    check_blocking(*found, enemy);
    const std::vector<Event> shrunk = shrink(*found, enemy);
    check_blocking(shrunk, enemy);
    CHECK(shrunk.size() <= 15);  // The shortest have 3 to 9 events.
    WARN(to_text(enemy.context.structure) << " under S1: " << to_text(shrunk));
  }
}

TEST_CASE("at the exhaustive minimum no sequence is found", "[clos]") {
  for (const Minimum& minimum : kMinima) {
    const Opponent enemy = opponent(Structure::symmetric(minimum.m, minimum.n, minimum.r), "S1");
    CHECK_FALSE(find_blocking_sequence(enemy, budget(2'000)));
  }
}

TEST_CASE("sequences are found for every strategy and end as soon as some request must block",
          "[clos]") {
  for (const auto& entry : strategies()) {
    if (entry.name == "RND") continue;
    CAPTURE(entry.name);
    const Opponent enemy = opponent(Structure::symmetric(4, 3, 4), entry.name);
    const auto found = find_blocking_sequence(enemy, budget(20'000));
    REQUIRE(found);
    check_blocking(*found, enemy);
    check_prompt(*found, enemy);
  }
}

TEST_CASE("a sequence found against a random strategy replays", "[clos]") {
  const Opponent enemy = opponent(Structure::symmetric(4, 3, 4), "RND");
  for (const std::size_t samples : {1, 4, 16}) {
    CAPTURE(samples);
    GuidedSearch search = budget(20'000);
    search.samples = samples;
    const auto found = find_blocking_sequence(enemy, search);
    if (samples == 1) REQUIRE(found);
    if (found) check_blocking(*found, enemy);
  }
}

TEST_CASE("equal seeds find equal sequences, other seeds others", "[clos]") {
  const Opponent enemy = opponent(Structure::symmetric(5, 4, 4), "S1");
  const auto once = find_blocking_sequence(enemy, budget(20'000, 3));
  REQUIRE(once);
  CHECK(to_text(*once) == to_text(find_blocking_sequence(enemy, budget(20'000, 3)).value()));
  CHECK(to_text(*once) != to_text(find_blocking_sequence(enemy, budget(20'000, 4)).value()));
}

TEST_CASE("the budget bounds the events of all walks together", "[clos]") {
  const Opponent enemy = opponent(Structure::symmetric(5, 4, 4), "S1");
  const auto found = find_blocking_sequence(enemy, budget(20'000, 3));
  REQUIRE(found);
  CHECK_FALSE(find_blocking_sequence(enemy, budget(2, 3)));
  CHECK_FALSE(find_blocking_sequence(enemy, budget(0, 3)));
}

TEST_CASE("networks of any shape are searched", "[clos]") {
  for (const Structure& structure : {Structure{3, 4, 2, 2, 5}, Structure{3, 1, 6, 4, 2},
                                     Structure{2, 3, 1, 1, 3}, Structure::symmetric(3, 2, 70)}) {
    CAPTURE(to_text(structure));
    const Opponent enemy = opponent(structure, "S1");
    const auto found = find_blocking_sequence(enemy, budget(3'000));
    REQUIRE(found);
    check_blocking(*found, enemy);
  }
}

TEST_CASE("a network of one port each never blocks", "[clos]") {
  CHECK_FALSE(find_blocking_sequence(opponent(Structure::symmetric(1, 1, 4), "S1"), budget(500)));
}

TEST_CASE("a search without samples or without events in a walk is refused", "[clos]") {
  const Opponent enemy = opponent(Structure::symmetric(2, 2, 2), "S1");
  GuidedSearch search;
  search.samples = 0;
  CHECK_THROWS_AS(find_blocking_sequence(enemy, search), std::invalid_argument);
  search = {};
  search.walk = 0;
  CHECK_THROWS_AS(find_blocking_sequence(enemy, search), std::invalid_argument);
}
