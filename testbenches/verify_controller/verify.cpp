// SPDX-License-Identifier: Apache-2.0
#include "verify_controller/verify.h"

#include <algorithm>

#include "verify_controller/shrink.h"
#include "verify_controller/stimuli.h"

namespace flitcast::verify {
namespace {

constexpr std::size_t kSteps = 50;
constexpr std::uint64_t kMostLongClocks = 1'000'000'000;

std::optional<Fault> try_alone(const Task& task, const Scenario& scenario,
                               const MakeDut& make_dut) {
  Observed unused(task.params);
  return play(scenario, *make_dut(scenario.power_up), task.pass_clocks, unused);
}

// True if the fault disappears with some other contents of the registers at power-up.
bool passes_otherwise(const Task& task, Scenario scenario, const MakeDut& make_dut) {
  constexpr unsigned kOthers = 16;
  for (unsigned other = 0; other < kOthers; ++other) {
    ++scenario.power_up;
    if (!try_alone(task, scenario, make_dut)) return true;
  }
  return false;
}

class Verifier {
 public:
  Verifier(const Task& task, const MakeDut& make_dut)
      : task_(task),
        make_dut_(make_dut),
        verdict_{Observed(task.params, task.long_run), false, {}, {}, false} {}

  Verdict run() {
    // The first round measures the length of a pass.
    if (passes(directed(task_.params, 8)) && passes(directed(task_.params, long_stall()))) {
      if (try_all() && try_at_random()) try_for_long();
    }
    return std::move(verdict_);
  }

 private:
  unsigned long_stall() const { return static_cast<unsigned>(verdict_.observed.most_clocks) + 2; }

  bool passes(const Scenario& scenario) {
    const auto dut = make_dut_(scenario.power_up);
    verdict_.fault = play(scenario, *dut, task_.pass_clocks, verdict_.observed);
    if (!verdict_.fault) return true;
    verdict_.why = shrink(scenario, *verdict_.fault, [this](const Scenario& part) {
      return try_alone(task_, part, make_dut_);
    });
    const Verdict shortest = replay(task_, *verdict_.why, make_dut_);
    verdict_.fault = shortest.fault;
    verdict_.needs_power_up = shortest.needs_power_up;
    return false;
  }

  bool try_all() {
    if (!can_exhaust(task_.params)) return true;
    const std::uint64_t stores = std::uint64_t{1} << task_.params.m * task_.params.r;
    for (std::uint64_t store = 0; store < stores; ++store) {
      if (!passes(exhaustive(task_.params, store))) return false;
    }
    verdict_.exhaustive = true;
    return true;
  }

  bool try_at_random() {
    RandomScenarios scenarios(task_.params, 1);
    const std::uint64_t end = verdict_.observed.clocks + task_.random_clocks;
    while (verdict_.observed.clocks < end) {
      if (!passes(scenarios.next(kSteps, long_stall()))) return false;
    }
    return true;
  }

  void try_for_long() {
    constexpr std::uint64_t kAround = 8;  // The pauses and stalls of a request.
    const std::uint64_t clocks =
        most_passes(task_.params) * verdict_.observed.most_clocks + kAround;
    const std::uint64_t requests = std::min(task_.long_run, kMostLongClocks / clocks);
    if (requests > 0) passes(RandomScenarios(task_.params, 2).long_run(requests));
  }

  const Task& task_;
  const MakeDut& make_dut_;
  Verdict verdict_;
};

}  // namespace

Verdict verify(const Task& task, const MakeDut& make_dut) { return Verifier(task, make_dut).run(); }

Verdict replay(const Task& task, const Scenario& scenario, const MakeDut& make_dut,
               const Wave& wave) {
  Verdict verdict{Observed(task.params), false, {}, scenario, false};
  const auto dut = make_dut(scenario.power_up);
  const bool traced = !wave.file.empty();
  if (traced) dut->trace(wave.file, wave.from);
  verdict.fault = play(scenario, *dut, task.pass_clocks, verdict.observed, !traced);
  if (!verdict.fault) return verdict;
  verdict.needs_power_up = passes_otherwise(task, scenario, make_dut);
  verdict.fault = with_cause(*verdict.fault, scenario, verdict.needs_power_up);
  return verdict;
}

}  // namespace flitcast::verify
