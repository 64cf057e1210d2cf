// SPDX-License-Identifier: Apache-2.0
#include "traffic/injection.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace flitcast {

namespace {

constexpr std::size_t kDigits = 62;
constexpr double kLeastProbability = 0x1p-53;  // For this p, 1 - p still differs from 1.

}  // namespace

Geometric::Geometric(double probability) {
  if (!(probability > 0 && probability <= 1)) {
    throw std::invalid_argument("a geometric draw needs a probability above 0 and at most 1");
  }
  double power = 1 - std::max(probability, kLeastProbability);  // The power q^(2^k), at most 1.
  while (thresholds_.size() < kDigits) {
    // The factor is at most one half, so the product with 2^64 fits.
    const auto threshold = static_cast<std::uint64_t>(power / (1 + power) * 0x1p64);
    if (threshold == 0) break;
    thresholds_.push_back(threshold);
    power *= power;
  }
}

namespace {

/// A process that creates a packet in every cycle with the same probability, independently of all
/// other cycles, so gaps are geometric. It has no state.
class Bernoulli : public Injection {
 public:
  /// @param probability  Probability of a packet in a cycle, 0 (no packets) to 1 (one in every
  /// cycle); anything else throws std::invalid_argument.
  explicit Bernoulli(double probability) {
    if (probability != 0) idle_.emplace(probability);
  }

  State start(Random&) const override { return 0; }
  std::uint64_t gap(State&, Random& random) const override {
    return idle_ ? idle_->draw(random) + 1 : kNoMore;
  }

 private:
  /// The number of cycles without a packet; absent if there are no packets.
  std::optional<Geometric> idle_;
};

/// The value of the key `load`, in flits per node and cycle.
double possible_load(const Section& workload, const char* key, double mean_length) {
  const double load = workload.number(key);
  if (load <= mean_length) return load;
  workload.fail(
      key,
      fmt::format("{:g} flits per cycle is more than one packet of {:g} flits in every cycle", load,
                  mean_length),
      fmt::format("use at most {:g}", std::floor(mean_length * 1000) / 1000));
}

std::unique_ptr<Injection> make_bernoulli(const Section& workload, double mean_length) {
  return std::make_unique<Bernoulli>(possible_load(workload, "load", mean_length) / mean_length);
}

/// Bursts: a node alternates between on, where every cycle has a packet with the same probability,
/// and off, where it is silent. Both times are geometric and at least one cycle (a two-state Markov
/// chain, the Markov-modulated process of Dally and Towles, 2004, section 24.2.2).
///
/// Off times are skipped: a gap costs one draw plus two for every off time in it. State: remaining
/// on cycles of the current burst.
class OnOff : public Injection {
 public:
  /// All three must be above 0 and at most 1, otherwise throws std::invalid_argument.
  /// @param probability  Probability of a packet in an on cycle.
  /// @param leave        Probability of an on cycle to be the last of its burst: 1 / mean burst
  /// length.
  /// @param enter        Probability of an off cycle to be the last before a burst.
  OnOff(double probability, double leave, double enter)
      : idle_(probability),
        more_on_(leave),
        more_off_(enter),
        on_share_(enter / (enter + leave)),
        burst_cycle_(1 / leave + 1 / enter) {}

  // Geometric times are memoryless: the rest of a burst in cycle 0 is as long as a whole one, and
  // gap() draws a whole off time for a node without on cycles.
  State start(Random& random) const override {
    return random.uniform() < on_share_ ? more_on_.draw(random) + 1 : 0;
  }

  std::uint64_t gap(State& on_left, Random& random) const override {
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

  double burst_cycle() const override { return burst_cycle_; }

 private:
  const Geometric idle_;
  const Geometric more_on_;   ///< The on cycles after the first of a burst.
  const Geometric more_off_;  ///< The off cycles after the first of an off time.
  const double on_share_;     ///< The share of on cycles.
  const double burst_cycle_;
};

std::unique_ptr<Injection> make_on_off(const Section& workload, double mean_length) {
  const double load = workload.number("load");
  const double peak = possible_load(workload, "peak_load", mean_length);
  const double burst = workload.number("burst_length");
  if (load == 0 || load == peak) return make_bernoulli(workload, mean_length);
  // The share of on cycles, load / peak, is largest if every off time lasts one cycle.
  const double most = peak * burst / (burst + 1);
  if (load > most) {
    workload.fail(
        "load",
        fmt::format("{} flits per cycle leaves no cycle between bursts of {} cycles at {}", load,
                    burst, peak),
        fmt::format("use at most {}, or {} for one endless burst", most, peak));
  }
  // The equation load / peak = enter / (enter + leave), solved for enter; it is 1 except for
  // rounding at the largest load.
  const double leave = 1 / burst;
  const double enter = std::min(1.0, leave * load / (peak - load));
  return std::make_unique<OnOff>(peak / mean_length, leave, enter);
}

}  // namespace

Catalog<InjectionEntry>& injections() {
  static Catalog<InjectionEntry> catalog{
      {"bernoulli",
       "a packet in every cycle with a fixed probability",
       {},
       make_bernoulli,
       {"load: 0.5", "load: 0"}},
      {"on_off",
       "bursts: a two-state Markov chain",
       {Param::number("burst_length", "cycles", "Mean length of a burst.", 1).defaults_to(100),
        Param::number("peak_load", "flits per node and cycle", "Load during a burst.", 0)
            .defaults_to(1.0)},
       make_on_off,
       {"load: 0.5", "load: 0.2, burst_length: 7, peak_load: 0.9"}},
  };
  return catalog;
}

}  // namespace flitcast
