// SPDX-License-Identifier: Apache-2.0
#include "sim/stop_signal.h"

#include <csignal>

namespace flitcast {

namespace {

volatile std::sig_atomic_t g_received = 0;

extern "C" void on_signal(int signal) {
  g_received = signal;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

StopSignal::StopSignal() {
  g_received = 0;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

StopSignal::~StopSignal() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

int StopSignal::received() { return g_received; }

}  // namespace flitcast
