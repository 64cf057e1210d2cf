// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace flitcast {

/// How a process of its own came to its end.
struct ChildEnd {
  std::string said;
  std::string died;  ///< Empty if it said all that it had to say.
};

/// Calls `work` in a copy of this process and returns its text. A crash, an exit on the way, more
/// than `seconds` seconds of computing or more than 4 GiB end the copy alone.
ChildEnd in_child(unsigned seconds, const std::function<std::string()>& work);

}  // namespace flitcast
