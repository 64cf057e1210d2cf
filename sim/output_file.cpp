// SPDX-License-Identifier: Apache-2.0
#include "sim/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "config/problem.h"

namespace flitcast {

OutputFile::OutputFile(const std::string& path) : path_(path) {
  namespace fs = std::filesystem;
  int flags = O_WRONLY | O_CLOEXEC;
  if (!fs::exists(path) || fs::is_regular_file(path)) {
    const fs::path target = fs::weakly_canonical(path);  // A link stays a link.
    if (target.has_parent_path()) fs::create_directories(target.parent_path());
    target_ = target.string();
    temporary_ = target_ + ".tmp" + std::to_string(::getpid());
    flags |= O_CREAT | O_TRUNC;
  }
  descriptor_ = ::open(temporary_.empty() ? path.c_str() : temporary_.c_str(), flags, 0666);
  if (descriptor_ < 0) fail();
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void OutputFile::fail() const {
  const int reason = errno;  // Before anything else changes it.
  throw std::system_error(reason, std::generic_category(), path_ + ": cannot be written");
}

void OutputFile::write(const std::string& text) {
  constexpr std::size_t kEnough = std::size_t{1} << 16;
  pending_ += text;
  if (pending_.size() >= kEnough) flush();
}

void OutputFile::flush() {
  for (std::size_t done = 0; done < pending_.size();) {
    const ssize_t written = ::write(descriptor_, pending_.data() + done, pending_.size() - done);
    if (written < 0 && errno != EINTR) fail();
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  pending_.clear();
}

void OutputFile::commit() {
  flush();
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail();  // Devices have no disk.
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
}

void write_file(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

void require_apart(const std::string& output, const std::string& input) {
  std::error_code missing;  // Not there: not the same.
  if (!std::filesystem::equivalent(output, input, missing)) return;
  throw ConfigError(Problem{{},
                            output,
                            "would be written over the experiment itself",
                            "name another file, or another folder by --out"});
}

}  // namespace flitcast
