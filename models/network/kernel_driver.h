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
/// in between.
class KernelDriver {
 public:
  using Work = std::function<void(Cycle first, std::uint64_t cycles)>;

  /// @param name       Whose errors the kernel reports.
  /// @param processes  That await() their next cycles; the last one of a cycle does the work.
  KernelDriver(std::string name, std::size_t processes, bool lockstep, Work work);

  /// Advances simulated time. Rethrows what the work threw, whose type the kernel would lose.
  void run(std::uint64_t cycles);
  /// Counts cycles in which there is no work; not in lockstep. The kernel's own time stays, which
  /// nobody reads but waveforms, because it cannot count as far.
  void skip(std::uint64_t cycles) { now_ = now_ + cycles; }
  /// Called by every process of the network whenever it is triggered.
  void await();

  /// Cycles run so far; the next one to run.
  Cycle now() const { return now_; }

 private:
  const std::string name_;
  const std::size_t processes_;
  const bool lockstep_;
  const Work work_;
  sc_core::sc_event resume_;
  std::size_t arrived_ = 0;
  Cycle now_{};
  Cycle horizon_{};
  std::exception_ptr failure_;
};

}  // namespace flitcast
