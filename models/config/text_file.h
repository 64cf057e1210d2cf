// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace flitcast {

// These limits protect against input that is not text, such as a device that never ends. A
// byte-order mark at the start of a text is not part of it.

/// The rest of the stream; absent if it exceeds 64 MiB.
std::optional<std::string> read_text(std::istream& input);

/// A hash, 16 hex digits, of the size and the first GiB of a file. With the ending `parts`, for all
/// files with that ending in the folder `path`; if there is no such folder, for all files whose
/// names begin with the path and a dot, such as ring.0.et for "ring". Empty if there is no such
/// file. A file is read once, and again when its size or time has changed.
std::string content_hash(const std::string& path, const std::string& parts = "");

/// The lines of a text by the offsets of its bytes.
class LineIndex {
 public:
  explicit LineIndex(const std::string& text);

  /// The number of the line, from 1, of the byte at an offset, from 0.
  int line_of(std::size_t offset) const;

 private:
  std::vector<std::size_t> ends_;  // Offsets of the line ends, ascending.
};

/// Reads the lines of a text one by one, without their line ends.
class LineReader {
 public:
  /// @param file  The file name for messages. Stream and name must outlive the reader.
  LineReader(std::istream& input, const std::string& file) : input_(input), file_(file) {}

  /// Advances to the next line; returns false at the end.
  /// Throws ConfigError for a line of more than a million bytes.
  bool next();
  const std::string& line() const { return line_; }
  /// The number of the line, from 1.
  int number() const { return number_; }

 private:
  std::istream& input_;
  const std::string& file_;
  std::vector<char> buffer_;
  std::string line_;
  int number_ = 0;
};

}  // namespace flitcast
