// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace flitcast::program {

/// A new empty folder for a test, deleted at its end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Returns the text with the folder's path in place of every FOLDER.
  std::string placed(std::string text) const;

  /// @param name  Path relative to the folder, as for read().
  void write(const std::string& name, const std::string& text) const;

  /// Throws std::runtime_error if the file does not exist.
  std::string read(const std::string& name) const;

  /// Returns all entries of the folder and its subfolders, such as "out/mesh.json", sorted; folders
  /// end with a slash.
  std::vector<std::string> contents() const;

 private:
  std::filesystem::path path_;
};

}  // namespace flitcast::program
