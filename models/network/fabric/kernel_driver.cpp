// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/kernel_driver.h"

#include <stdexcept>
#include <utility>

#include "network/report.h"

namespace flitcast {

std::string problem_of_resolution() {
  if (sc_core::sc_time(kClockPeriodNs, sc_core::SC_NS) != sc_core::SC_ZERO_TIME) return "";
  return "a time resolution of " + sc_core::sc_get_time_resolution().to_string() +
         " is coarser than a cycle of 1 ns; call sc_set_time_resolution(1, SC_NS), or a finer one, "
         "before anything else";
}

KernelDriver::KernelDriver(const sc_core::sc_module_name& module_name, bool lockstep, Work work)
    : sc_module(module_name), lockstep_(lockstep), work_(std::move(work)) {
  SC_HAS_PROCESS(KernelDriver);
  SC_METHOD(await);
}

void KernelDriver::run(std::uint64_t cycles) {
  if (edge_ != nullptr) {
    throw std::logic_error(get_parent_object()->name() +
                           std::string(" follows an external clock: run it by sc_start"));
  }
  horizon_ = now_ + cycles;
  resume_.notify(sc_core::SC_ZERO_TIME);
  try {
    sc_core::sc_start(static_cast<double>(cycles) * kClockPeriodNs, sc_core::SC_NS);
  } catch (const sc_core::sc_report&) {
    if (failure_) std::rethrow_exception(failure_);
    throw;
  }
}

void KernelDriver::advance(std::uint64_t cycles) {
  horizon_ = now_ + cycles;
  work();
}

// The kernel runs every process once before the first edge.
void KernelDriver::await() {
  if (std::exchange(started_, true) || edge_ == nullptr) work();
  if (edge_ != nullptr) {
    next_trigger(*edge_);
  } else if (lockstep_) {
    next_trigger(kClockPeriodNs, sc_core::SC_NS);
  } else {
    next_trigger(resume_);
  }
}

void KernelDriver::work() {
  const std::uint64_t cycles = lockstep_ ? 1 : horizon_ - now_;
  try {
    if (!failure_ && open_ && !open_()) return;
    if (!failure_) work_(now_, cycles);
  } catch (const sc_core::sc_report&) {
    failure_ = std::current_exception();
    throw;
  } catch (const std::exception& error) {
    failure_ = std::current_exception();
    const std::string where = lockstep_ ? ", in cycle " + std::to_string(index(now_)) : "";
    report_error("fabric/invariant", get_parent_object()->name(), error.what() + where);
  }
  now_ = now_ + cycles;
}

}  // namespace flitcast
