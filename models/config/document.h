// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/yaml.h"

namespace flitcast {

/// What the user wrote, before anyone asks whether it makes sense.
struct Document {
  std::string file;                 ///< As messages show it.
  YamlValue root;                   ///< A map.
  std::vector<Problem> problems{};  ///< Found so far; validate() reports them with its own.
};

/// Reads the YAML (or JSON) file of that path. Throws ConfigError if there is no such file or its
/// text is no map that YAML can read.
Document read_document(const std::string& path);

/// The same for a text at hand; `file` stands for it in messages.
Document parse_document(const std::string& text, const std::string& file);

/// Sets the values of assignments "a.b=value", in order; what was there is replaced, and the value
/// is read as YAML. Problems with them, now and later, have the place "--set a.b=value".
void apply_overrides(Document& document, const std::vector<std::string>& assignments);

/// Puts `value` under the dotted name, opening the maps on the way.
void assign(YamlValue& root, const std::string& name, const YamlValue& value);

}  // namespace flitcast
