// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/problem.h"

namespace flitcast {

/// The most memory that this process may take, and the source of the limit.
struct MemoryLimit {
  double bytes = 0;
  std::string source;  ///< Begins a message: "this machine has".
};

/// The smallest of the machine's memory, the limits of the process and of its control group, and
/// `given`, a limit of the user.
MemoryLimit memory_limit(std::optional<std::uint64_t> given = std::nullopt);

/// The smallest limit of a control group and of those that contain it; absent if there is none.
/// @param membership  A file like /proc/self/cgroup.
/// @param mounted     The folder of the groups, /sys/fs/cgroup.
std::optional<double> control_group_limit(const std::string& membership,
                                          const std::string& mounted);

/// "12.5 MiB", "3.0 GiB".
std::string size_text(double bytes);

/// Throws ConfigError, with the place and key of `problem`, if `bytes` exceeds the limit.
/// @param what  "a mesh of 64 routers takes at least".
void require_memory(double bytes, const MemoryLimit& limit, const std::string& what,
                    Problem problem);

}  // namespace flitcast
