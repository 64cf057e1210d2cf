// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace flitcast {

/// Writes a file that appears whole or not at all: into a temporary neighbour, forced to disk, then
/// renamed. Missing folders are created, links followed; a pipe or device is written to as it is.
/// Throws std::system_error, with the path, if that fails, and leaves nothing behind.
void write_file(const std::string& path, const std::string& text);

/// Throws ConfigError if `output` is the very file `input`, by whatever name, which writing would
/// destroy.
void require_apart(const std::string& output, const std::string& input);

}  // namespace flitcast
