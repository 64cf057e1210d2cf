// SPDX-License-Identifier: Apache-2.0
#include "conformance/text.h"

#include <stdexcept>

namespace flitcast::conformance {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::size_t to_count(const std::string& text) {
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  if (text.empty() || text.size() > 9 || !digits) {
    throw std::invalid_argument("\"" + text + "\" is not a count");
  }
  return std::stoul(text);
}

const char* after(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0 ? text.c_str() + prefix.size() : nullptr;
}

}  // namespace flitcast::conformance
