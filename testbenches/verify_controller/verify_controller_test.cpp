// SPDX-License-Identifier: Apache-2.0
// Tests the verifier on controllers in C++: a correct one and faulty ones. The script
// verify_controller_test applies scripts/verify-controller to RTL.
#include <memory>
#include <stdexcept>

#include "support/test_catch.h"
#include "verify_controller/clock_formula.h"
#include "verify_controller/diagnosis.h"
#include "verify_controller/player.h"
#include "verify_controller/report.h"
#include "verify_controller/verify.h"

using namespace flitcast;
using namespace flitcast::verify;

namespace {

constexpr clos::ControllerParams k3x3{3, 3, 2};

/// The mistake of a ModelDut.
enum class Mistake {
  kNone,
  kReadyInReset,
  kForgetsReset,
  kDropsWaitingBeat,
  kHidesFail,
  kCombinational,
  kMealyReady,
  kAsynchronousReset,
  kFallsSilent,  ///< Stops after 64 requests since the reset.
  kWraps,  ///< A 10-bit count of requests wraps; at 0 a last beat that serves is not marked as
           ///< last.
  kLeaks   ///< Loses one of 100 slots whenever the beat of a block has waited.
};

/// clos::Controller behind the ports of a Dut, with a mistake.
class ModelDut : public Dut {
 public:
  ModelDut(const clos::ControllerParams& params, const std::string& design, Mistake mistake)
      : controller_(find(clos::controllers(), design)->make, params),
        inputs_(params.m, params.r),
        mistake_(mistake) {}

  void drive(const Inputs& inputs) override {
    inputs_ = inputs;
    if (inputs.reset && mistake_ == Mistake::kAsynchronousReset) controller_.reset();
  }

  void edge() override {
    was_reset_ = inputs_.reset;
    count();
    const bool forgets = mistake_ == Mistake::kForgetsReset && ++edges_ > 1;
    if (inputs_.reset && !forgets) return controller_.reset();
    const clos::ControllerOffer offer{inputs_.req_set, inputs_.req_avail};
    const bool ready = inputs_.beat_ready || mistake_ == Mistake::kDropsWaitingBeat;
    controller_.edge(inputs_.store, ready, inputs_.req_valid ? &offer : nullptr);
  }

  void read(Outputs& outputs) const override {
    const clos::Beat& beat = controller_.beat();
    outputs.req_ready = (controller_.request_ready() && !silent()) ||
                        (was_reset_ && mistake_ == Mistake::kReadyInReset);
    outputs.beat_valid = controller_.beat_valid();
    outputs.beat_middle = index(beat.middle);
    outputs.beat_set = beat.served;
    const bool wrapped = mistake_ == Mistake::kWraps && requests_ > 0 && requests_ % 1024 == 0;
    outputs.beat_last = beat.last && (beat.fail || !wrapped);
    outputs.beat_fail = beat.fail && mistake_ != Mistake::kHidesFail;
    if (mistake_ == Mistake::kCombinational) outputs.beat_valid &= inputs_.beat_ready;
    if (mistake_ == Mistake::kMealyReady) outputs.req_ready ^= inputs_.req_valid;
  }

  bool stopped() const override { return false; }
  void trace(const std::string& /*file*/, std::uint64_t /*from*/) override {}

 private:
  // Counts requests and waiting blocks since the reset.
  void count() {
    if (inputs_.reset) {
      requests_ = lost_ = 0;
      waited_ = false;
      return;
    }
    if (inputs_.req_valid && controller_.request_ready()) ++requests_;
    if (!controller_.beat_valid()) return;
    const bool waits = !inputs_.beat_ready;
    if (!waits && waited_ && controller_.beat().fail) ++lost_;
    waited_ = waits;
  }
  bool silent() const {
    return (mistake_ == Mistake::kFallsSilent && requests_ >= 64) ||
           (mistake_ == Mistake::kLeaks && lost_ >= 100);
  }

  clos::Controller controller_;
  Inputs inputs_;
  const Mistake mistake_;
  bool was_reset_ = false;
  unsigned edges_ = 0;
  unsigned requests_ = 0;
  unsigned lost_ = 0;
  bool waited_ = false;  // True if the visible beat has waited.
};

/// A correct par_adder that records the beats announced to it, and compares them with its own
/// beats.
class TellingDut : public ModelDut {
 public:
  explicit TellingDut(const clos::ControllerParams& params)
      : ModelDut(params, "par_adder", Mistake::kNone), seen_(params.r) {}

  void expect(const Pass* due) override {
    read(seen_);
    if (seen_.beat_valid) agrees = agrees && due != nullptr && equal(seen_, due->beat);
    const std::string text = due == nullptr
                                 ? "none"
                                 : std::to_string(due->number + 1) + ' ' + to_hex(due->unserved) +
                                       ' ' + std::to_string(index(due->beat.middle)) + ':' +
                                       to_hex(due->beat.served);
    if (told.empty() ? due != nullptr : told.back() != text) told.push_back(text);
  }

  std::vector<std::string> told;
  bool agrees = true;

