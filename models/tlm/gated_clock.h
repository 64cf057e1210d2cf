// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <systemc>

namespace flitcast::tlm {

/// The clock of a network that only runs cycles while there is work: between transactions it stops,
/// costs no simulation time, and lets a simulation without other events end.
///
/// Rising edges are at multiples of the period, even after a restart.
class GatedClock : public sc_core::sc_module {
 public:
  /// @param busy  Called half a period after every rising edge; returns true if another edge must
  ///              follow.
  GatedClock(const sc_core::sc_module_name& name, const sc_core::sc_time& period,
             std::function<bool()> busy);

  sc_core::sc_signal_in_if<bool>& signal() { return clock_; }

  /// Restarts the clock: there is work from the next rising edge on.
  void wake();

 private:
  void drive();

  const sc_core::sc_time period_;
  const std::function<bool()> busy_;
  sc_core::sc_signal<bool> clock_{"clock"};
  sc_core::sc_event next_{"next"};
  bool asleep_ = true;
};

}  // namespace flitcast::tlm
