// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

#include "verify_controller/golden.h"
#include "verify_controller/scenario.h"

namespace flitcast::verify {

/// Requests chosen by hand: empty and full stores, ties, availability of none, one and all, as many
/// passes as there can be and one more, each with and without stalls, noise and a reset in every
/// phase. A beat that is to wait longer than a pass waits `long_stall` clocks.
Scenario directed(const clos::ControllerParams& params, unsigned long_stall);

/// Whether every store, request and availability can be tried: at most 2^16 of them.
bool can_exhaust(const clos::ControllerParams& params);
/// All requests on the store that is the m r bits of `store`.
Scenario exhaustive(const clos::ControllerParams& params, std::uint64_t store);

/// Requests at random: of all densities, of dense ones that take several passes, and the hardest of
/// many, those with the most passes and ties. With stalls, pauses, noise and resets at random.
class RandomScenarios {
 public:
  RandomScenarios(const clos::ControllerParams& params, unsigned seed);

  Scenario next(std::size_t steps, unsigned long_stall);
  /// At least so many requests without a reset: some at random and those chosen by hand, over and
  /// over. What a controller counts since its reset then goes far, and what it loses runs out.
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
