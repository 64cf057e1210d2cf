// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <systemc>

#include "base/ids.h"

namespace flitcast {

/// Simulated time of one cycle in the kernel and in waveforms.
inline constexpr double kClockPeriodNs = 1.0;

/// A problem text, "what; hint", if the kernel's time resolution is coarser than a cycle, in which
/// case a clock of this period does not advance the time; else empty.
std::string problem_of_resolution();

/// The SystemC process that runs the cycles of a network: all cycles of a call of run() at
/// once or, in lockstep, one per clock period, so that other modules can act in between.
/// In lockstep the clock may be an external one. The owner of a network may also run its cycles
/// by calls, without any clock.
///
/// An exception of the work is reported as an SC_ERROR of the network, unless it is a report
/// itself. If the report does not throw, cycles are counted but have no work from then on, because
/// the state of the network is undefined.
class KernelDriver : public sc_core::sc_module {
 public:
  using Work = std::function<void(Cycle first, std::uint64_t cycles)>;

  /// The parent is the module of the network.
  KernelDriver(const sc_core::sc_module_name& name, bool lockstep, Work work);

  /// Runs one cycle at every `edge` instead of one per kClockPeriodNs. Only in lockstep, and only
  /// before the process runs.
  void follow(const sc_core::sc_event& edge) { edge_ = &edge; }
  /// Sets a function that is called before each cycle of a lockstep network; if it returns false,
  /// the cycle is not run and now() does not advance.
  void gate(std::function<bool()> open) { open_ = std::move(open); }

  /// Advances simulated time. Rethrows exceptions of the work, whose type the kernel would lose.
  /// Throws std::logic_error for a network that follows an external clock.
  void run(std::uint64_t cycles);
  /// Counts cycles without work as run; not in lockstep. The kernel's time, which only waveforms
  /// read, does not advance, because its range is too small.
  void skip(std::uint64_t cycles) { now_ = now_ + cycles; }
  /// Runs cycles in the process that calls, without advancing time; not in lockstep.
  void advance(std::uint64_t cycles);
  /// The number of cycles run so far, which is the next cycle to run.
  Cycle now() const { return now_; }
  /// True after an exception of the work.
  bool failed() const { return failure_ != nullptr; }

 private:
  void await();
  void work();

  const bool lockstep_;
  const Work work_;
  std::function<bool()> open_;
  const sc_core::sc_event* edge_ = nullptr;
  sc_core::sc_event resume_;
  bool started_ = false;  // The process has been run once.
  Cycle now_{};
  Cycle horizon_{};
  std::exception_ptr failure_;
};

}  // namespace flitcast
