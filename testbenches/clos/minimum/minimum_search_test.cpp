// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/minimum_search.h"

#include <stdexcept>

#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "clos/minimum/rising.h"
#include "clos/network_state.h"
#include "clos/replay.h"
#include "clos/trace.h"
#include "naive_search.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

MinimumParams params_for(const std::string& strategy, bool counting = true) {
  MinimumParams params;
  params.strategy = strategy;
  params.counting = counting;
  return params;
}

std::string lines(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) text += (text.empty() ? "" : "; ") + to_line(event);
  return text;
}

/// The smallest m; 0 if a limit was reached.
std::uint32_t minimum(std::uint32_t n, std::uint32_t r, const MinimumParams& params) {
  const auto verdicts = check_rising_middles(Structure::symmetric(1, n, r), n, params);
  return verdicts.back().outcome == SearchOutcome::kNeverBlocks ? verdicts.back().m : 0;
}

/// Applies an event with its outcome; returns true if it is a leave.
bool happen(const Event& event, NetworkState& state) {
  if (const auto* connect = std::get_if<ConnectEvent>(&event)) {
    if (!connect->blocked()) state.connect(connect->input, connect->outputs, connect->route);
  } else if (const auto* end = std::get_if<DisconnectEvent>(&event)) {
    state.disconnect(end->input);
  } else if (const auto* leave = std::get_if<LeaveEvent>(&event)) {
    CHECK(state.leave(leave->input, leave->output) == leave->outcome);
    return true;
  }
  return false;
}

bool is_deterministic(const std::string& strategy) { return strategy != "RND"; }

}  // namespace

TEST_CASE("S1 needs the published numbers of middle switches", "[clos]") {
  CHECK(minimum(2, 2, params_for("S1")) == 3);
  CHECK(minimum(2, 3, params_for("S1")) == 4);
  CHECK(minimum(3, 2, params_for("S1")) == 5);
}

TEST_CASE("switches of one port need one middle switch", "[clos]") {
  const std::string strategy = GENERATE("S1", "SPREAD", "any", "strict");
  CHECK(minimum(1, 1, params_for(strategy)) == 1);
  CHECK(minimum(1, 4, params_for(strategy, false)) == 1);
  CHECK(minimum(4, 1, params_for(strategy, false)) == 4);
}

TEST_CASE("counting gives the verdict that the search gives", "[clos]") {
  const std::string strategy = GENERATE("S1", "FF", "strict");
  for (const auto& size : {Structure::symmetric(1, 2, 2), Structure::symmetric(1, 3, 2)}) {
    Structure network = size;
    network.m = static_cast<std::uint32_t>(never_blocking_middles(size));
    const MiddleVerdict counted = check_middles(network, params_for(strategy));
    const MiddleVerdict searched = check_middles(network, params_for(strategy, false));
    CHECK(counted.counted);
    CHECK(counted.states == 0);
    CHECK_FALSE(searched.counted);
    CHECK(searched.states > 0);
    CHECK(searched.outcome == SearchOutcome::kNeverBlocks);
    CHECK(counted.outcome == SearchOutcome::kNeverBlocks);
  }
}

TEST_CASE("counting and search agree where switches have more inputs than outputs", "[clos]") {
  Structure network{2, 2, 2, 1, 3};
  CHECK(never_blocking_middles(network) == 3);
  for (const bool counting : {false, true}) {
    network.m = 2;
    CHECK(check_middles(network, params_for("strict", counting)).outcome == SearchOutcome::kBlocks);
    network.m = 3;
    CHECK(check_middles(network, params_for("strict", counting)).outcome ==
          SearchOutcome::kNeverBlocks);
  }
}

TEST_CASE("a shortest sequence that blocks S1 at n = 2, r = 3, m = 3 is the published one",
          "[clos]") {
  const auto verdict = check_middles(Structure::symmetric(3, 2, 3), params_for("S1"));
  CHECK(verdict.outcome == SearchOutcome::kBlocks);
  CHECK(verdict.shortest);
  CHECK(lines(verdict.sequence) ==
        "C 0 0 = 0:1; C 2 2,4 = 0:6; C 4 3 = 1:2; C 5 5 = 2:4; D 2; C 1 2,4 = 1:4 2:2; D 0; "
        "C 2 0 = 0:1; C 0 1 = B");
}

