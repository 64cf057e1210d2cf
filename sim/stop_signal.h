// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitcast {

/// While it lives, SIGINT and SIGTERM ask the run to stop and write what it has; a second one ends
/// the process at once, as it would without this.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// The number of the signal that has come, or 0.
  static int received();
};

}  // namespace flitcast
