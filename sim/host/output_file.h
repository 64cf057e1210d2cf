// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace flitcast {

/// Creates a folder and its missing parents.
/// Throws std::system_error with the path.
void make_folder(const std::filesystem::path& folder);

/// A file or folder that exists while it is being written: `.flitcast-PID-N.tmp`, new and locked.
/// It never follows a link. A killed process leaves it to remove_abandoned().
class Temporary {
 public:
  enum class Kind { kFile, kFolder };
  /// Throws std::system_error, about `purpose`, if it cannot be made.
  Temporary(const std::filesystem::path& folder, Kind kind, const std::string& purpose);
  /// Removes the file or folder, unless it has been renamed.
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }

 private:
  std::string path_;
  int descriptor_ = -1;
};

/// Removes the temporary files and folders in a folder whose processes have ended.
void remove_abandoned(const std::filesystem::path& folder);

/// A file that is written completely or not at all: its text goes into a temporary file in its
/// folder, which put_in_place() renames. Missing folders are created and links are followed, but a
/// link to a file that does not exist is replaced; pipes and devices are written directly.
/// Every failure throws std::system_error with the path.
class OutputFile {
 public:
  /// @param spare  The path to take if `path` belongs to another run; empty: `path` is replaced.
  explicit OutputFile(std::string path, std::string spare = "");
  /// Removes the temporary file and all new folders, unless the file is in its place.
  ~OutputFile();

  /// Writes text, which is buffered in memory until there is enough for an efficient write.
  void write(const std::string& text);
  /// Flushes the text to disk; a full disk is detected here.
  void finish();

  const std::string& path() const { return path_; }
  const std::string& spare() const { return spare_; }
  /// The file that holds the text until it is in its place, which others may write instead.
  const std::string& draft() const { return temporary_ ? temporary_->path() : path_; }
  /// Appends `ending` to the names, the spare name included.
  void add_ending(const std::string& ending);

 private:
  friend void put_in_place(std::list<OutputFile>& files, const std::function<bool()>& taken);

  OutputFile() = default;
  void make_draft();
  void flush();
  bool move(bool to_spare);

  std::string path_;
  std::string spare_;
  std::string target_;                          // The file to be replaced, with all links resolved.
  std::optional<Temporary> temporary_;          // Absent for pipes and devices.
  std::vector<std::filesystem::path> folders_;  // Folders created for the file, innermost first.
  int descriptor_ = -1;
  std::string pending_;
};

/// Makes files visible under their names, or under their spare names if `taken` returns true or
/// another process makes one of the files at this moment; path() then returns that name. Their
/// folders are locked meanwhile, so that the files of two runs do not mix, and are then flushed to
/// disk. The list begins with the file that was opened last, so that the common folders are empty
/// when they are removed after a failure.
void put_in_place(
    std::list<OutputFile>& files, const std::function<bool()>& taken = [] { return false; });

/// An output file that the user has requested.
struct Output {
  std::string option;  ///< The option that requests it: "--json".
  std::string path;
  std::string spare{};  ///< The path if `path` belongs to another run, or empty (OutputFile).
};

/// For options that name a file: the fault in the name, or nothing. An empty name is a fault, since
/// it would mean no file.
std::string fault_of_file_name(const std::string& name);

/// Throws ConfigError unless all of these files can be written, so that errors show before a long
/// run. Reports files that are also inputs, which would be lost, files that occur twice under any
/// name, and files that the system refuses. Then removes what killed runs left beside them.
void require_writable(const std::vector<Output>& outputs, const std::vector<std::string>& inputs);

/// A file and its complete contents.
struct WholeFile {
  std::string path;
  std::string text;
};

/// Writes all of the files, or none if one cannot be written.
void write_files(const std::vector<WholeFile>& files);

/// Throws ConfigError, about --fst, unless the packing program is installed.
void require_packer();

/// Packs a value change dump as FST, which has about a tenth of the size. Returns false, and leaves
/// the dump as it is, if that fails.
/// Source: GTKWave, vcd2fst(1).
[[nodiscard]] bool pack_waveform(const std::string& dump);

}  // namespace flitcast
