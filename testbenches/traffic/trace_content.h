// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "support/temporary_file.h"
#include "traffic/trace.h"
#include "workload.h"

namespace flitcast {

/// Reads the trace in a file with this content.
inline Trace read_trace(const char* format, const std::string& content,
                        std::map<std::string, nlohmann::json> keys = {}) {
  const TemporaryFile file(content);
  const Section section = Section::of("workload", std::move(keys));
  return find(trace_formats(), format)->make(file.path(), section);
}

/// Returns the error message of a reader, with FILE instead of the file's name.
inline std::string fault_of_content(const char* format, const std::string& content,
                                    std::map<std::string, nlohmann::json> keys = {}) {
  std::string text = complaint([&] { read_trace(format, content, std::move(keys)); });
  const std::string path = TemporaryFile({}).path();
  for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path)) {
    text.replace(at, path.size(), "FILE");
  }
  return text;
}

}  // namespace flitcast
