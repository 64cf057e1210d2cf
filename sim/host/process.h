// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

#include <csignal>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "config/problem.h"

namespace flitcast {

/// The exit codes of the program.
enum ExitCode : int {
  kDone = 0,
  kBrokenInvariant = 1,
  kBadInput = 2,
  kNotConverged = 3,  ///< The run is saturated, not_steady, unmeasured or imprecise (Status).
  kDeadlocked = 4,
  kPointsMissing = 5,      ///< Points of a sweep failed or are missing.
  kStoppedBySignal = 128,  ///< The number of the signal is added.
};

/// Runs a command and returns its exit code. Only this function turns errors into a message on
/// standard error and an exit code.
int exit_code_of(const std::function<int()>& command);

/// The outcome of a child process.
struct ChildEnd {
  int exit_code = -1;  ///< -1 if a signal ended the child.
  int signal = 0;      ///< The signal that ended the child, or 0.
  std::string output;  ///< The end of the child's standard output and standard error.

  /// "exit code 2", "killed by signal 9".
  std::string text() const;
};

/// Runs `work` in a separate process, because SystemC elaborates once per process, and waits for
/// its end. Errors there become messages and an exit code, as in this process. The child ends with
/// its parent, however the parent ends; signals that ask the parent to stop (StopSignal) are passed
/// on to the child.
/// Throws std::system_error if no process can be created.
///
/// @param meanwhile  Called ten times a second.
ChildEnd run_in_child(const std::function<int()>& work, const std::function<void()>& meanwhile);

/// While it exists, SIGINT and SIGTERM ask the run to stop and write its results so far. Further
/// signals within a second belong to the same request, because both the process group and the
/// parent may send it; a later signal ends the process at once, as by default.
class StopSignal {
 public:
  StopSignal() {
    last_signal = 0;
    handle_by(on_signal);
  }
  ~StopSignal() { handle_by(SIG_DFL); }
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// The number of the received signal, or 0.
  static int received() { return last_signal; }

 private:
  static void on_signal(int signal) {
    const std::int64_t now = milliseconds();
    if (last_signal == 0) {
      last_signal = signal;
      asked_at = now;
    } else if (now - asked_at > 1000) {
      std::signal(signal, SIG_DFL);
      std::raise(signal);
    }
  }
  static std::int64_t milliseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
  }
  // Installs a handler for both signals; neither signal interrupts the handler of the other.
  static void handle_by(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
  }

  inline static volatile std::sig_atomic_t last_signal = 0;
  inline static std::int64_t asked_at = 0;
};

/// The most memory that this process may take, and the source of the limit.
struct MemoryLimit {
  double bytes = 0;
  std::string source;  ///< Begins a message: "this machine has".
};

/// While it exists, SIGINT and SIGTERM end the process at once, as by default, but with a line on
/// standard error, and so does memory that grows by more than a limit, as kBadInput; a terminal
/// shows the time since the set-up began. It covers the construction of a large network and the
/// reading of a large trace, when there is nothing to save. It uses no handler, so the construction
/// need not be safe to interrupt: a separate thread waits for the signals, which are blocked in all
/// others.
class SetupWatch {
 public:
  SetupWatch(bool quiet, const MemoryLimit& limit);
  ~SetupWatch();
  /// Calls `make`, which creates a file and returns its name; the name must outlive the object. A
  /// signal, or memory beyond the limit, removes the file; the program does not end while `make`
  /// runs.
  static void make_unfinished(const std::function<const char*()>& make);

 private:
  sigset_t before_{};
  std::thread waiter_;
};

/// The smallest of the machine's memory, the limits of the process and of its control group, and
/// `given`, a limit of the user.
MemoryLimit memory_limit(std::optional<std::uint64_t> given = std::nullopt);

/// The smallest limit of a control group and of those that contain it; absent if there is none.
/// @param membership  A file like /proc/self/cgroup.
/// @param mounted     The folder of the groups, /sys/fs/cgroup.
std::optional<double> control_group_limit(const std::string& membership,
                                          const std::string& mounted);

/// "1024 bytes", "12.5 MiB", "3.0 GiB".
std::string size_text(double bytes);

/// Throws ConfigError, with the place and key of `problem`, if `bytes` exceeds the limit.
/// @param what  "a mesh of 64 routers takes at least".
void require_memory(double bytes, const MemoryLimit& limit, const std::string& what,
                    Problem problem);

}  // namespace flitcast
