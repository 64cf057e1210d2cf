// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "config/problem.h"
#include "config/schema.h"

namespace flitcast {

/// The problem of a key that no section of that name has, with the name that was probably meant:
/// the misspelt one of the section, or one of another section.
///
/// @param section  Where the key stands; "" for the top level.
Problem unknown_key(const Schema& schema, const std::string& section, const std::string& key,
                    const Place& place);

/// The full name that a dotted name most likely misspells, in its section or another, or "".
std::string closest_name(const Schema& schema, const std::string& name);

}  // namespace flitcast
