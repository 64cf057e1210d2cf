// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/controller.h"

#include "clos/controllers/controller_bench.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

using Beats = std::vector<std::string>;

const ControllerDesign& design(const std::string& name) { return find(controllers(), name)->make; }

const Situation kThreePasses = situation(4, "f", "f", {"3", "5", "6", "9"});
const Beats kThreeBeats{"0:c", "1:2", "2:1 last"};
const Situation kNoProgress = situation(4, "6", "7", {"6", "7", "e"});
const Situation kNoneAvailable = situation(4, "6", "0", {"6", "7", "e"});

ControllerParams params_of(const Situation& situation, std::size_t pass_limit = 0) {
  return {situation.m(), situation.r(), pass_limit};
}

}  // namespace

TEST_CASE("the catalog of controllers has the designs of the lecture and a faster one", "[clos]") {
  for (const char* name : {"seq_counter", "seq_adder", "par_counter", "par_adder", "par_thermo"}) {
    INFO(name);
    CHECK(find(controllers(), name) != nullptr);
  }
}

TEST_CASE("beats become visible with the UPDATE of their pass", "[clos]") {
  struct Case {
    const char* design;
    std::uint64_t pass;  // m = r = 4.
  };
  const Case each = GENERATE(Case{"seq_counter", 17}, Case{"seq_adder", 5}, Case{"par_counter", 5},
                             Case{"par_adder", 1});
  ControllerBench bench(design(each.design), params_of(kThreePasses));
  CHECK(bench.run(kThreePasses) ==
        std::vector<ControllerBench::Taken>{
            {1 + each.pass, "0:c"}, {1 + 2 * each.pass, "1:2"}, {1 + 3 * each.pass, "2:1 last"}});
}

TEST_CASE("the worked cases give the same beats in every design", "[clos]") {
  const auto& entry = any_design();
  const auto beats = [&](const Situation& situation) {
    return texts(ControllerBench(entry.make, params_of(situation)).run(situation));
  };
  CHECK(beats(kThreePasses) == kThreeBeats);
  CHECK(beats(situation(4, "f", "d", {"3", "3", "c", "c"})) == Beats{"0:c", "2:3 last"});
  CHECK(beats(situation(4, "d", "1f", {"f", "e", "7", "b", "d"})) ==
        Beats{"1:1", "2:8", "3:4 last"});
  CHECK(beats(situation(8, "ff", "3e", {"0", "1f", "e3", "3c", "f1", "87"})) ==
        Beats{"3:c3", "2:1c", "1:20 last"});
  CHECK(beats(kNoProgress) == Beats{"fail"});
  CHECK(beats(kNoneAvailable) == Beats{"fail"});
}

TEST_CASE("one middle and one output switch are served and refused", "[clos]") {
  const auto& entry = any_design();
  ControllerBench bench(entry.make, {1, 1});
  CHECK(texts(bench.run(situation(1, "1", "1", {"0"}))) == Beats{"0:1 last"});
  CHECK(texts(bench.run(situation(1, "1", "1", {"1"}))) == Beats{"fail"});
  CHECK(texts(bench.run(situation(1, "1", "0", {"0"}))) == Beats{"fail"});
}

TEST_CASE("an empty request is blocked", "[clos]") {
  ControllerBench bench(any_design().make, {2, 2});
  CHECK(texts(bench.run(situation(2, "0", "3", {"0", "1"}))) == Beats{"fail"});
}

TEST_CASE("stalls of the sink change neither beats nor their order", "[clos]") {
  std::mt19937 random(5);
  const auto& entry = any_design();
  for (int trial = 0; trial < 200; ++trial) {
    const Situation situation = random_situation(1 + random() % 9, 1 + random() % 9, random);
    ControllerBench steady(entry.make, params_of(situation));
    ControllerBench stalled(entry.make, params_of(situation));
    const unsigned patience = 1 + random() % 8;
    const auto willing = [&] { return random() % patience == 0; };
    CHECK(texts(stalled.run(situation, willing)) == texts(steady.run(situation)));
  }
}

// A sink that is ready again before the next UPDATE costs nothing. par_adder has an UPDATE in every
// clock: its second beat waits for one.
TEST_CASE("a scan continues while its last beat waits", "[clos]") {
  const auto& entry = any_design();
  const std::uint64_t pass = entry.make.pass_clocks(4, 4);
  ControllerBench bench(entry.make, params_of(kThreePasses));
  unsigned clock = 0;
  const auto taken = bench.run(kThreePasses, [&] { return ++clock % 2 == 0; });
  REQUIRE(texts(taken) == kThreeBeats);
  const std::uint64_t waits = pass == 1 ? 1 : 0;
  CHECK(taken.back().edge == clocks_streamed(3, pass) + waits);
}

