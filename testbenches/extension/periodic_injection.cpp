// SPDX-License-Identifier: Apache-2.0
// A user's injection process: packets at equal intervals, as a sampled signal sends them.
#include "extension.h"

namespace {

using namespace flitcast;

/// State: by how much the last packet came too early, in cycles times 2^32.
class Periodic : public Injection {
 public:
  explicit Periodic(double period) : period_(static_cast<std::uint64_t>(period * kOne)) {}

  State start(Random& random) const override { return random.next() % kOneCycle; }

  std::uint64_t gap(State& early, Random&) const override {
    if (period_ == 0) return kNoMore;
    early += period_;
    const std::uint64_t cycles = early >> 32;
    early %= kOneCycle;
    return cycles;
  }

 private:
  static constexpr std::uint64_t kOneCycle = std::uint64_t{1} << 32;
  static constexpr auto kOne = static_cast<double>(kOneCycle);

  std::uint64_t period_;  ///< Cycles times 2^32; 0: no packets.
};

std::unique_ptr<Injection> make_periodic(const Section& workload, double mean_length) {
  const double load = workload.number("load");
  if (load > mean_length) {
    workload.fail("load", "more than a packet in every cycle", "use at most the packet length");
  }
  return std::make_unique<Periodic>(load == 0 ? 0 : mean_length / load);
}

}  // namespace

flitcast::InjectionEntry periodic_injection() {
  return {"periodic", "packets at equal distances", {}, make_periodic, {"load: 0.3", "load: 0"}};
}
