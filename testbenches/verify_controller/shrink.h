// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "verify_controller/fault.h"
#include "verify_controller/scenario.h"

namespace flitcast::verify {

/// Plays a scenario on a new controller after power-up; returns its fault.
using Trial = std::function<std::optional<Fault>(const Scenario& scenario)>;

/// A minimal scenario: without any one step, stall, reset or member of a set the fault of that kind
/// disappears. The result depends only on the arguments and shows the fault.
Scenario shrink(Scenario scenario, const Fault& fault, const Trial& trial);

/// The conditions of the fault besides a request, in words: "a reset while a request is served".
/// Empty if there are none.
/// @param power_up  True if the fault depends on the contents of registers at power-up.
std::string needs(const Scenario& shrunk, bool power_up);

/// The fault with the name of its cause, if its conditions are more specific than the observation.
Fault with_cause(Fault fault, const Scenario& shrunk, bool power_up);

}  // namespace flitcast::verify
