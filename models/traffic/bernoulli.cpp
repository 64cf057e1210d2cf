// SPDX-License-Identifier: Apache-2.0
#include "traffic/bernoulli.h"

#include <fmt/format.h>

namespace flitcast {

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

}  // namespace flitcast
