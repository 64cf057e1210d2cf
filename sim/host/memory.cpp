// SPDX-License-Identifier: Apache-2.0
#include "sim/host/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

namespace flitcast {
namespace {

namespace fs = std::filesystem;

void lower(MemoryLimit& limit, double bytes, const char* source) {
  if (bytes < limit.bytes) limit = {bytes, source};
}

void lower_to_resource(MemoryLimit& limit, int resource) {
  rlimit allowed{};
  if (::getrlimit(resource, &allowed) != 0 || allowed.rlim_cur == RLIM_INFINITY) return;
  lower(limit, static_cast<double>(allowed.rlim_cur), "the limit of this process (ulimit) is");
}

/// The number in a file; absent for "max", which version 2 of control groups writes for no limit.
std::optional<double> number_in_file(const fs::path& path) {
  std::ifstream file(path);
  double number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

/// The smallest number in the files of that name, from the folder `group` below `root` up to
/// `root`.
std::optional<double> least_up_to(const fs::path& root, const fs::path& group, const char* name) {
  std::optional<double> least;
  for (fs::path folder = group.relative_path();; folder = folder.parent_path()) {
    const std::optional<double> number = number_in_file(root / folder / name);
    if (number && (!least || *number < *least)) least = number;
    if (folder.empty()) return least;
  }
}

}  // namespace

std::optional<double> control_group_limit(const std::string& membership,
                                          const std::string& mounted) {
  std::ifstream file(membership);
  std::optional<double> least;
  // The lines are "0::/group" in version 2, "4:memory:/group" in version 1.
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    std::optional<double> limit;
    if (controllers.empty()) limit = least_up_to(mounted, group, "memory.max");
    if ((',' + controllers + ',').find(",memory,") != std::string::npos) {
      limit = least_up_to(fs::path(mounted) / "memory", group, "memory.limit_in_bytes");
    }
    if (limit && (!least || *limit < *least)) least = limit;
  }
  return least;
}

MemoryLimit memory_limit(std::optional<std::uint64_t> given) {
  MemoryLimit limit{
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE)),
      "this machine has"};
  lower_to_resource(limit, RLIMIT_AS);
  lower_to_resource(limit, RLIMIT_DATA);
  if (const auto group = control_group_limit("/proc/self/cgroup", "/sys/fs/cgroup")) {
    lower(limit, *group, "the control group of this process has");
  }
  if (given) lower(limit, static_cast<double>(*given), "--memory-limit allows");
  return limit;
}

std::string size_text(double bytes) {
  constexpr double kMiB = 1024.0 * 1024;
  constexpr double kGiB = 1024 * kMiB;
  return bytes < kGiB ? fmt::format("{:.1f} MiB", bytes / kMiB)
                      : fmt::format("{:.1f} GiB", bytes / kGiB);
}

void require_memory(double bytes, const MemoryLimit& limit, const std::string& what,
                    Problem problem) {
  if (bytes <= limit.bytes) return;
  problem.what =
      fmt::format("{} {}, and {} {}", what, size_text(bytes), limit.source, size_text(limit.bytes));
  throw ConfigError(std::move(problem));
}

}  // namespace flitcast
