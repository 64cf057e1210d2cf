// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace flitcast {

/// The exit codes of the program.
enum ExitCode : int {
  kDone = 0,
  kBrokenInvariant = 1,
  kBadInput = 2,
  kNotConverged = 3,  ///< The run finished, but is saturated, not steady or without a measurement.
  kDeadlocked = 4,
  kPointsMissing = 5,      ///< Points of a sweep failed or are missing.
  kStoppedBySignal = 128,  ///< The number of the signal is added.
};

/// Runs a command and returns its exit code. Only this function turns errors into a message on
/// standard error and an exit code.
int exit_code_of(const std::function<int()>& command);

/// The outcome of a child process.
struct ChildEnd {
  int exit_code = -1;  ///< -1 if a signal ended it.
  int signal = 0;      ///< The signal that ended it, or 0.
  std::string output;  ///< The end of its output to standard output and standard error.

  /// "exit code 2", "killed by signal 9".
  std::string text() const;
};

/// Runs `work` in a separate process, because SystemC elaborates once per process, and waits for
/// its end. Errors there become messages and an exit code, as in this process. The child ends with
/// its parent, however the parent ends; signals that ask the parent to stop (StopSignal) are passed
/// on to the child.
/// Throws std::system_error if no process can be created.
///
/// @param meanwhile  Called ten times a second.
ChildEnd run_in_child(const std::function<int()>& work, const std::function<void()>& meanwhile);

}  // namespace flitcast
