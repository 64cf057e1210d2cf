// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/param.h"
#include "config/yaml.h"

namespace flitcast {

/// The value in the type that the table promises: integers as 64-bit integers, numbers as finite
/// doubles, lists as lists. Null, and a problem for each fault, when it is not such a value.
///
/// Integers are plain decimal digits and booleans `true` or `false`; other spellings that YAML
/// dialects know (1e3, 1_000, 0x10, 010, yes, on) are refused, because readers disagree on them.
///
/// @param name  Full dotted name, for problems.
nlohmann::json read_value(const YamlValue& written, const Param& param, const std::string& name,
                          std::vector<Problem>& problems);

}  // namespace flitcast
