// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <systemc>

#include "base/ids.h"

namespace flitcast {

/// Simulated time of one cycle; only the kernel and waveforms see it.
inline constexpr double kClockPeriodNs = 1.0;

/// Gives cycles of simulated time to a network that the kernel sees as a few processes: all cycles
/// of a call of run() at once, or in lockstep one per clock period, so that other modules can act
/// in between. In lockstep the clock may be somebody else's.
class KernelDriver {
 public:
  using Work = std::function<void(Cycle first, std::uint64_t cycles)>;

  /// @param name       Whose errors the kernel reports.
  /// @param processes  That await() their next cycles; the last one of a cycle does the work.
  KernelDriver(std::string name, std::size_t processes, bool lockstep, Work work);

  /// One cycle at every `edge`, instead of one per period of its own, from the first edge on. Only
  /// before the processes run, and in lockstep.
  void follow(const sc_core::sc_event& edge) { edge_ = &edge; }
  /// Asked before each cycle of a lockstep network: whether there is one. Where there is none,
  /// now() stands still.
  void gate(std::function<bool()> open) { open_ = std::move(open); }

  /// Advances simulated time. Rethrows what the work threw, whose type the kernel would lose.
  /// Throws std::logic_error for a network that follows somebody else's clock.
  void run(std::uint64_t cycles);
  /// Counts cycles in which there is no work; not in lockstep. The kernel's own time stays, which
  /// nobody reads but waveforms, because it cannot count as far.
  void skip(std::uint64_t cycles) { now_ = now_ + cycles; }
  /// Called by every process of the network whenever it is triggered.
  void await();

  /// Cycles run so far; the next one to run.
  Cycle now() const { return now_; }

 private:
  void work();
  void await_next() const;

  const std::string name_;
  const std::size_t processes_;
  const bool lockstep_;
  const Work work_;
  std::function<bool()> open_;
  const sc_core::sc_event* edge_ = nullptr;
  sc_core::sc_event resume_;
  std::size_t arrived_ = 0;
  std::size_t to_start_ = 0;  // Processes that have yet to see their first edge.
  Cycle now_{};
  Cycle horizon_{};
  std::exception_ptr failure_;
};

}  // namespace flitcast
