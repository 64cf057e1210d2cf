// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "verify_controller/fault.h"
#include "verify_controller/scenario.h"

namespace flitcast::verify {

/// What a controller, fresh from power-up, does wrong in a scenario.
using Trial = std::function<std::optional<Fault>(const Scenario& scenario)>;

/// A scenario from which nothing can be left out, no step, stall, reset or member of a set, without
/// the fault of that kind being gone; which one depends on nothing but the arguments. The scenario
/// shows the fault.
Scenario shrink(Scenario scenario, const Fault& fault, const Trial& trial);

/// What the fault needs beyond a request alone, in words: "a reset while a request is served".
/// Empty if nothing. `power_up`: registers that hold something particular at power-up.
std::string needs(const Scenario& shrunk, bool power_up);

/// The fault under the name of its cause, when what it needs tells more than what was seen.
Fault with_cause(Fault fault, const Scenario& shrunk, bool power_up);

}  // namespace flitcast::verify
