// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace flitcast::program {

/// An empty folder of its own for a test, gone at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// The text with its path in the place of every FOLDER.
  std::string placed(std::string text) const;

  /// @param name  Relative to the folder, as for read().
  void write(const std::string& name, const std::string& text) const;

  /// Throws std::runtime_error if there is no such file.
  std::string read(const std::string& name) const;

  /// Everything in it and in its subfolders, "out/mesh.json", sorted; folders end with a slash.
  std::vector<std::string> contents() const;

 private:
  std::filesystem::path path_;
};

}  // namespace flitcast::program
