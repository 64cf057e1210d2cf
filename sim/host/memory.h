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
  std::string source;  ///< "this machine has".
};

/// The least of what the machine has, of the limits of the process and of its control group, and of
/// `given`, a bound that the user has set.
MemoryLimit memory_limit(std::optional<std::uint64_t> given = std::nullopt);

/// The least limit of a control group and of those around it; absent if there is none.
/// @param membership  A file like /proc/self/cgroup.
/// @param mounted     Where the groups are, /sys/fs/cgroup.
std::optional<double> control_group_limit(const std::string& membership,
                                          const std::string& mounted);

/// "12.5 MiB", "3.0 GiB".
std::string size_text(double bytes);

/// Throws ConfigError, with the place and key of `problem`, if `bytes` are more than the limit.
/// @param what  "a mesh of 64 routers takes at least".
void require_memory(double bytes, const MemoryLimit& limit, const std::string& what,
                    Problem problem);

}  // namespace flitcast
