// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "config/yaml.h"

namespace flitcast {

/// Reads the text of a file in YAML, by parse_yaml(). It is also for modules of programs that link
/// no YAML library, such as those with only a network.
/// Throws ConfigError as parse_yaml() does, and in such a program.
YamlValue read_yaml_file(const std::string& text, const std::string& file, ProblemList& problems);

}  // namespace flitcast
