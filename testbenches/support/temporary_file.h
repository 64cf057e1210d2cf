// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bzlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace flitcast {

/// File with the given content, deleted at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content)
      : path_(std::filesystem::temp_directory_path() /
              ("flitcast_test_" + std::to_string(getpid()))) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string compressed(std::string content) {
  std::string result(content.size() + content.size() / 50 + 1000, '\0');
  auto size = static_cast<unsigned>(result.size());
  BZ2_bzBuffToBuffCompress(result.data(), &size, content.data(),
                           static_cast<unsigned>(content.size()), 9, 0, 0);
  result.resize(size);
  return result;
}

}  // namespace flitcast
