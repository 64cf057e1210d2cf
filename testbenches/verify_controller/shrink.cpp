// SPDX-License-Identifier: Apache-2.0
#include "verify_controller/shrink.h"

#include <algorithm>
#include <vector>

namespace flitcast::verify {
namespace {

class Shrinker {
 public:
  Shrinker(Scenario scenario, Fault fault, const Trial& trial)
      : scenario_(std::move(scenario)), fault_(std::move(fault)), trial_(trial) {}

  Scenario run() {
    cut_tail();
    if (scenario_.rounds > 1) repeat_one_step();
    drop_steps();
    do {
      changed_ = false;
      for (std::size_t s = 0; s < scenario_.steps.size(); ++s) simplify(s);
      drop_steps();
    } while (changed_);
    return scenario_;
  }

 private:
  // Keeps a change if the fault still occurs.
  bool keep(Scenario changed) {
    if (changed.steps.empty()) return false;
    const std::optional<Fault> fault = trial_(changed);
    if (!fault || fault->kind != fault_.kind) return false;
    fault_ = *fault;
    scenario_ = std::move(changed);
    changed_ = true;
    cut_tail();
    return true;
  }

  // Drops all steps after the fault; its beat may belong to the previous step.
  void cut_tail() {
    if (fault_.round > 0) {
      scenario_.rounds = fault_.round + 1;
      return;
    }
    scenario_.rounds = 1;
    Scenario shorter = scenario_;
    shorter.steps.erase(shorter.steps.begin() + static_cast<std::ptrdiff_t>(fault_.step) + 1,
                        shorter.steps.end());
    scenario_ = std::move(shorter);
  }

  // Repeats a single request, which usually shows the fault if a counter or a leak is the cause.
  void repeat_one_step() {
    const std::vector<Step> steps = scenario_.steps;
    const std::uint64_t requests = scenario_.requests();
    for (const Step& step : steps) {
      if (keep({scenario_.params, scenario_.power_up, {step}, requests})) return;
    }
  }

  // Drops halves, quarters and so on, from the front, because the fault is at the end.
  void drop_steps() {
    for (std::size_t size = scenario_.steps.size() / 2; size > 0; size /= 2) {
      for (std::size_t from = 0; from + size <= scenario_.steps.size();) {
        Scenario shorter = scenario_;
        const auto begin = shorter.steps.begin() + static_cast<std::ptrdiff_t>(from);
        shorter.steps.erase(begin, begin + static_cast<std::ptrdiff_t>(size));
        if (!keep(std::move(shorter))) from += size;
      }
    }
  }

  template <class Change>
  bool change(std::size_t s, const Change& change) {
    if (s >= scenario_.steps.size()) return false;
    Scenario changed = scenario_;
    change(changed.steps[s]);
    return keep(std::move(changed));
  }

  void simplify(std::size_t s) {
    const Step step = scenario_.steps[s];
    if (step.noise != 0) change(s, [](Step& it) { it.noise = it.steady = 0; });
    for (std::size_t i = 0; step.noise != 0 && i < kNoisy.size(); ++i) {
      if ((step.steady >> i & 1) == 0) change(s, [i](Step& it) { it.steady |= 1U << i; });
    }
    if (step.pause != 0) change(s, [](Step& it) { it.pause = 0; });
    if (step.reset.phase != ResetAt::Phase::kNever) change(s, [](Step& it) { it.reset = {}; });
    if (step.reset.count != 0) change(s, [](Step& it) { it.reset.count = 0; });
    if (!step.stalls.empty()) change(s, [](Step& it) { it.stalls.clear(); });
    for (std::size_t p = 0; p < step.stalls.size(); ++p) {
      shorten_stall(s, p, 0);
      shorten_stall(s, p, 1);
    }
    step.req_set.for_each([&](std::size_t i) {
      if (s < scenario_.steps.size() && scenario_.steps[s].req_set.count() > 1) {
        change(s, [i](Step& it) { it.req_set.reset(i); });
      }
    });
    step.req_avail.for_each(
        [&](std::size_t j) { change(s, [j](Step& it) { it.req_avail.reset(j); }); });
    for (std::size_t j = 0; j < step.store.rows(); ++j) {
      step.store.set_of(j).for_each(
          [&](std::size_t i) { change(s, [i, j](Step& it) { it.store.reset(j, i); }); });
    }
  }

  void shorten_stall(std::size_t s, std::size_t pass, unsigned clocks) {
    if (s >= scenario_.steps.size() || scenario_.steps[s].stalls.size() <= pass) return;
    if (scenario_.steps[s].stalls[pass] <= clocks) return;
    change(s, [pass, clocks](Step& it) { it.stalls[pass] = clocks; });
  }

  Scenario scenario_;
  Fault fault_;
  const Trial& trial_;
  bool changed_ = false;
};

template <class Holds>
bool any_step(const Scenario& scenario, const Holds& holds) {
  return std::any_of(scenario.steps.begin(), scenario.steps.end(), holds);
}

bool has_reset(const Step& step) { return step.reset.phase != ResetAt::Phase::kNever; }

// Inputs that must be noisy, "req_set_i, store_i"; empty if there is no noise.
std::string changing_inputs(const Scenario& scenario) {
  std::string names;
  for (std::size_t i = 0; i < kNoisy.size(); ++i) {
    const auto changes = [i](const Step& step) {
      return step.noise != 0 && (step.steady >> i & 1) == 0;
    };
    if (any_step(scenario, changes)) names += (names.empty() ? "" : ", ") + std::string(kNoisy[i]);
  }
  return names;
}

bool has_stall(const Step& step) {
  return std::any_of(step.stalls.begin(), step.stalls.end(),
                     [](unsigned stall) { return stall > 0; });
}

}  // namespace

Scenario shrink(Scenario scenario, const Fault& fault, const Trial& trial) {
  return Shrinker(std::move(scenario), fault, trial).run();
}

std::string needs(const Scenario& shrunk, bool power_up) {
  std::vector<std::string> parts;
  if (power_up) parts.emplace_back("a register that the reset after power-up does not set");
  if (any_step(shrunk, has_reset)) parts.emplace_back("a reset in the course of it");
  if (any_step(shrunk, has_stall)) parts.emplace_back("a beat that waits for beat_ready_i");
  const std::string changing = changing_inputs(shrunk);
  if (!changing.empty()) parts.push_back("a change of " + changing + " where it may change");
  if (shrunk.rounds > 1) {
    parts.push_back(std::to_string(shrunk.requests()) + " requests without a reset");
  } else if (shrunk.steps.size() > 1 && !any_step(shrunk, has_reset)) {
    parts.emplace_back("the request before it");
  }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

Fault with_cause(Fault fault, const Scenario& shrunk, bool power_up) {
  // A fault without a clock edge does not depend on state.
  if (fault.kind == "asynchronous reset" || fault.kind == "output is no register") return fault;
  const auto rename = [&fault](const std::string& cause) {
    if (fault.kind.find(cause) != std::string::npos) return;
    fault.text = fault.kind + ": " + fault.text;
    fault.kind = cause;
  };
  if (power_up || any_step(shrunk, has_reset)) {
    rename("stale state after reset");
  } else if (any_step(shrunk, has_stall) && fault.kind == "beat lost") {
    rename("beat lost under back-pressure");
  } else if (const std::string names = changing_inputs(shrunk); !names.empty()) {
    rename("sampled at a wrong edge: " + names);
  }
  return fault;
}

}  // namespace flitcast::verify
