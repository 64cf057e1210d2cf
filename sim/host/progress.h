// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace flitcast {

/// A progress bar on standard error that overwrites itself; silent unless standard error is a
/// terminal.
class Progress {
 public:
  /// @param quiet  True to show nothing.
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Updates the bar at most ten times a second. planned = 0: the total is unknown.
  /// @param unit  "cycles".
  /// @param more  Text behind the bar: the remaining time.
  void show(const std::string& phase, std::uint64_t done, std::uint64_t planned, const char* unit,
            const std::string& more = "");

  /// Removes the bar, so that a line of text can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  const bool visible_;
  Clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace flitcast
