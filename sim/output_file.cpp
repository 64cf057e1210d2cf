// SPDX-License-Identifier: Apache-2.0
#include "sim/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace flitcast {

namespace {

/// A file descriptor that is closed in any case.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {}
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
    return number_ >= 0 && ::fsync(number_) == 0;
  }

 private:
  int number_;
};

}  // namespace

void write_file(const std::string& path, const std::string& text) {
  const std::filesystem::path target(path);
  if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path());
  const std::string temporary = path + ".tmp" + std::to_string(::getpid());
  const bool whole =
      Descriptor(temporary).write_all(text) && std::rename(temporary.c_str(), path.c_str()) == 0;
  if (whole) return;
  const int reason = errno;
  std::remove(temporary.c_str());
  throw std::system_error(reason, std::generic_category(), path + ": cannot be written");
}

}  // namespace flitcast
