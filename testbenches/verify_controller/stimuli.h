// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

#include "verify_controller/golden.h"
#include "verify_controller/scenario.h"

namespace flitcast::verify {

/// Requests chosen by hand: empty and full stores, ties, availability of none, one and all, the
/// maximum number of passes and one more, each with and without stalls, noise and a reset in every
/// phase. A beat that must wait longer than a pass waits `long_stall` clocks.
Scenario directed(const clos::ControllerParams& params, unsigned long_stall);

/// True if every combination of store, request and availability can be tried: at most 2^16.
bool can_exhaust(const clos::ControllerParams& params);
/// All requests on the store given by the m r bits of `store`.
Scenario exhaustive(const clos::ControllerParams& params, std::uint64_t store);

/// Random requests: of all densities, dense ones that take several passes, and the hardest of many,
/// with the most passes and ties; with random stalls, pauses, noise and resets.
class RandomScenarios {
 public:
  RandomScenarios(const clos::ControllerParams& params, unsigned seed);

  Scenario next(std::size_t steps, unsigned long_stall);
  /// At least this number of requests without a reset: some random ones and those chosen by hand,
  /// repeated. The run exposes counters that overflow and resources that leak.
  Scenario long_run(std::uint64_t requests);

 private:
  BitSet random_set(std::size_t size, unsigned percent);
  Step random_step(unsigned busy, unsigned wanted, unsigned available);
  Step step_of_any_density();
  Step hardest_step();
  std::size_t hardness(const Step& step);
  void add_events(Step& step, unsigned long_stall);

  const clos::ControllerParams params_;
  std::mt19937 random_;
  Golden golden_;
};

}  // namespace flitcast::verify
