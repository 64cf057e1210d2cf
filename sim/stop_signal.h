// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace flitcast {

/// While it lives, SIGINT and SIGTERM ask the run to stop and write what it has; a second one ends
/// the process at once, as it would without this.
class StopSignal {
 public:
  StopSignal() {
    last_signal = 0;
    handle_by(on_signal);
  }
  ~StopSignal() { handle_by(SIG_DFL); }
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// The number of the signal that has come, or 0.
  static int received() { return last_signal; }

 private:
  static void on_signal(int signal) {
    last_signal = signal;
    handle_by(SIG_DFL);
  }
  static void handle_by(void (*handler)(int)) {
    std::signal(SIGINT, handler);
    std::signal(SIGTERM, handler);
  }

  inline static volatile std::sig_atomic_t last_signal = 0;
};

}  // namespace flitcast
