// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/controllers/controller.h"

namespace flitcast::verify {

/// An edge in reset, during a step.
struct ResetAt {
  enum class Phase {
    kNever,
    kIdle,     ///< Before the request is offered, which then follows.
    kRequest,  ///< At an edge at which the request is offered; it is offered again afterwards.
    kPass,     ///< `count` edges after the one that takes the request, unless it has ended.
    kBeat,     ///< While beat `count`, from 0, is visible and waits, if there is such a beat.
  };
  Phase phase = Phase::kNever;
  unsigned count = 0;
};

/// The inputs that noise changes.
constexpr std::array<const char*, 5> kNoisy{"req_valid_i", "req_set_i", "req_avail_i", "store_i",
                                            "beat_ready_i"};

/// A request and its circumstances. A request that a reset ends is not offered again.
struct Step {
  BitMatrix store;
  BitSet req_set;
  BitSet req_avail;
  unsigned pause = 0;            ///< Clocks with ready high before the request is offered.
  std::vector<unsigned> stalls;  ///< Clocks that each beat is kept waiting; 0 for further ones.
  ResetAt reset;
  /// A seed, if not 0: inputs change at random in every clock in which they have no meaning:
  /// req_valid_i and the request while ready is low, the request while valid is low, the store
  /// while no request is served, beat_ready_i while there is no beat.
  std::uint32_t noise = 0;
  /// Inputs that are stable despite the noise: bit i is kNoisy[i].
  unsigned steady = 0;

  Step(std::size_t m, std::size_t r) : store(m, r), req_set(r), req_avail(m) {}
};

/// All inputs of a controller from power-up on: one edge in reset, then the steps, repeated
/// `rounds` times.
struct Scenario {
  clos::ControllerParams params;
  unsigned power_up = 1;  ///< Seed of the registers' contents before the first reset.
  std::vector<Step> steps;
  std::uint64_t rounds = 1;

  std::uint64_t requests() const { return rounds * steps.size(); }
};

/// Throws std::invalid_argument, with a message for the user, for a size that is not from 1 to 1024
/// (Verilator does not unroll longer loops), for a store of more than 2^17 bits, which takes
/// minutes, and without both a limit of passes and the test of progress.
void require_playable(const clos::ControllerParams& params);

/// The scenario as JSON, with sets as masks in hexadecimal; fields that are 0 are omitted.
std::string to_json(const Scenario& scenario);
/// Reads the scenario from such a text.
/// Throws std::invalid_argument with a message that names the problem.
Scenario from_json(const std::string& text);

}  // namespace flitcast::verify
