// SPDX-License-Identifier: Apache-2.0
#include "sim/host/process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <new>
#include <system_error>
#include <systemc>

#include "config/problem.h"
#include "config/wording.h"
#include "sim/host/signals.h"

namespace flitcast {
namespace {

[[noreturn]] void fail_to_start(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void die_with(pid_t parent) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (::getppid() != parent) ::_exit(kBrokenInvariant);  // The parent has ended already.
}

/// Runs the work in the child and ends it without running destructors or flushing buffers of the
/// parent.
[[noreturn]] void live(const std::function<int()>& work, pid_t parent, int output) {
  die_with(parent);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  const int exit_code = exit_code_of(work);
  std::cout.flush();
  std::fflush(nullptr);
  ::_exit(exit_code);
}

/// One child process and the pipe from it.
class Child {
 public:
  explicit Child(const std::function<int()>& work) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) fail_to_start("no pipe to a child process");
    std::cout.flush();
    const pid_t parent = ::getpid();
    id_ = ::fork();
    if (id_ < 0) fail_to_start("no child process");
    if (id_ == 0) {
      ::close(ends[0]);
      live(work, parent, ends[1]);
    }
    ::close(ends[1]);
    source_ = ends[0];
  }
  ~Child() {
    ::close(source_);
    if (id_ > 0) ::waitpid(id_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for the next part of its output, for a tenth of a second at most; false at the end.
  bool listen() {
    pollfd waiting{source_, POLLIN, 0};
    if (::poll(&waiting, 1, 100) <= 0) return true;
    std::array<char, 4096> part{};
    const ssize_t size = ::read(source_, part.data(), part.size());
    if (size < 0) return errno == EINTR;
    output_.append(part.data(), static_cast<std::size_t>(size));
    constexpr std::size_t kKept = std::size_t{1} << 14;
    if (output_.size() > 2 * kKept) output_.erase(0, output_.size() - kKept);
    return size > 0;
  }

  void pass_on(int signal) {
    if (signal == 0 || signalled_) return;
    ::kill(id_, signal);
    signalled_ = true;
  }

  ChildEnd end() {
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
    id_ = 0;
    if (WIFSIGNALED(status)) return {-1, WTERMSIG(status), output_};
    return {WEXITSTATUS(status), 0, output_};
  }

 private:
  pid_t id_ = 0;
  int source_ = -1;
  bool signalled_ = false;
  std::string output_;
};

int fail_with(int exit_code, const std::string& what) {
  std::cerr << what << '\n';
  return exit_code;
}

}  // namespace

int exit_code_of(const std::function<int()>& command) {
  try {
    return command();
  } catch (const ConfigError& error) {
    return fail_with(kBadInput, error.what());
  } catch (const std::system_error& error) {
    return fail_with(kBadInput, visible(error.what()));
  } catch (const std::bad_alloc&) {
    return fail_with(kBadInput,
                     "out of memory; `flitcast check` estimates what an experiment needs");
  } catch (const sc_core::sc_report& report) {
    return fail_with(kBrokenInvariant, std::string("internal error: ") + report.get_msg());
  } catch (const std::exception& error) {
    return fail_with(kBrokenInvariant, std::string("internal error: ") + error.what());
  }
}

std::string ChildEnd::text() const {
  return signal != 0 ? fmt::format("killed by signal {}", signal)
                     : fmt::format("exit code {}", exit_code);
}

ChildEnd run_in_child(const std::function<int()>& work, const std::function<void()>& meanwhile) {
  Child child(work);
  while (child.listen()) {
    child.pass_on(StopSignal::received());
    meanwhile();
  }
  return child.end();
}

}  // namespace flitcast
