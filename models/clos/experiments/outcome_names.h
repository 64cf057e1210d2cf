// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "clos/control.h"
#include "clos/network_state.h"

namespace flitcast::clos {

/// The word for an outcome in traces: "ok-local", "ok-reuse", "ok-new", "ok-rerouted", "blocked".
std::string name(Join outcome);
/// "kept-link", "link-freed", "closed".
std::string name(Leave outcome);

/// The outcome of that name; std::invalid_argument lists the names if it is none of them.
Join join_outcome(const std::string& name);
Leave leave_outcome(const std::string& name);

}  // namespace flitcast::clos
