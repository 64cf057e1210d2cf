// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <memory>
#include <string>

namespace flitcast {

/// Opens a file for reading, decompressing on the way when it is a bzip2 file by its first bytes
/// (several compressed streams in a row, as parallel compressors write, are one). Null when it
/// cannot be opened.
///
/// Reading from the stream throws ConfigError where the compressed data is damaged or ends too
/// early.
std::unique_ptr<std::istream> open_trace_file(const std::string& path);

}  // namespace flitcast
