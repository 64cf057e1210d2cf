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

namespace {

/// A file descriptor that is closed in any case.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : number_(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool write_all(const std::string& text) const {
    std::size_t done = 0;
    while (number_ >= 0 && done < text.size()) {
      const ssize_t written = ::write(number_, text.data() + done, text.size() - done);
      if (written < 0 && errno != EINTR) return false;
      if (written > 0) done += static_cast<std::size_t>(written);
    }
    return number_ >= 0 && (::fsync(number_) == 0 || errno == EINVAL);  // Devices have no disk.
  }

 private:
  int number_;
};

[[noreturn]] void fail(const std::string& path, int reason) {
  throw std::system_error(reason, std::generic_category(), path + ": cannot be written");
}

// Pipes and devices cannot be replaced by a whole file.
void write_device(const std::string& path, const std::string& text) {
  if (!Descriptor(path, 0).write_all(text)) fail(path, errno);
}

}  // namespace

void write_file(const std::string& path, const std::string& text) {
  namespace fs = std::filesystem;
  if (fs::exists(path) && !fs::is_regular_file(path)) return write_device(path, text);
  const fs::path target = fs::weakly_canonical(path);  // A link stays a link.
  if (target.has_parent_path()) fs::create_directories(target.parent_path());
  const std::string temporary = target.string() + ".tmp" + std::to_string(::getpid());
  const bool whole = Descriptor(temporary, O_CREAT | O_TRUNC).write_all(text) &&
                     std::rename(temporary.c_str(), target.c_str()) == 0;
  if (whole) return;
  const int reason = errno;
  std::remove(temporary.c_str());
  fail(path, reason);
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
