// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "traffic/geometric.h"
#include "traffic/injection.h"

namespace flitcast {

namespace {

/// A packet in every cycle with the same probability, independent of all other cycles: gaps are
/// geometric. Keeps no state.
class Bernoulli : public Injection {
 public:
  /// @param probability  Of a packet in a cycle, 0 (no packets at all) to 1 (one in every cycle);
  ///                     anything else throws std::invalid_argument.
  explicit Bernoulli(double probability);

  State start(Random&) const override { return 0; }
  std::uint64_t gap(State& state, Random& random) const override;

 private:
  std::optional<Geometric> idle_;  ///< Cycles without a packet; absent when none ever comes.
};

Bernoulli::Bernoulli(double probability) {
  if (probability != 0) idle_.emplace(probability);
}

std::uint64_t Bernoulli::gap(State&, Random& random) const {
  return idle_ ? idle_->draw(random) + 1 : kNoMore;
}

std::unique_ptr<Injection> make_bernoulli(const Section& workload, double mean_length) {
  const double load = workload.number("load");
  if (load > mean_length) {
    workload.fail(
        "load",
        fmt::format("{} flits per cycle is more than one packet of {} flits in every cycle", load,
                    mean_length),
        fmt::format("use at most {}", mean_length));
  }
  return std::make_unique<Bernoulli>(load / mean_length);
}

}  // namespace

InjectionEntry bernoulli_injection() {
  return {"bernoulli", "a coin in every cycle", {}, make_bernoulli, {"load: 0.5", "load: 0"}};
}

}  // namespace flitcast