TEST_CASE("every blocking sequence replays under its strategy and ends blocked", "[clos]") {
  for (const auto& entry : strategies()) {
    if (!is_deterministic(entry.name)) continue;
    const std::uint64_t shortening = GENERATE(0U, 1000000U);
    MinimumParams params = params_for(entry.name);
    params.shortening_states = shortening;
    for (const auto& structure : {Structure::symmetric(3, 2, 3), Structure::symmetric(4, 3, 2)}) {
      INFO(entry.name << " " << to_text(structure));
      const MiddleVerdict verdict = check_middles(structure, params);
      REQUIRE(verdict.outcome == SearchOutcome::kBlocks);
      CHECK(verdict.shortest == (shortening > 0));
      ConnectionAdmission control(structure, entry.make({structure}));
      CHECK_FALSE(replay(verdict.sequence, control));
      CHECK(std::get<ConnectEvent>(verdict.sequence.back()).blocked());
    }
  }
}

TEST_CASE("a shortest sequence is no longer than any other found", "[clos]") {
  MinimumParams params = params_for("S1");
  const Structure structure = Structure::symmetric(4, 3, 2);
  const auto shortest = check_middles(structure, params);
  params.shortening_states = 0;
  const auto first = check_middles(structure, params);
  CHECK(shortest.sequence.size() == 7);
  CHECK(first.sequence.size() >= shortest.sequence.size());
}

TEST_CASE("verdicts are those of a search that knows no symmetry", "[clos]") {
  const Structure structure = GENERATE(Structure{1, 2, 2, 2, 2}, Structure{1, 1, 3, 2, 2},
                                       Structure{1, 2, 2, 1, 3}, Structure{1, 3, 1, 1, 3});
  for (const auto& entry : strategies()) {
    if (!is_deterministic(entry.name)) continue;
    for (std::uint32_t m = 1; m <= 3; ++m) {
      Structure network = structure;
      network.m = m;
      INFO(entry.name << " " << to_text(network));
      const auto verdict = check_middles(network, params_for(entry.name, false));
      const bool blocks = NaiveSearch(network, entry.name).blocks();
      CHECK(verdict.outcome == (blocks ? SearchOutcome::kBlocks : SearchOutcome::kNeverBlocks));
    }
  }
}

TEST_CASE("with leaves and open ties verdicts are those of a search that knows no symmetry",
          "[clos]") {
  const Structure structure =
      GENERATE(Structure{1, 1, 3, 2, 2}, Structure{1, 2, 2, 1, 3}, Structure{1, 3, 1, 1, 3});
  const bool open_ties = GENERATE(false, true);
  for (const auto& entry : strategies()) {
    if (open_ties && entry.decides != Decides::kBySizes) continue;
    if (!is_deterministic(entry.name)) continue;
    MinimumParams params = params_for(entry.name, false);
    params.leave = true;
    if (open_ties) params.ties = Ties::kByAdversary;
    for (std::uint32_t m = 1; m <= 3; ++m) {
      Structure network = structure;
      network.m = m;
      INFO(entry.name << " " << to_text(network) << (open_ties ? ", open ties" : ""));
      const auto verdict = check_middles(network, params);
      const bool blocks = NaiveSearch(network, entry.name, {true, open_ties}).blocks();
      CHECK(verdict.outcome == (blocks ? SearchOutcome::kBlocks : SearchOutcome::kNeverBlocks));
    }
  }
}

