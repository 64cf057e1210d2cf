// SPDX-License-Identifier: Apache-2.0
#include "tlm/gated_clock.h"

#include <utility>

namespace flitcast::tlm {

GatedClock::GatedClock(const sc_core::sc_module_name& module_name, const sc_core::sc_time& period,
                       std::function<bool()> busy)
    : sc_module(module_name), period_(period), busy_(std::move(busy)) {
  SC_HAS_PROCESS(GatedClock);
  SC_METHOD(drive);
  sensitive << next_;
  dont_initialize();
}

void GatedClock::wake() {
  if (!asleep_) return;
  asleep_ = false;
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  next_.notify(period_ - now % period_);
}

void GatedClock::drive() {
  const bool rises = !clock_.read();
  clock_.write(rises);
  if (rises) {
    next_.notify(period_ / 2);
  } else if (busy_()) {
    next_.notify(period_ - period_ / 2);
  } else {
    asleep_ = true;
  }
}

}  // namespace flitcast::tlm
