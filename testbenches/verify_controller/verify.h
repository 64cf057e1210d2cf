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

/// Parameters and claims of a controller.
struct Task {
  clos::ControllerParams params;
  std::uint64_t pass_clocks = 0;            ///< Claimed clocks of a pass; 0: no claim.
  std::uint64_t random_clocks = 1'000'000;  ///< Least number of clocks of random requests.
  std::uint64_t long_run = 1U << 17;        ///< Requests without a reset.
};

/// The verdict on a controller.
struct Verdict {
  Observed observed;
  bool exhaustive = false;      ///< Every store, request and availability was tried.
  std::optional<Fault> fault;   ///< The first fault.
  std::optional<Scenario> why;  ///< The shortest scenario found that shows the fault.
  /// True if the fault disappears with other register contents at power-up, so a reset does not
  /// clear all of them.
  bool needs_power_up = false;
};

/// Plays directed, all (for small sizes) and random requests, and a long run without a reset, up to
/// the first fault, which is shortened. The length of the run is that of the task unless it might
/// take more than 10^9 clocks. Equal arguments give equal verdicts.
Verdict verify(const Task& task, const MakeDut& make_dut);

/// A file for a waveform, if any, and the clock at which it starts.
struct Wave {
  std::string file{};
  std::uint64_t from = 0;
};

/// Plays one scenario; its fault is not shortened.
Verdict replay(const Task& task, const Scenario& scenario, const MakeDut& make_dut,
               const Wave& wave = {});

}  // namespace flitcast::verify
