// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

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

/// Plays directed, all (of small sizes) and random requests up to the first fault, which it
/// shortens. The same arguments give the same verdict.
Verdict verify(const Task& task, const MakeDut& make_dut);

/// Plays one scenario; its fault is not shortened. `wave`: a file for its waveform, or empty.
Verdict replay(const Task& task, const Scenario& scenario, const MakeDut& make_dut,
               const std::string& wave = {});

}  // namespace flitcast::verify
