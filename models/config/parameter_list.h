// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "config/schema.h"

namespace flitcast {

/// Every key for a reader: its full name, and indented below it what it may be, unit and default,
/// when it applies if not always, and help. Lines have at most 100 columns.
std::string parameter_text(const Schema& schema);

/// The same for programs: a list of {name, type, unit, default, minimum, maximum, choices, when,
/// help} without what does not apply; a key without `default` is required. `when` lists conditions
/// {key, values} that must all hold.
nlohmann::ordered_json parameter_json(const Schema& schema);

}  // namespace flitcast
