// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "verify_controller/dut.h"
#include "verify_controller/fault.h"
#include "verify_controller/player.h"
#include "verify_controller/scenario.h"

namespace flitcast::verify {

/// What a controller is built for and measured by.
struct Task {
  clos::ControllerParams params;
  std::uint64_t pass_clocks = 0;            ///< Claimed; 0: no claim.
  std::uint64_t random_clocks = 1'000'000;  ///< For requests at random, at least.
  std::uint64_t long_run = 1U << 17;        ///< Requests without a reset.
};

/// How it fared.
struct Verdict {
  Observed observed;
  bool exhaustive = false;      ///< Every store, request and availability was tried.
  std::optional<Fault> fault;   ///< The first one,
  std::optional<Scenario> why;  ///< and the shortest scenario found that shows it.
  /// With other contents of the registers at power-up it does not show: a reset leaves some alone.
  bool needs_power_up = false;
};

/// Plays directed, all (of small sizes) and random requests, and a long run without a reset, up to
/// the first fault, which it shortens. The run is as long as the task has it unless it might take
/// more than 10^9 clocks. The same arguments give the same verdict.
Verdict verify(const Task& task, const MakeDut& make_dut);

/// A file for a waveform, or none, and the clock from which on it is wanted.
struct Wave {
  std::string file{};
  std::uint64_t from = 0;
};

/// Plays one scenario; its fault is not shortened.
Verdict replay(const Task& task, const Scenario& scenario, const MakeDut& make_dut,
               const Wave& wave = {});

}  // namespace flitcast::verify
