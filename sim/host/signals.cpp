// SPDX-License-Identifier: Apache-2.0
#include "sim/host/signals.h"

#include <pthread.h>

#include <csignal>
#include <cstdio>
#include <initializer_list>

namespace flitcast {
namespace {

/// The signal that ends the waiting thread.
constexpr int kEnough = SIGUSR1;

sigset_t waited_for() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, kEnough}) sigaddset(&set, signal);
  return set;
}

void wait_for_signal() {
  const sigset_t set = waited_for();
  int signal = 0;
  while (sigwait(&set, &signal) != 0) {
  }
  if (signal == kEnough) return;
  std::fputs("stopped by a signal before the first cycle: nothing is written\n", stderr);
  // Unblocks the signal, which then ends the process by default.
  sigset_t came;
  sigemptyset(&came);
  sigaddset(&came, signal);
  pthread_sigmask(SIG_UNBLOCK, &came, nullptr);
  ::raise(signal);
}

}  // namespace

SetupSignals::SetupSignals() {
  const sigset_t set = waited_for();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
  waiter_ = std::thread(wait_for_signal);
}

SetupSignals::~SetupSignals() {
  pthread_kill(waiter_.native_handle(), kEnough);
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace flitcast
