// SPDX-License-Identifier: Apache-2.0
#include "verify_controller/stimuli.h"

#include <algorithm>

#include "verify_controller/coverage.h"

namespace flitcast::verify {
namespace {

using Phase = ResetAt::Phase;

Step whole_request(const clos::ControllerParams& params) {
  Step step(params.m, params.r);
  step.req_set = BitSet::full(params.r);
  step.req_avail = BitSet::full(params.m);
  return step;
}

Step full_store(const clos::ControllerParams& params) {
  Step step = whole_request(params);
  for (std::size_t j = 0; j < params.m; ++j) step.store.assign(j, step.req_set);
  return step;
}

// Middle switch j serves only output switch j, so each pass serves one more; the first `missing`
// serve nothing.
Step one_each(const clos::ControllerParams& params, std::size_t missing) {
  Step step = full_store(params);
  for (std::size_t j = missing; j < params.m; ++j) step.store.reset(j, j % params.r);
  return step;
}

// A request that takes `passes` passes, if possible.
Step served_in(const clos::ControllerParams& params, std::size_t passes) {
  Step step = one_each(params, 0);
  step.req_set.clear();
  for (std::size_t i = 0; i < std::min({passes, params.m, params.r}); ++i) step.req_set.set(i);
  return step;
}

// Middle switches before `first` serve nothing, all others serve everything.
Step from_on(const clos::ControllerParams& params, std::size_t first) {
  Step step = full_store(params);
  for (std::size_t j = first; j < params.m; ++j) step.store.assign(j, BitSet(params.r));
  return step;
}

std::vector<Step> requests(const clos::ControllerParams& params) {
  std::vector<Step> steps{whole_request(params), full_store(params)};
  const std::size_t most = most_passes(params);
  for (std::size_t passes = 1; passes <= std::min(most + 1, kCountedPasses); ++passes) {
    steps.push_back(served_in(params, passes));
  }
  if (most >= kCountedPasses) {
    for (const std::size_t passes : {most, most + 1}) steps.push_back(served_in(params, passes));
  }
  steps.push_back(one_each(params, 0));
  steps.push_back(one_each(params, params.m / 2));
  steps.push_back(from_on(params, params.m / 2));
  steps.push_back(from_on(params, params.m - 1));
  Step none = whole_request(params);
  none.req_avail.clear();
  steps.push_back(none);
  Step last = whole_request(params);
  last.req_avail.clear();
  last.req_avail.set(params.m - 1);
  steps.push_back(last);
  Step one = whole_request(params);
  one.req_set.clear();
  one.req_set.set(params.r - 1);
  steps.push_back(one);
  return steps;
}

// `later` is the number of edges to a point in the second pass.
std::vector<ResetAt> resets(unsigned later) {
  return {{Phase::kIdle, 0}, {Phase::kRequest, 0},  {Phase::kPass, 0}, {Phase::kPass, 1},
          {Phase::kPass, 2}, {Phase::kPass, later}, {Phase::kBeat, 0}, {Phase::kBeat, 1}};
}

}  // namespace

Scenario directed(const clos::ControllerParams& params, unsigned long_stall) {
  Scenario scenario{params, 1, {}};
  const auto add = [&](Step step, std::uint32_t noise, std::vector<unsigned> stalls, unsigned pause,
                       ResetAt reset) {
    step.noise = noise == 0 ? 0 : static_cast<std::uint32_t>(scenario.steps.size()) + 1;
    step.stalls = std::move(stalls);
    step.pause = pause;
    step.reset = reset;
    scenario.steps.push_back(std::move(step));
  };
  const std::vector<unsigned> each(most_passes(params), 2);
  const std::vector<unsigned> lengthy(most_passes(params), long_stall);
  for (const Step& request : requests(params)) {
    for (const std::uint32_t noise : {0U, 1U}) {
      add(request, noise, {}, 0, {});
      add(request, noise, each, 1, {});
      add(request, noise, lengthy, 0, {});
      for (const ResetAt& reset : resets(long_stall)) {
        add(request, noise, {}, 0, reset);
        add(request, noise, {}, 0, {});
      }
    }
  }
  return scenario;
}

bool can_exhaust(const clos::ControllerParams& params) {
  return params.m * params.r + params.m + params.r <= 16;
}

Scenario exhaustive(const clos::ControllerParams& params, std::uint64_t store) {
  Scenario scenario{params, 1, {}};
  Step step(params.m, params.r);
  const std::uint64_t all = (std::uint64_t{1} << params.r) - 1;
  for (std::size_t j = 0; j < params.m; ++j) *step.store.row(j) = store >> j * params.r & all;
  for (std::uint64_t wanted = 1; wanted <= all; ++wanted) {
    for (std::uint64_t available = 0; available >> params.m == 0; ++available) {
      *step.req_set.words() = wanted;
      *step.req_avail.words() = available;
      scenario.steps.push_back(step);
    }
  }
  return scenario;
}

RandomScenarios::RandomScenarios(const clos::ControllerParams& params, unsigned seed)
    : params_(params), random_(seed), golden_(params) {}

BitSet RandomScenarios::random_set(std::size_t size, unsigned percent) {
  BitSet set(size);
  for (std::size_t member = 0; member < size; ++member) {
    if (random_() % 100 < percent) set.set(member);
  }
  return set;
}

Step RandomScenarios::random_step(unsigned busy, unsigned wanted, unsigned available) {
  Step step(params_.m, params_.r);
  for (std::size_t j = 0; j < params_.m; ++j) step.store.assign(j, random_set(params_.r, busy));
  step.req_set = random_set(params_.r, wanted);
  step.req_avail = random_set(params_.m, available);
  if (step.req_set.none()) step.req_set.set(random_() % params_.r);
  return step;
}

// Orders requests by passes, then by the middle switches that compete in them.
std::size_t RandomScenarios::hardness(const Step& step) {
  std::size_t ties = 0;
  const std::vector<Pass> passes = golden_.passes(step);
  for (const Pass& pass : passes) {
    if (pass.beat.fail) continue;
    const std::size_t least = count_left(step, index(pass.beat.middle), pass.unserved);
    for (std::size_t j = 0; j < params_.m; ++j) {
      ties += step.req_avail.test(j) && count_left(step, j, pass.unserved) == least ? 1U : 0U;
    }
  }
  return passes.size() * (params_.m * most_passes(params_) + 1) + ties;
}

Step RandomScenarios::hardest_step() {
  constexpr int kCandidates = 16;
  Step hardest = random_step(70, 100, 100);
  std::size_t most = hardness(hardest);
  for (int candidate = 1; candidate < kCandidates; ++candidate) {
    Step step = random_step(50 + 5 * static_cast<unsigned>(candidate % 8), 90, 80);
    const std::size_t here = hardness(step);
    if (here <= most) continue;
    most = here;
    hardest = std::move(step);
  }
  return hardest;
}

void RandomScenarios::add_events(Step& step, unsigned long_stall) {
  step.noise = random_() % 2 == 0 ? 0 : static_cast<std::uint32_t>(random_() | 1);
  if (random_() % 3 == 0) step.pause = static_cast<unsigned>(random_() % 4);
  if (random_() % 2 == 0) {
    const unsigned most = random_() % 4 == 0 ? long_stall + 1 : 4;
    step.stalls.resize(most_passes(params_));
    for (unsigned& stall : step.stalls) stall = static_cast<unsigned>(random_() % most);
  }
  if (random_() % 8 == 0) {
    step.reset.phase = static_cast<Phase>(1 + random_() % 4);
    step.reset.count = static_cast<unsigned>(
        random_() % (step.reset.phase == Phase::kBeat ? most_passes(params_) : 2 * long_stall));
  }
}

// The numbers are drawn one after the other, because the order of evaluation of arguments is
// unspecified.
Step RandomScenarios::step_of_any_density() {
  const auto tenths = [this] { return static_cast<unsigned>(random_() % 11) * 10; };
  const unsigned available = tenths();
  const unsigned wanted = tenths();
  const unsigned busy = tenths();
  return random_step(busy, wanted, available);
}

Scenario RandomScenarios::next(std::size_t steps, unsigned long_stall) {
  Scenario scenario{params_, static_cast<unsigned>(random_()), {}};
  while (scenario.steps.size() < steps) {
    const auto kind = random_() % 3;
    Step step = kind == 0   ? step_of_any_density()
                : kind == 1 ? random_step(60 + static_cast<unsigned>(random_() % 4) * 10, 90, 90)
                            : hardest_step();
    add_events(step, long_stall);
    scenario.steps.push_back(std::move(step));
  }
  return scenario;
}

Scenario RandomScenarios::long_run(std::uint64_t requests) {
  constexpr std::size_t kDrawn = 16;
  constexpr unsigned kShortStall = 3;
  Scenario scenario = next(kDrawn, kShortStall);
  for (Step& step : verify::requests(params_)) {
    add_events(step, kShortStall);
    scenario.steps.push_back(std::move(step));
  }
  for (Step& step : scenario.steps) step.reset = {};
  scenario.rounds = (requests + scenario.steps.size() - 1) / scenario.steps.size();
  return scenario;
}

}  // namespace flitcast::verify
