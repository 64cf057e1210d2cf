// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/problem.h"
#include "config/schema.h"
#include "config/yaml.h"

namespace flitcast {

/// What a section comes to: the values of the keys that apply, by dotted key.
struct CheckedSection {
  std::map<std::string, nlohmann::json> values;
  std::map<std::string, Place> places;  ///< Of the values that the user wrote.
  std::vector<std::string> echoed;      ///< Keys of the echo, in table order.
};

/// Checks one section and adds all its problems. With a problem the result lacks values.
///
/// @param schema   For suggestions from other sections.
/// @param written  Null when the user left the section out.
/// @param place    Of the section's name, for keys that are missing.
CheckedSection check_section(const Schema& schema, const SectionTable& table,
                             const YamlValue* written, const Place& place,
                             std::vector<Problem>& problems);

}  // namespace flitcast
