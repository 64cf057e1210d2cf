// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace flitcast {

// Bounds for what is no text at all, such as a device that never ends.

/// All that is left of the stream; nothing if it is more than 64 MiB.
std::optional<std::string> read_text(std::istream& input);

/// 16 hex digits for the size of a file and its first GiB, or for those of all files with the
/// ending `parts` that are in a folder or, where there is none, whose names begin with the path and
/// a dot, as ring.0.et for "ring"; empty where there is no such file. A file is read once, and
/// again when its size or time has changed.
std::string content_hash(const std::string& path, const std::string& parts = "");

/// The lines of a text, one by one, without their ends.
class LineReader {
 public:
  /// @param file  For messages. Both must outlive the reader.
  LineReader(std::istream& input, const std::string& file) : input_(input), file_(file) {}

  /// Goes to the next line; false at the end.
  /// Throws ConfigError for more than a million bytes in a line.
  bool next();
  const std::string& line() const { return line_; }
  /// From 1.
  int number() const { return number_; }

 private:
  std::istream& input_;
  const std::string& file_;
  std::vector<char> buffer_;
  std::string line_;
  int number_ = 0;
};

}  // namespace flitcast
