// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <systemc>

namespace flitcast::tlm {

/// The clock of a network that has cycles only while there is something to do: between two
/// transactions it stands still, takes no time to simulate, and lets a simulation without other
/// events come to its end.
///
/// Rising edges are at multiples of the period, whenever the clock starts again.
class GatedClock : public sc_core::sc_module {
 public:
  /// @param busy  Asked half a period after every rising edge: whether there is to be another one.
  GatedClock(const sc_core::sc_module_name& name, const sc_core::sc_time& period,
             std::function<bool()> busy);

  sc_core::sc_signal_in_if<bool>& signal() { return clock_; }

  /// There is something to do from the next rising edge on.
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
