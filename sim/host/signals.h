// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

#include <csignal>
#include <cstdint>
#include <thread>

namespace flitcast {

/// While it exists, SIGINT and SIGTERM ask the run to stop and write its results so far. Further
/// signals within a second belong to the same request, because both the process group and the
/// parent may send it; a later signal ends the process at once, as without this object.
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

/// While it exists, SIGINT and SIGTERM end the process at once, as by default, but with a line on
/// standard error. It covers the construction of a large network, when there is nothing to save. It
/// uses no handler, so the construction need not be safe to interrupt: a separate thread waits for
/// the signals, which are blocked in all others.
class SetupSignals {
 public:
  SetupSignals();
  ~SetupSignals();
  SetupSignals(const SetupSignals&) = delete;
  SetupSignals& operator=(const SetupSignals&) = delete;

 private:
  sigset_t before_{};
  std::thread waiter_;
};

}  // namespace flitcast
