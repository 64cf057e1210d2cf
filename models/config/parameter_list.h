// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "config/schema.h"

namespace flitcast {

/// Every key for a reader: full name, what it may be, unit, default, when it applies, help. One
/// line for each key under a line of headings.
std::string parameter_text(const Schema& schema);

/// The same for programs: a list of {name, type, unit, default, minimum, maximum, choices, when,
/// help} without what does not apply; a key without `default` is required. `when` lists conditions
/// {key, values} that must all hold.
nlohmann::ordered_json parameter_json(const Schema& schema);

}  // namespace flitcast
