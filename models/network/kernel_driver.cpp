// SPDX-License-Identifier: Apache-2.0
#include "network/kernel_driver.h"

#include <utility>

namespace flitcast {

KernelDriver::KernelDriver(std::string name, std::size_t processes, bool lockstep, Work work)
    : name_(std::move(name)), processes_(processes), lockstep_(lockstep), work_(std::move(work)) {}

void KernelDriver::run(std::uint64_t cycles) {
  horizon_ = now_ + cycles;
  resume_.notify(sc_core::SC_ZERO_TIME);
  try {
    sc_core::sc_start(static_cast<double>(cycles) * kClockPeriodNs, sc_core::SC_NS);
  } catch (const sc_core::sc_report&) {
    if (failure_) std::rethrow_exception(failure_);
    throw;
  }
}

void KernelDriver::await() {
  if (++arrived_ == processes_) {
    arrived_ = 0;
    const std::uint64_t cycles = lockstep_ ? 1 : horizon_ - now_;
    try {
      work_(now_, cycles);
    } catch (const std::exception& error) {
      failure_ = std::current_exception();
      SC_REPORT_ERROR(name_.c_str(), error.what());
    }
    now_ = now_ + cycles;
  }
  if (lockstep_) {
    sc_core::next_trigger(kClockPeriodNs, sc_core::SC_NS);
  } else {
    sc_core::next_trigger(resume_);
  }
}

}  // namespace flitcast
