// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace flitcast {

/// A file that appears whole or not at all: its text goes into a temporary neighbour, which is
/// forced to disk and renamed in the end. Missing folders are created, links followed; a pipe or
/// device is written to as it is. Whatever fails throws std::system_error, with the path.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  /// Leaves nothing behind unless the file was committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Keeps some of the text in memory until there is enough of it to be worth a write.
  void write(const std::string& text);
  /// Last of all.
  void commit();

 private:
  [[noreturn]] void fail() const;
  void flush();

  std::string path_;
  std::string target_;     // The file to be replaced, behind all links,
  std::string temporary_;  // by this one; empty if there is none (any more).
  int descriptor_ = -1;
  std::string pending_;
};

/// Writes such a file in one go.
void write_file(const std::string& path, const std::string& text);

/// Throws ConfigError if `output` is the very file `input`, by whatever name, which writing would
/// destroy.
void require_apart(const std::string& output, const std::string& input);

}  // namespace flitcast
