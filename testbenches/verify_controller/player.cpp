// SPDX-License-Identifier: Apache-2.0
#include "verify_controller/player.h"

#include <algorithm>
#include <utility>

namespace flitcast::verify {
namespace {

using Phase = ResetAt::Phase;

BitSet random_set(std::size_t size, std::mt19937& random) {
  BitSet set(size);
  std::uint32_t bits = 0;
  for (std::size_t member = 0; member < size; ++member, bits >>= 1) {
    if (member % 32 == 0) bits = static_cast<std::uint32_t>(random());
    if ((bits & 1) != 0) set.set(member);
  }
  return set;
}

bool same(const Outputs& a, const Outputs& b) {
  if (a.req_ready != b.req_ready || a.beat_valid != b.beat_valid) return false;
  if (!a.beat_valid) return true;
  if (a.beat_last != b.beat_last || a.beat_fail != b.beat_fail) return false;
  return a.beat_fail || (a.beat_middle == b.beat_middle && a.beat_set == b.beat_set);
}

class Player {
 public:
  Player(const clos::ControllerParams& params, Dut& dut, std::uint64_t pass_clocks,
         Observed& observed, bool probe)
      : dut_(dut),
        probe_(probe),
        observed_(observed),
        monitor_(params, pass_clocks, observed.coverage),
        idle_(params.m, params.r),
        inputs_(params.m, params.r),
        last_(params.m, params.r),
        now_(params.r),
        settled_(params.r) {
    step_ = &idle_;
  }

  void power_up() {
    reset();
    clock();
  }

  void play(const Step& step) {
    step_ = &step;
    random_.seed(step.noise);
    offer(step);
    serve(step);
  }

  void finish() {
    step_ = &idle_;
    while (monitor_.front() != nullptr) clock();
    for (int extra = 0; extra < 3; ++extra) clock();
  }

  const Monitor& monitor() const { return monitor_; }
  std::uint64_t edges() const { return edges_; }

 private:
  void offer(const Step& step) {
    wait_for_ready();
    for (unsigned clocks = 0; clocks < step.pause; ++clocks) clock();
    if (step.reset.phase == Phase::kIdle || step.reset.phase == Phase::kRequest) {
      while (now_.beat_valid) clock();
      set_request(step, step.reset.phase == Phase::kRequest);
      reset();
      wait_for_ready();
    }
    set_request(step, true);
    clock_as_set();
    ++observed_.requests;
    inputs_.req_valid = false;
  }

  void wait_for_ready() {
    while (!now_.req_ready) clock();
  }

  void serve(const Step& step) {
    while (monitor_.serving() || ends_by_reset(step)) {
      if (reset_is_due(step)) return reset_in_course();
      clock();
    }
  }

  // True if the last beat is visible and the reset coincides with it.
  bool ends_by_reset(const Step& step) const {
    const Pass* pass = monitor_.front();
    return step.reset.phase == Phase::kBeat && now_.beat_valid && pass->step == &step &&
           pass->number == step.reset.count;
  }

  bool reset_is_due(const Step& step) const {
    if (step.reset.phase == Phase::kPass) return monitor_.edges() == step.reset.count;
    return ends_by_reset(step);
  }

  void reset_in_course() {
    if (step_->reset.phase == Phase::kBeat) {
      inputs_.beat_ready = false;
    } else {
      set_beat_ready();
    }
    reset();
  }

  void set_request(const Step& step, bool valid) {
    inputs_.req_valid = valid;
    inputs_.req_set = step.req_set;
    inputs_.req_avail = step.req_avail;
    inputs_.store = step.store;
    set_beat_ready();
  }

  void set_beat_ready() {
    const bool noisy = step_->noise != 0 && !now_.beat_valid;
    const bool chance = !noisy || random_() % 2 == 0;
    inputs_.beat_ready = noisy && changes(kBeatReady) ? chance : ready_for_front();
  }

  // If a beat is kept waiting, ready is low before the beat is visible.
  bool ready_for_front() const {
    const Pass* pass = monitor_.front();
    if (pass == nullptr || pass->number >= pass->step->stalls.size()) return true;
    const unsigned stall = pass->step->stalls[pass->number];
    return now_.beat_valid ? monitor_.waited() >= stall : stall == 0;
  }

  void reset() {
    inputs_.reset = true;
    clock_as_set();
    inputs_.reset = false;
    inputs_.req_valid = false;
  }

