// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace flitcast {

/// Something of ours that reads what others wrote.
struct Reader {
  const char* name;  ///< Also of the folder with its corpus.
  /// Reads the bytes. Good ones must keep the reader's promises and bad ones must be refused as it
  /// documents; anything else escapes as an exception or ends the process.
  void (*read)(const std::string& bytes);
};

const std::vector<Reader>& readers();

/// Throws std::out_of_range for a name that no reader has.
const Reader& reader(const std::string& name);

}  // namespace flitcast
