// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "chakra_writer.h"
#include "traffic/trace.h"
#include "traffic/trace_source.h"
#include "workload.h"

namespace flitcast {

/// Makes the workload section for a program. @param keys  Further keys: ", mtu: 100".
inline Section chakra_section(const std::string& path, const std::string& keys = "") {
  const std::string text = "{format: chakra, file: \"" + path + "\"" + keys + "}";
  return read_section("workload", trace_params(), text, "t.yaml");
}

inline Trace read_program(const ChakraProgram& program, const std::string& keys = "") {
  const program::Folder folder;
  write_chakra(folder, "t", program);
  return find(trace_formats(), "chakra")->make(folder.path(), chakra_section(folder.path(), keys));
}

/// Returns the error message for the folder, whose name it replaces by FOLDER.
inline std::string fault_in(const program::Folder& folder, const std::string& name = "",
                            const std::string& keys = "") {
  const std::string path = folder.path() / name;
  std::string text =
      complaint([&] { find(trace_formats(), "chakra")->make(path, chakra_section(path, keys)); });
  const std::string whole = folder.path();
  for (std::size_t at = text.find(whole); at != std::string::npos; at = text.find(whole)) {
    text.replace(at, whole.size(), "FOLDER");
  }
  return text;
}

inline std::string fault_of(const ChakraProgram& program, const std::string& keys = "") {
  const program::Folder folder;
  write_chakra(folder, "t", program);
  return fault_in(folder, "", keys);
}

}  // namespace flitcast
