// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace flitcast {

/// Makes a folder where it is missing, and those that it lies in.
/// Throws std::system_error, with the path.
void make_folder(const std::filesystem::path& folder);

/// A file that appears whole or not at all: its text goes into a temporary neighbour, which is
/// forced to disk and renamed in the end. Missing folders are created, links followed; a pipe or
/// device is written to as it is. Whatever fails throws std::system_error, with the path.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  /// Leaves nothing behind, no new folder either, unless the file was committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Keeps some of the text in memory until there is enough of it to be worth a write.
  void write(const std::string& text);
  /// Forces all that was written to disk; what can fail for want of room fails here.
  void finish();
  /// Last of all; finishes what is not.
  void commit();

 private:
  [[noreturn]] void fail() const;
  void open();
  void flush();
  void discard();

  std::string path_;
  std::string target_;                          // The file to be replaced, behind all links,
  std::string temporary_;                       // by this one; empty if there is none (any more).
  std::vector<std::filesystem::path> folders_;  // That had to be created, innermost first.
  int descriptor_ = -1;
  std::string pending_;
};

/// A file that a user wants written.
struct Output {
  std::string option;  ///< By which the user asks for it: "--json".
  std::string path;
};

/// For options that name a file: what is wrong with the name, or nothing. An empty one would be
/// taken for none at all.
std::string fault_of_file_name(const std::string& name);

/// Throws ConfigError unless all of these files can be written, so that nobody waits for a result
/// in vain: with every file that is one of the inputs, which would be lost, that comes twice, by
/// whatever name, or that the system refuses. Leaves everything as it was.
void require_writable(const std::vector<Output>& outputs, const std::vector<std::string>& inputs);

/// A file and all that is to be in it.
struct WholeFile {
  std::string path;
  std::string text;
};

/// Writes all of them, or, if one cannot be written, none.
void write_files(const std::vector<WholeFile>& files);

/// Where the value change dump of a waveform goes: its own file, or beside x.fst, into which it is
/// packed in the end, x.fst.vcd.
std::string dump_of(const std::string& waveform);

/// Throws ConfigError, about --fst, unless there is a program here that packs.
void require_packer();

/// Packs the dump of x.fst and removes it; nothing for other files, or without a dump. A file of
/// FST has about a tenth of the size of a long dump.
/// Throws std::system_error if it cannot be written; the dump stays then.
/// Source: GTKWave, vcd2fst(1).
void pack_waveform(const std::string& waveform);

}  // namespace flitcast
