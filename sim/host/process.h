// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace flitcast {

/// What the program returns to the shell.
enum ExitCode : int {
  kDone = 0,
  kBrokenInvariant = 1,
  kBadInput = 2,
  kNotConverged = 3,  ///< Finished, but saturated, not steady or without a measurement.
  kDeadlocked = 4,
  kPointsMissing = 5,      ///< Points of a sweep have failed or are missing.
  kStoppedBySignal = 128,  ///< Plus the number of the signal.
};

/// Runs a command and returns its exit code. This is the only place that turns errors into a
/// message on standard error and an exit code.
int exit_code_of(const std::function<int()>& command);

/// How a child process ended.
struct ChildEnd {
  int exit_code = -1;  ///< -1 if a signal ended it.
  int signal = 0;      ///< The signal that ended it, or 0.
  std::string output;  ///< The last of what it wrote to standard output and standard error.

  /// "exit code 2", "killed by signal 9".
  std::string text() const;
};

/// Runs `work` in a process of its own, because SystemC elaborates once per process, and waits for
/// its end. Errors there become messages and an exit code, as they would here. The child ends with
/// its parent, however that ends; a signal that asks the parent to stop (StopSignal) goes to the
/// child as well.
/// Throws std::system_error if there can be no process.
///
/// @param meanwhile  Called ten times a second.
ChildEnd run_in_child(const std::function<int()>& work, const std::function<void()>& meanwhile);

}  // namespace flitcast
