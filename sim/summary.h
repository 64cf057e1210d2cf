// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace flitcast {

/// A result for reading on a terminal: the configuration in one line, then latencies and loads (of
/// a collective its rounds and its time, measured and analytic), hops, the most loaded links and
/// the speed of the simulation.
/// @param result  As to_json() makes it.
std::string summary(const nlohmann::ordered_json& result);

}  // namespace flitcast
