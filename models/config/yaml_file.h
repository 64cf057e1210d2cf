// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "config/yaml.h"

namespace flitcast {

/// Reads the text of a file in YAML, by parse_yaml(). Programs that link no YAML library, such as
/// programs with only a network, can link modules that call it.
/// Throws ConfigError as parse_yaml() does, and always in such a program.
YamlValue read_yaml_file(const std::string& text, const std::string& file, ProblemList& problems);

}  // namespace flitcast
