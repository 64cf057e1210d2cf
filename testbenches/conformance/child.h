// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace flitcast::conformance {

/// A computation in a separate process, because SystemC elaborates once per process. It starts at
/// once and runs in parallel until its result is requested.
template <class Result>
class Child {
  static_assert(std::is_trivially_copyable_v<Result>, "results cross a pipe");

 public:
  explicit Child(const std::function<Result()>& work) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe to a child process");
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("no child process");
    if (process_ == 0) {
      ::close(ends[0]);
      ::_exit(send_result(work, ends[1]) ? 0 : 1);
    }
    ::close(ends[1]);
    source_ = ends[0];
  }
  Child(Child&& other) noexcept
      : process_(std::exchange(other.process_, -1)), source_(std::exchange(other.source_, -1)) {}
  Child& operator=(Child&&) = delete;
  ~Child() {
    if (process_ > 0) finish();
  }

  /// Waits for the result; throws std::runtime_error if the child ended without one.
  Result result() {
    Result result{};
    const ssize_t got = ::read(source_, &result, sizeof result);
    if (finish() != 0 || got != static_cast<ssize_t>(sizeof result)) {
      throw std::runtime_error("a simulation ended without a result");
    }
    return result;
  }

 private:
  // The child must never return into the caller's code.
  static bool send_result(const std::function<Result()>& work, int end) noexcept {
    try {
      const Result result = work();
      return ::write(end, &result, sizeof result) == static_cast<ssize_t>(sizeof result);
    } catch (...) {
      return false;
    }
  }

  int finish() {
    int status = 0;
    ::close(source_);
    ::waitpid(std::exchange(process_, -1), &status, 0);
    return status;
  }

  pid_t process_ = -1;
  int source_ = -1;
};

}  // namespace flitcast::conformance
