// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <random>

#include "verify_controller/coverage.h"
#include "verify_controller/dut.h"
#include "verify_controller/fault.h"
#include "verify_controller/monitor.h"
#include "verify_controller/scenario.h"

namespace flitcast::verify {

/// The observations of a controller over all scenarios.
struct Observed {
  Coverage coverage;
  std::uint64_t clocks = 0;
  std::uint64_t requests = 0;
  /// Clocks of a pass without a delaying beat; 0: no pass observed yet.
  std::uint64_t least_clocks = 0;
  std::uint64_t most_clocks = 0;

  /// @param long_run  A point of coverage for this number of requests without a reset; 0: none.
  explicit Observed(const clos::ControllerParams& params, std::uint64_t long_run = 0)
      : coverage(params, long_run) {}
};

/// Plays the scenario on a controller as it is after power-up, up to the first fault.
/// @param pass_clocks  The claim; 0: no claim.
/// @param probe        Toggles the handshakes between the edges, which exposes a combinational
///                     output earlier than the scenario does.
std::optional<Fault> play(const Scenario& scenario, Dut& dut, std::uint64_t pass_clocks,
                          Observed& observed, bool probe = false);

}  // namespace flitcast::verify
