// SPDX-License-Identifier: Apache-2.0
#include "soak/child.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <system_error>

namespace flitcast {

namespace {

constexpr int kSaidAll = 42;
[[maybe_unused]] constexpr rlim_t kMostBytes = rlim_t{4} << 30;

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t part = ::write(file, text.data() + done, text.size() - done);
    if (part <= 0) ::_exit(1);
    done += static_cast<std::size_t>(part);
  }
}

[[noreturn]] void be_child(int out, unsigned seconds, const std::function<std::string()>& work) {
  const rlimit time{seconds, seconds};
  ::setrlimit(RLIMIT_CPU, &time);
#ifndef __SANITIZE_ADDRESS__  // The sanitizer reserves terabytes of addresses.
  const rlimit memory{kMostBytes, kMostBytes};
  ::setrlimit(RLIMIT_AS, &memory);
#endif
  write_all(out, work());
  ::_exit(kSaidAll);
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 65536> part{};
  for (ssize_t n = 0; (n = ::read(file, part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  return text;
}

std::string death(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU || signal == SIGKILL) return "does not end";
    return fmt::format("killed by signal {} ({})", signal, ::strsignal(signal));
  }
  const int code = WEXITSTATUS(status);
  return code == kSaidAll ? "" : fmt::format("exit code {} before its end", code);
}

}  // namespace

RunEnd in_child(unsigned seconds, const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    ::close(ends[0]);
    be_child(ends[1], seconds, work);
  }
  ::close(ends[1]);
  RunEnd end;
  end.said = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  end.died = death(status);
  return end;
}

}  // namespace flitcast
