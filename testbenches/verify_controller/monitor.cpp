// SPDX-License-Identifier: Apache-2.0
#include "verify_controller/monitor.h"

#include <fmt/format.h>

#include <algorithm>

#include "verify_controller/diagnosis.h"

namespace flitcast::verify {

Monitor::Monitor(const clos::ControllerParams& params, std::uint64_t pass_clocks,
                 Coverage& coverage)
    : params_(params), pass_clocks_(pass_clocks), coverage_(coverage), golden_(params) {}

void Monitor::edge(const Step& step, const Inputs& inputs, const Outputs& before,
                   const Outputs& after) {
  if (inputs.reset) {
    in_reset(inputs, before, after);
  } else {
    out_of_reset(step, inputs, before, after);
  }
  was_reset_ = inputs.reset;
}

void Monitor::in_reset(const Inputs& inputs, const Outputs& before, const Outputs& after) {
  if (!was_reset_) cover_reset(inputs, before);
  due_.clear();
  last_.reset();
  serving_ = false;
  waited_ = ready_edges_ = 0;
  idle_edges_ = 0;
  stretch_ = 0;
  if (after.beat_valid)
    throw Fault{"stale state after reset", "beat_valid_o is high after an edge in reset"};
  if (after.req_ready) throw Fault{"ready in reset", "req_ready_o is high after an edge in reset"};
}

void Monitor::out_of_reset(const Step& step, const Inputs& inputs, const Outputs& before,
                           const Outputs& after) {
  const bool taken = before.beat_valid && inputs.beat_ready;
  const bool waits = before.beat_valid && !taken;
  const bool load = before.req_ready && inputs.req_valid;
  const bool is_new = after.beat_valid && !waits;
  ++edges_;
  ++pass_edges_;
  delayed_ = delayed_ || waits;
  if (waits) check_waiting(before, after);
  if (taken) {
    if (waited_ > 0) cover_wait();
    last_ = due_.front();
    due_.pop_front();
    waited_ = 0;
  }
  if (is_new) check_new_beat(after);
  if (serving_) check_clocks(!waits, is_new);
  if (is_new) show_beat();
  if (load) {
    if (waits) coverage_.hit("request: taken while a beat waits");
    if (last_ && ready_edges_ == 1) coverage_.hit("request: at once after another");
    if (ready_edges_ > 1) coverage_.hit("request: after a pause");
    take(step);
  }
  check_ready(waits, before.req_ready && !load, after);
  check_progress(inputs, after);
}

void Monitor::check_waiting(const Outputs& before, const Outputs& after) {
  ++waited_;
  const clos::Beat& beat = due_.front().beat;
  if (!after.beat_valid) {
    throw Fault{"beat lost under back-pressure",
                "beat_valid_o fell before beat_ready_i took the beat", to_text(beat), "none"};
  }
  if (equal(after, beat)) return;
  throw Fault{
      "beat lost under back-pressure",
      "the beat changed while it waited for beat_ready_i: " + to_text(before) + " became another",
      to_text(beat), to_text(after)};
}

void Monitor::check_new_beat(const Outputs& after) {
  if (serving_ && equal(after, due_.front().beat)) return;
  if (last_ && equal(after, last_->beat) && (!serving_ || due_.front().step == last_->step)) {
    throw Fault{"beat repeated", "the beat was taken, and is shown again",
                serving_ ? to_text(due_.front().beat) : "none", to_text(after)};
  }
  if (serving_) throw diagnose(after, due_);
  throw Fault{"beat without a request", "beat_valid_o rises while no request is served", "none",
              to_text(after)};
}

void Monitor::show_beat() {
  if (!delayed_) {
    least_clocks_ = most_clocks_ == 0 ? pass_edges_ : std::min(least_clocks_, pass_edges_);
    most_clocks_ = std::max(most_clocks_, pass_edges_);
  }
  serving_ = !due_.front().beat.last;
  pass_edges_ = 0;
  delayed_ = late_ = false;
  scan_edges_ = pass_clocks_ - 1;
}

// A pass takes c - 1 edges of scan and an UPDATE, which a waiting beat delays.
void Monitor::check_clocks(bool can_update, bool is_new) {
  if (pass_clocks_ == 0) return;
  const bool scans = scan_edges_ > 0;
  if (scans) --scan_edges_;
  const bool updates = !scans && can_update;
  if (updates && !is_new) late_ = true;
  if (!is_new || (updates && !late_)) return;
  const std::size_t pass = due_.front().number;
  throw Fault{late_ ? "late" : "early",
              fmt::format("the beat of pass {} became visible {} clock{} after {}{}; {} a pass are "
                          "claimed",
                          pass + 1, pass_edges_, pass_edges_ == 1 ? "" : "s",
                          pass == 0 ? "the edge that took the request" : "the one before",
                          delayed_ ? ", which waited meanwhile" : "", pass_clocks_)};
}

void Monitor::take(const Step& step) {
  for (Pass& pass : golden_.passes(step)) due_.push_back(std::move(pass));
  serving_ = true;
  delayed_ = late_ = false;
  edges_ = 0;
  pass_edges_ = 0;
  scan_edges_ = pass_clocks_ - 1;
  coverage_.reach(++stretch_);
  cover_request(step);
}

void Monitor::check_ready(bool waits, bool must_stay, const Outputs& after) {
  if (serving_ && after.req_ready && waits && edges_ > 0) {
    throw Fault{"beat lost under back-pressure",
                "req_ready_o rises while a beat waits for beat_ready_i and more are due: one has "
                "overwritten another that is equal"};
  }
  if (serving_ && after.req_ready) {
    throw Fault{"ready while busy",
                "req_ready_o is high before the last beat of the request is visible: another "
                "request would be taken, and the store might change"};
  }
  if (was_reset_ && !after.req_ready) {
    throw Fault{"not ready after reset", "req_ready_o is low after the first edge out of reset"};
  }
  if (must_stay && !after.req_ready) {
    throw Fault{"ready fell", "req_ready_o fell at an edge that took no request"};
  }
  if (pass_clocks_ != 0 && !serving_ && !after.req_ready) {
    throw Fault{"late",
                "req_ready_o is not high together with the last beat, as the claim of clocks "
                "implies"};
  }
  ready_edges_ = after.req_ready ? ready_edges_ + 1 : 0;
}

void Monitor::check_progress(const Inputs& inputs, const Outputs& after) {
  const bool must_move = !after.beat_valid && (serving_ || !after.req_ready);
  idle_edges_ = must_move ? idle_edges_ + 1 : 0;
  const std::uint64_t limit = 4 * (pass_clocks_ + (params_.m + 1) * (params_.r + 1)) + 64;
  if (idle_edges_ <= limit) return;
  if (serving_ && !inputs.beat_ready) {
    throw Fault{"valid waits for ready",
                fmt::format("beat_valid_o stays low for {} edges with beat_ready_i low", limit)};
  }
  throw Fault{"hangs", fmt::format("{} edges without {}", limit,
                                   serving_ ? "the beat that is due" : "req_ready_o rising again")};
}

void Monitor::cover_reset(const Inputs& inputs, const Outputs& before) {
  if (serving_ && (!before.beat_valid || inputs.beat_ready)) {
    const std::size_t passed = before.beat_valid ? 1 : 0;
    const bool first = due_[std::min(passed, due_.size() - 1)].number == 0;
    coverage_.hit(first ? "reset: first pass" : "reset: later pass");
  } else if (before.beat_valid) {
    coverage_.hit(due_.front().beat.last ? "reset: last beat visible" : "reset: beat visible");
  } else if (edges_ > 0) {
    coverage_.hit(inputs.req_valid ? "reset: with a request" : "reset: idle");
  }
}

void Monitor::cover_request(const Step& step) {
  const std::size_t available = step.req_avail.count();
  if (available == params_.m) coverage_.hit("available: all");
  if (available == 1 && params_.m > 1) coverage_.hit("available: one");
  const std::size_t wanted = step.req_set.count();
  if (wanted == params_.r) coverage_.hit("wanted: all");
  if (wanted == 1 && params_.r > 1) coverage_.hit("wanted: one");
  std::size_t busy = 0;
  for (std::size_t j = 0; j < params_.m; ++j) busy += step.store.set_of(j).count();
  if (busy == 0) coverage_.hit("store: empty");
  if (busy == params_.m * params_.r) coverage_.hit("store: full");
  for (const Pass& pass : due_) {
    if (pass.step == &step) cover_pass(pass);
  }
}

void Monitor::cover_pass(const Pass& pass) {
  const Step& step = *pass.step;
  if (pass.beat.last && !pass.beat.fail) coverage_.hit(passes_point(pass.number + 1));
  if (pass.none_available()) return coverage_.hit("blocked: none available");
  if (pass.beat.fail) {
    coverage_.hit(pass.stuck ? "blocked: no progress" : "blocked: pass limit");
  }
  const std::size_t least = count_left(step, index(pass.beat.middle), pass.unserved);
  bool tie = false;
  bool masked = false;
  for (std::size_t j = 0; j < params_.m; ++j) {
    const std::size_t count = count_left(step, j, pass.unserved);
    const bool available = step.req_avail.test(j);
    tie = tie || (available && count == least && j != index(pass.beat.middle));
    masked = masked || (!available && count < least);
  }
  if (tie) coverage_.hit(pass.number == 0 ? "tie: first pass" : "tie: later pass");
  if (masked) coverage_.hit("the least of all is not available");
}

void Monitor::cover_wait() {
  const Pass& pass = due_.front();
  if (pass.beat.fail) return coverage_.hit("waits: block");
  if (pass.beat.last) return coverage_.hit("waits: last beat");
  coverage_.hit(pass.number == 0 ? "waits: first of several beats" : "waits: middle beat");
  if (waited_ > most_clocks_) coverage_.hit("waits: longer than a pass");
}

}  // namespace flitcast::verify