 private:
  Outputs seen_;
};

Task task_of(const clos::ControllerParams& params) { return {params, 0, 10'000, 300}; }

MakeDut maker(const clos::ControllerParams& params, const std::string& design, Mistake mistake) {
  return [=](unsigned /*seed*/) { return std::make_unique<ModelDut>(params, design, mistake); };
}

/// The kind of fault of a par_adder of 3 x 3 with the mistake; "" if there is none.
std::string kind_of(Mistake mistake) {
  const Verdict verdict = verify::verify(task_of(k3x3), maker(k3x3, "par_adder", mistake));
  return verdict.fault ? verdict.fault->kind : "";
}

}  // namespace

TEST_CASE("the models of the controllers are correct, and every coverage point is reached",
          "[verify]") {
  const auto place = GENERATE(range(std::size_t{0}, clos::controllers().size()));
  const std::string& design = clos::controllers()[place].name;
  const clos::ControllerParams params =
      GENERATE(clos::ControllerParams{2, 2, 2}, clos::ControllerParams{2, 2, 2, false},
               clos::ControllerParams{1, 1, 1}, clos::ControllerParams{5, 4, 0},
               clos::ControllerParams{7, 5, 3}, clos::ControllerParams{5, 70, 4},
               clos::ControllerParams{17, 17, 17});
  Task task = task_of(params);
  task.pass_clocks = pass_clocks_of(design, params);
  const Verdict verdict = verify::verify(task, maker(params, design, Mistake::kNone));
  INFO(design << '\n' << report(task, verdict));
  CHECK(!verdict.fault);
  CHECK(verdict.observed.coverage.missed().empty());
}

TEST_CASE("a mistake of a controller is reported by its name", "[verify]") {
  CHECK(kind_of(Mistake::kNone).empty());
  CHECK(kind_of(Mistake::kReadyInReset) == "ready in reset");
  CHECK(kind_of(Mistake::kForgetsReset) == "stale state after reset");
  CHECK(kind_of(Mistake::kDropsWaitingBeat) == "beat lost under back-pressure");
  CHECK(kind_of(Mistake::kHidesFail) == "block not reported: store changed on fail");
  CHECK(kind_of(Mistake::kCombinational) == "output is no register");
  CHECK(kind_of(Mistake::kMealyReady) == "output is no register");
  CHECK(kind_of(Mistake::kAsynchronousReset) == "asynchronous reset");
}

TEST_CASE("a reset is blamed for what rst_ni alone changes, even if other inputs change with it",
          "[verify]") {
  Step step(3, 3);
  step.req_set = BitSet::full(3);
  step.reset.phase = ResetAt::Phase::kRequest;
  const auto kind = [&step](Mistake mistake) {
    const auto dut = maker(k3x3, "par_adder", mistake)(1);
    Observed observed(k3x3);
    return play({k3x3, 1, {step}}, *dut, 0, observed).value().kind;
  };
  CHECK(kind(Mistake::kAsynchronousReset) == "asynchronous reset");
  CHECK(kind(Mistake::kMealyReady) == "output is no register");
}

TEST_CASE("a claim of too few or too many clocks is refuted", "[verify]") {
  Task task = task_of(k3x3);
  const MakeDut make_dut = maker(k3x3, "seq_adder", Mistake::kNone);
  task.pass_clocks = 3;
  CHECK(verify::verify(task, make_dut).fault.value().kind == "late");
  task.pass_clocks = 5;
  CHECK(verify::verify(task, make_dut).fault.value().kind == "early");
}

TEST_CASE("a fault is shortened, and its file reproduces it", "[verify]") {
  const Task task = task_of(k3x3);
  const MakeDut make_dut = maker(k3x3, "seq_adder", Mistake::kDropsWaitingBeat);
  const Verdict verdict = verify::verify(task, make_dut);
  REQUIRE(verdict.fault.has_value());
  const Scenario& why = verdict.why.value();
  CHECK(why.steps.size() == 1);
  const Scenario again = from_json(to_json(why));
  CHECK(to_json(again) == to_json(why));
  CHECK(replay(task, again, make_dut).fault.value().kind == verdict.fault->kind);
  CHECK(!replay(task, again, maker(k3x3, "seq_adder", Mistake::kNone)).fault.has_value());
}

TEST_CASE("what a controller counts or loses from request to request shows in a long run",
          "[verify]") {
  const auto [mistake, kind, requests] =
      GENERATE(table<Mistake, std::string, std::uint64_t>({{Mistake::kFallsSilent, "hangs", 65},
                                                           {Mistake::kWraps, "last missing", 1024},
                                                           {Mistake::kLeaks, "hangs", 102}}));
  Task task = task_of(k3x3);
  task.long_run = 8'000;
  const MakeDut make_dut = maker(k3x3, "par_adder", mistake);
  const Verdict verdict = verify::verify(task, make_dut);
  REQUIRE(verdict.fault.has_value());
  CHECK(verdict.fault->kind == kind);
  const Scenario& why = verdict.why.value();
  CHECK(why.steps.size() == 1);
  CHECK(why.requests() == requests);
  CHECK_THAT(report(task, verdict),
             Catch::Contains(std::to_string(requests) + " requests without a reset"));
  const Scenario again = from_json(to_json(why));
  CHECK(again.rounds == why.rounds);
  CHECK(replay(task, again, make_dut).fault.value().clock == verdict.fault->clock);
}

TEST_CASE("a controller's waveform shows the beat, pass and unserved part that are due",
          "[verify]") {
  Step step(3, 3);
  step.req_set = from_hex("7", 3);
  step.req_avail = from_hex("7", 3);
  step.store.assign(0, from_hex("1", 3));
  step.store.assign(1, from_hex("6", 3));
  step.store.assign(2, from_hex("7", 3));
  step.stalls = {2, 1};
  TellingDut dut(k3x3);
  Observed observed(k3x3);
  REQUIRE_FALSE(play({k3x3, 1, {step, step}}, dut, 0, observed));
  CHECK(dut.agrees);
  const std::vector<std::string> request{"1 7 0:6", "2 1 1:1"};
  // The second request is taken at the edge that takes the last beat of the first.
  CHECK(dut.told ==
        std::vector<std::string>{request[0], request[1], request[0], request[1], "none"});
}

TEST_CASE("the longest run without a reset is reported, and a shorter one is no coverage",
          "[verify]") {
  Task task = task_of(k3x3);
  task.long_run = 3'000;
  const MakeDut make_dut = maker(k3x3, "par_adder", Mistake::kNone);
  const Verdict sound = verify::verify(task, make_dut);
  CHECK(sound.observed.coverage.hits().at("without a reset: 3000 requests") == 1);
  CHECK(sound.observed.coverage.longest_stretch() >= 3'000);
  CHECK_THAT(report(task, sound), Catch::Contains(" without a reset"));
  Observed observed(k3x3, 200);
  const auto dut = make_dut(1);
  Step step(3, 3);
  step.req_set = BitSet::full(3);
  CHECK_FALSE(play({k3x3, 1, {step}, 199}, *dut, 0, observed));
  CHECK(observed.coverage.longest_stretch() == 199);
  CHECK(observed.coverage.hits().at("without a reset: 200 requests") == 0);
}

TEST_CASE("a file that is no scenario is refused", "[verify]") {
  const std::string text = to_json({k3x3, 1, {Step(3, 3)}});
  CHECK_THROWS_WITH(from_json(text), "a request needs an output switch");
  CHECK_THROWS_WITH(from_json(""),
                    Catch::StartsWith("is no file to replay, such as a fault leaves"));
  CHECK_THROWS_WITH(from_json("{}"),
                    "is no file to replay, such as a fault leaves: key 'm' not found");
}

TEST_CASE("a size that cannot be played is refused, as are blocks that never end", "[verify]") {
  CHECK_NOTHROW(require_playable({1024, 128, 0}));
  CHECK_THROWS_WITH(require_playable({0, 1, 1}), "m = 0 is not from 1 to 1024");
  CHECK_THROWS_WITH(require_playable({1, 1025, 1}), "r = 1025 is not from 1 to 1024");
  CHECK_THROWS_WITH(
      require_playable({1000, 132, 1}),
      "m = 1000 and r = 132 make a store of 132000 bits; at most 131072 can be played");
  CHECK_THROWS_AS(require_playable({1, 1, 0, false}), std::invalid_argument);
  CHECK_THROWS_WITH(from_json(to_json({{0, 1, 1}, 1, {}})), "m = 0 is not from 1 to 1024");
}

TEST_CASE("a replay of no request, or with a wait that never ends, is refused", "[verify]") {
  Step step(3, 3);
  step.req_set = BitSet::full(3);
  CHECK_NOTHROW(from_json(to_json({k3x3, 1, {step}})));
  CHECK_THROWS_WITH(from_json(to_json({k3x3, 1, {}})), "there are no steps to play");
  CHECK_THROWS_WITH(from_json(to_json({k3x3, 1, {step}, 0})),
                    "0 rounds are not from 1 to 1000000000");
  step.stalls = {4'000'000'000};
  CHECK_THROWS_WITH(from_json(to_json({k3x3, 1, {step}})),
                    "a wait of 4000000000 is not from 0 to 1000000");
}

TEST_CASE("a claim of clocks is a design or a formula", "[verify]") {
  const clos::ControllerParams params{13, 4, 2};
  CHECK(pass_clocks_of("seq_counter", params) == 53);
  CHECK(pass_clocks_of("seq_adder_4", params) == 5);
  CHECK(pass_clocks_of("m*(r + 1) / x - 2", params) == 30);
  CHECK(pass_clocks_of("2 * clog2(m) + clog2(r)", params) == 10);
  for (const char* text : {"", "m +", "seq_adder_0", "seq_adder_", "(m", "n", "m r", "1 2", "m / 0",
                           "m - 13", "999999999 * m"}) {
    INFO(text);
    CHECK_THROWS_AS(pass_clocks_of(text, params), std::invalid_argument);
  }
}
