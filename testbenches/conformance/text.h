// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace flitcast::conformance {

/// The parts between separators: "3;1;" -> "3", "1", "".
std::vector<std::string> split(const std::string& text, char separator);

/// The number in the whole text; throws std::invalid_argument unless it is a number of up to nine
/// digits.
std::size_t to_count(const std::string& text);

/// The part of `text` after `prefix`, or null if it does not start with the prefix.
const char* after(const std::string& text, const std::string& prefix);

}  // namespace flitcast::conformance
