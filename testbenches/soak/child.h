// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace flitcast {

/// Outcome of a child process.
struct RunEnd {
  std::string said;
  std::string died;  ///< The reason if it wrote less than its whole text, else empty.
};

/// Calls `work` in a forked process and returns its text. A crash, an early exit, more than
/// `seconds` seconds of CPU time or more than 4 GiB of memory end only the forked process.
RunEnd in_child(unsigned seconds, const std::function<std::string()>& work);

}  // namespace flitcast