TEST_CASE("a controller holds beat and UPDATE for as long as the sink stalls", "[clos]") {
  Controller controller(any_design().make, params_of(kThreePasses));
  const ControllerOffer offer{kThreePasses.wanted, kThreePasses.available};
  controller.edge(kThreePasses.sets, false);
  controller.edge(kThreePasses.sets, false, &offer);
  for (int clock = 0; clock < 100; ++clock) controller.edge(kThreePasses.sets, false);
  CHECK(controller.beat_valid());
  CHECK(to_text(controller.beat()) == "0:c");
  CHECK_FALSE(controller.request_ready());
  // UPDATE was waiting, so the next beat is visible at once.
  controller.edge(kThreePasses.sets, true);
  CHECK(controller.beat_valid());
  CHECK(to_text(controller.beat()) == "1:2");
}

TEST_CASE("requests follow one another in 1 + P c clocks each", "[clos]") {
  const auto& entry = any_design();
  Controller controller(entry.make, params_of(kThreePasses));
  const ControllerOffer offer{kThreePasses.wanted, kThreePasses.available};
  controller.edge(kThreePasses.sets, true);
  const std::uint64_t clocks = clocks_streamed(3, entry.make.pass_clocks(4, 4));
  unsigned accepted = 0;
  Beats beats;
  for (std::uint64_t edge = 0; edge < 5 * clocks; ++edge) {
    accepted += controller.request_ready() ? 1 : 0;
    controller.edge(kThreePasses.sets, true, &offer);
    if (controller.beat_valid()) beats.push_back(to_text(controller.beat()));
  }
  CHECK(accepted == 5);
  CHECK(beats.size() == 15);
  CHECK(std::count(beats.begin(), beats.end(), kThreeBeats.back()) == 5);
}

TEST_CASE("a reset at any moment of a request leaves nothing of it", "[clos]") {
  const auto& entry = any_design();
  const ControllerOffer offer{kThreePasses.wanted, kThreePasses.available};
  const auto fresh = ControllerBench(entry.make, params_of(kThreePasses)).run(kThreePasses);
  for (std::uint64_t age = 0; age <= fresh.back().edge; ++age) {
    ControllerBench bench(entry.make, params_of(kThreePasses));
    bench.controller.edge(kThreePasses.sets, true);
    bench.controller.edge(kThreePasses.sets, true, &offer);
    for (std::uint64_t edge = 0; edge < age; ++edge) {
      bench.controller.edge(kThreePasses.sets, true);
    }
    bench.controller.reset();
    CHECK_FALSE(bench.controller.request_ready());
    CHECK_FALSE(bench.controller.beat_valid());
    CHECK(bench.run(kThreePasses) == fresh);
  }
}

TEST_CASE("an offer while ready is low is not accepted", "[clos]") {
  Controller controller(design("par_adder"), params_of(kThreePasses));
  const ControllerOffer offer{kThreePasses.wanted, kThreePasses.available};
  controller.edge(kThreePasses.sets, true, &offer);  // The first edge raises ready.
  controller.edge(kThreePasses.sets, true);
  controller.edge(kThreePasses.sets, true);
  CHECK(controller.request_ready());
  CHECK_FALSE(controller.beat_valid());
}

TEST_CASE("with a limit of X passes a block is known after pass X", "[clos]") {
  const auto& entry = any_design();
  const std::uint64_t pass = entry.make.pass_clocks(4, 4);
  const auto run = [&](std::size_t limit) {
    return ControllerBench(entry.make, params_of(kThreePasses, limit)).run(kThreePasses);
  };
  CHECK(run(1).back() == ControllerBench::Taken{1 + pass, "fail"});
  CHECK(run(2).back() == ControllerBench::Taken{1 + 2 * pass, "fail"});
  CHECK(texts(run(3)) == kThreeBeats);
  CHECK(texts(run(4)) == kThreeBeats);
}

TEST_CASE("without the test of progress a block takes all X passes", "[clos]") {
  const auto& entry = any_design();
  const std::uint64_t pass = entry.make.pass_clocks(3, 4);
  const ControllerParams params{3, 4, 5, false};
  const auto beats = ControllerBench(entry.make, params).run(kNoProgress);
  CHECK(beats.size() == 5);
  CHECK(beats.back() == ControllerBench::Taken{1 + 5 * pass, "fail"});
  CHECK(texts(ControllerBench(entry.make, params).run(kNoneAvailable)) == Beats{"fail"});
}

TEST_CASE("controllers that cannot be built or served are refused", "[clos]") {
  const ControllerDesign& any = design("seq_adder");
  CHECK_THROWS_AS(Controller(any, {0, 4}), std::invalid_argument);
  CHECK_THROWS_AS(Controller(any, {4, 0}), std::invalid_argument);
  CHECK_THROWS_AS(Controller(any, {4, 4, 0, false}), std::invalid_argument);
  ControllerBench bench(any, {5, 4});
  CHECK_THROWS_AS(bench.run(kThreePasses), std::invalid_argument);
}
