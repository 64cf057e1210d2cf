// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace flitcast {

/// Creates a folder and its missing parents.
/// Throws std::system_error with the path.
void make_folder(const std::filesystem::path& folder);

/// A file that is written completely or not at all: its text goes into a temporary file beside it,
/// which is flushed to disk and finally renamed. Missing folders are created and links are
/// followed; pipes and devices are written directly.
/// Every failure throws std::system_error with the path.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  /// Removes the temporary file and all new folders, unless the file was committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes text, which is buffered in memory until there is enough for an efficient write.
  void write(const std::string& text);
  /// Flushes the text to disk; a full disk is detected here.
  void finish();
  /// Makes the file visible; the last call. Calls finish() if necessary.
  void commit();

 private:
  [[noreturn]] void fail() const;
  void open();
  void flush();
  void discard();

  std::string path_;
  std::string target_;                          // The file to be replaced, with all links resolved.
  std::string temporary_;                       // The temporary file; empty if there is none.
  std::vector<std::filesystem::path> folders_;  // Folders created for the file, innermost first.
  int descriptor_ = -1;
  std::string pending_;
};

/// An output file that the user has requested.
struct Output {
  std::string option;  ///< The option that requests it: "--json".
  std::string path;
};

/// For options that name a file: the fault in the name, or nothing. An empty name is a fault, since
/// it would mean no file.
std::string fault_of_file_name(const std::string& name);

/// Throws ConfigError unless all of these files can be written, so that errors show before a long
/// run. Reports files that are also inputs, which would be lost, files that occur twice under any
/// name, and files that the system refuses. Changes nothing.
void require_writable(const std::vector<Output>& outputs, const std::vector<std::string>& inputs);

/// A file and its complete contents.
struct WholeFile {
  std::string path;
  std::string text;
};

/// Writes all of the files, or none if one cannot be written.
void write_files(const std::vector<WholeFile>& files);

/// The path of a waveform's value change dump: the waveform file itself or, for x.fst, the file
/// x.fst.vcd, which is packed into it at the end.
std::string dump_of(const std::string& waveform);

/// Throws ConfigError, about --fst, unless the packing program is installed.
void require_packer();

/// Packs the dump of x.fst and removes it; has no effect for other files, or without a dump. A file
/// in FST has about a tenth of the size of a long dump.
/// Throws std::system_error if it cannot be written; the dump is kept then.
/// Source: GTKWave, vcd2fst(1).
void pack_waveform(const std::string& waveform);

}  // namespace flitcast
