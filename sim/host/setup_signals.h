// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <thread>

namespace flitcast {

/// While it lives, SIGINT and SIGTERM end the process at once, as they do by themselves, but with a
/// line on standard error: for the time in which a large network is made and there is nothing to
/// save. No handler, so that nothing under construction has to be safe to interrupt: a thread of
/// its own waits for the signals, which are blocked in all others.
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