// The published sequences use neither option and have 9 events.
TEST_CASE("members that leave, and an adversary who breaks ties, block S1 sooner", "[clos]") {
  const auto [leave, ties, events] =
      GENERATE(table<bool, Ties, std::size_t>({{false, Ties::kByIndex, 9},
                                               {true, Ties::kByIndex, 8},
                                               {false, Ties::kByAdversary, 7},
                                               {true, Ties::kByAdversary, 6}}));
  MinimumParams params = params_for("S1");
  params.leave = leave;
  params.ties = ties;
  const Structure structure = Structure::symmetric(3, 2, 3);
  const MiddleVerdict verdict = check_middles(structure, params);
  CHECK(verdict.shortest);
  CHECK(verdict.sequence.size() == events);
  NetworkState state(structure);
  std::size_t leaves = 0;
  for (const Event& event : verdict.sequence) leaves += happen(event, state) ? 1 : 0;
  state.verify();
  CHECK((leaves > 0) == leave);
  CHECK(std::get<ConnectEvent>(verdict.sequence.back()).blocked());
}

TEST_CASE("an adversary cannot break ties of what has none", "[clos]") {
  MinimumParams params = params_for(GENERATE("any", "strict", "rearrangeable", "SPREAD"));
  params.ties = Ties::kByAdversary;
  CHECK_THROWS_WITH(check_middles(Structure::symmetric(3, 2, 3), params),
                    Catch::Contains("choose one of S1, S2"));
}

TEST_CASE("the strict sense and the strategy any are searched with leaves, too", "[clos]") {
  const std::string strategy = GENERATE("any", "strict");
  const auto outcome = [&](std::uint32_t m) {
    MinimumParams params = params_for(strategy, false);
    params.leave = true;
    return check_middles(Structure::symmetric(m, 2, 2), params).outcome;
  };
  CHECK(outcome(2) == SearchOutcome::kBlocks);
  CHECK(outcome(3) == SearchOutcome::kNeverBlocks);
}

TEST_CASE("a search that reaches a limit has no verdict", "[clos]") {
  const Structure structure = Structure::symmetric(4, 2, 3);
  const std::string strategy = GENERATE("S1", "any", "strict");
  MinimumParams params = params_for(strategy, false);
  SECTION("of states") {
    params.limits.most_states = 100;
    CHECK(check_middles(structure, params).states <= 202);
  }
  SECTION("of bytes") { params.limits.most_bytes = 20'000; }
  SECTION("of time") {
    params.limits.stop = [] { return true; };
  }
  CHECK(check_middles(structure, params).outcome == SearchOutcome::kNoVerdict);
}

TEST_CASE("n = 2, r = 3 needs 3 middle switches if connections may be moved, else 4", "[clos]") {
  const auto minimum = [](const std::string& strategy) {
    return check_rising_middles(Structure::symmetric(1, 2, 3), 1, params_for(strategy)).back().m;
  };
  CHECK(minimum("rearrangeable") == 3);
  CHECK(minimum("any") == 4);
}

TEST_CASE("rising m ends at the first number without a verdict", "[clos]") {
  MinimumParams params = params_for("S1", false);
  params.limits.most_states = 1000;
  const auto verdicts = check_rising_middles(Structure::symmetric(1, 2, 3), 2, params);
  REQUIRE(verdicts.size() == 3);
  CHECK(verdicts[1].outcome == SearchOutcome::kBlocks);
  CHECK(verdicts[2].m == 4);
  CHECK(verdicts[2].outcome == SearchOutcome::kNoVerdict);
}

TEST_CASE("random and unknown strategies and large networks are refused with a reason", "[clos]") {
  const Structure structure = Structure::symmetric(2, 2, 2);
  CHECK_THROWS_WITH(check_middles(structure, params_for("RND")),
                    Catch::Contains("draws random numbers"));
  CHECK_THROWS_WITH(check_middles(structure, params_for("S4")), Catch::Contains("S3r, FF"));
  CHECK_THROWS_WITH(
      check_middles(Structure::symmetric(16, 8, 9), params_for("S1")),
      Catch::Contains("inputs 72 is more than 20") && Catch::Contains("middle switches 16"));
  CHECK_THROWS_AS(check_middles(Structure::symmetric(0, 2, 2), params_for("S1")),
                  std::invalid_argument);
}
