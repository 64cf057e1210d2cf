// SPDX-License-Identifier: Apache-2.0
#include "traffic/on_off.h"

#include <fmt/format.h>

#include <algorithm>

#include "traffic/bernoulli.h"

namespace flitcast {

OnOff::OnOff(double probability, double leave, double enter)
    : idle_(probability), more_on_(leave), more_off_(enter), on_share_(enter / (enter + leave)) {}

// Geometric times have no memory: what is left of a burst in cycle 0 is as long as a whole one, and
// gap() draws a whole off time for a node without on cycles.
Injection::State OnOff::start(Random& random) const {
  return random.uniform() < on_share_ ? more_on_.draw(random) + 1 : 0;
}

std::uint64_t OnOff::gap(State& on_left, Random& random) const {
  std::uint64_t on_cycles = idle_.draw(random) + 1;
  std::uint64_t off_cycles = 0;
  std::uint64_t spent = 0;
  while (on_cycles - spent > on_left) {
    spent += on_left;
    off_cycles += more_off_.draw(random) + 1;
    on_left = more_on_.draw(random) + 1;
  }
  on_left -= on_cycles - spent;
  return on_cycles + off_cycles;
}

std::unique_ptr<Injection> make_on_off(const Section& workload, double mean_length) {
  const double load = workload.number("load");
  const double peak = workload.number("peak_load");
  const double burst = workload.number("burst_length");
  if (peak > mean_length) {
    workload.fail(
        "peak_load",
        fmt::format("{} flits per cycle is more than one packet of {} flits in every cycle", peak,
                    mean_length),
        fmt::format("use at most {}", mean_length));
  }
  if (load == 0 || load == peak) return std::make_unique<Bernoulli>(load / mean_length);
  // The share of on cycles, load / peak, is at most what off times of one cycle each leave.
  const double most = peak * burst / (burst + 1);
  if (load > most) {
    workload.fail(
        "load",
        fmt::format("{} flits per cycle leaves no cycle between bursts of {} cycles at {}", load,
                    burst, peak),
        fmt::format("use at most {}, or {} for one endless burst", most, peak));
  }
  // load / peak = enter / (enter + leave), solved for enter; 1 but for rounding at the largest
  // load.
  const double leave = 1 / burst;
  const double enter = std::min(1.0, leave * load / (peak - load));
  return std::make_unique<OnOff>(peak / mean_length, leave, enter);
}

}  // namespace flitcast
