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

/// The lines of a text, one by one, without their ends.
class LineReader {
 public:
  /// @param file  For messages. Both must outlive the reader.
  LineReader(std::istream& input, const std::string& file) : input_(input), file_(file) {}

  /// Goes to the next line; false at the end. Throws ConfigError for more than a million bytes in a
  /// line.
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