  /// Runs a clock in which no request can be taken.
  void clock() {
    inputs_.req_valid = false;
    if (step_->noise != 0) make_noise();
    set_beat_ready();
    clock_as_set();
  }

  // The order is that of kNoisy. Stable inputs also draw their numbers, so that the other numbers
  // do not change.
  enum Noisy { kValid, kSet, kAvail, kStore, kBeatReady };

  bool changes(Noisy input) const { return (step_->steady >> input & 1) == 0; }

  void make_noise() {
    const bool valid = random_() % 2 == 0;
    const BitSet set = random_set(inputs_.req_set.size(), random_);
    const BitSet avail = random_set(inputs_.req_avail.size(), random_);
    if (changes(kValid)) inputs_.req_valid = valid && !now_.req_ready;
    if (changes(kSet)) inputs_.req_set = set;
    if (changes(kAvail)) inputs_.req_avail = avail;
    if (monitor_.serving()) return;
    for (std::size_t j = 0; j < inputs_.store.rows(); ++j) {
      const BitSet row = random_set(inputs_.store.columns(), random_);
      if (changes(kStore)) inputs_.store.assign(j, row);
    }
    observed_.coverage.hit("inputs change where they may");
  }

  void clock_as_set() {
    dut_.drive(inputs_);
    dut_.read(settled_);
    // The outputs are unknown before the first edge.
    if (edges_ > 0) require_registers();
    now_ = settled_;
    last_ = inputs_;
    dut_.edge();
    ++edges_;
    ++observed_.clocks;
    if (dut_.stopped()) {
      throw Fault{"stopped itself",
                  "an assertion, $stop or $finish of the controller, or logic that never settles, "
                  "ended the simulation; see its message"};
    }
    dut_.read(settled_);
    const Outputs before = std::exchange(now_, settled_);
    if (probe_) turn_handshakes();
    monitor_.edge(*step_, inputs_, before, now_);
    dut_.expect(monitor_.front());
  }

  void turn_handshakes() {
    Inputs turned = inputs_;
    turned.req_valid = !turned.req_valid;
    turned.beat_ready = !turned.beat_ready;
    dut_.drive(turned);
    dut_.read(settled_);
    require_registers();
  }

  void require_registers() {
    if (same(now_, settled_)) return;
    if (follows_reset()) {
      throw Fault{"asynchronous reset",
                  "ready or a beat changed when rst_ni fell, without a clock edge"};
    }
    throw Fault{"output is no register",
                "ready or a beat changed with the inputs, without a clock edge"};
  }

  // True if an output that changes as rst_ni falls also does so while the other inputs are
  // constant.
  bool follows_reset() {
    if (!inputs_.reset || last_.reset) return false;
    last_.reset = true;
    dut_.drive(last_);
    dut_.read(settled_);
    return !same(now_, settled_);
  }

  Dut& dut_;
  const bool probe_;
  Observed& observed_;
  Monitor monitor_;
  const Step idle_;
  const Step* step_;
  Inputs inputs_;
  Inputs last_;  // Inputs driven at the last edge.
  Outputs now_;
  Outputs settled_;
  std::mt19937 random_;
  std::uint64_t edges_ = 0;
};

void add(const Monitor& monitor, Observed& observed) {
  if (monitor.most_clocks() == 0) return;
  const bool first = observed.most_clocks == 0;
  observed.least_clocks =
      first ? monitor.least_clocks() : std::min(observed.least_clocks, monitor.least_clocks());
  observed.most_clocks = std::max(observed.most_clocks, monitor.most_clocks());
}

}  // namespace

std::optional<Fault> play(const Scenario& scenario, Dut& dut, std::uint64_t pass_clocks,
                          Observed& observed, bool probe) {
  Player player(scenario.params, dut, pass_clocks, observed, probe);
  const std::size_t steps = scenario.steps.size();
  std::uint64_t number = 0;
  try {
    player.power_up();
    for (; number < scenario.requests(); ++number) player.play(scenario.steps[number % steps]);
    player.finish();
  } catch (Fault& fault) {
    const std::uint64_t at = std::min(number, scenario.requests() - 1);
    fault.step = at % steps;
    fault.round = at / steps;
    fault.clock = player.edges();
    return fault;
  }
  add(player.monitor(), observed);
  return std::nullopt;
}

}  // namespace flitcast::verify
