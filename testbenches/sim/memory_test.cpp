// SPDX-License-Identifier: Apache-2.0
#include "folder.h"
#include "sim/host/process.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Returns the memory limit of a process of these control groups, whose folders have these files.
std::optional<double> limit_of(const std::string& membership,
                               const std::vector<std::pair<std::string, std::string>>& files) {
  const program::Folder folder;
  folder.write("membership", membership);
  for (const auto& [name, text] : files) folder.write("mounted/" + name, text);
  return control_group_limit((folder.path() / "membership").string(),
                             (folder.path() / "mounted").string());
}

}  // namespace

TEST_CASE("the limit of a control group is the least of its own and of those around it", "[sim]") {
  CHECK(limit_of("0::/a/b\n", {{"a/b/memory.max", "5000\n"}, {"a/memory.max", "4000\n"}}) == 4000);
  CHECK(limit_of("0::/a/b\n", {{"a/b/memory.max", "max\n"}, {"memory.max", "7000\n"}}) == 7000);
  CHECK(limit_of("0::/\n", {{"memory.max", "3000\n"}}) == 3000);
  CHECK_FALSE(limit_of("0::/a\n", {{"a/memory.max", "max\n"}}));
  CHECK_FALSE(limit_of("0::/a\n", {{"b/memory.max", "3000\n"}}));
}

TEST_CASE("control groups of version 1 have a hierarchy for memory", "[sim]") {
  const std::string groups = "5:cpu,cpuacct:/c\n4:hugetlb,memory:/m\n1:name=systemd:/s\n";
  CHECK(limit_of(groups, {{"memory/m/memory.limit_in_bytes", "2000\n"},
                          {"c/memory.limit_in_bytes", "1\n"}}) == 2000);
  CHECK_FALSE(limit_of("", {}));
  CHECK_FALSE(limit_of("nonsense\n", {{"memory.max", "1\n"}}));
}

TEST_CASE("of the groups of both versions the tighter one counts, wherever it stands", "[sim]") {
  for (const char* const groups : {"4:memory:/m\n0::/g\n", "0::/g\n4:memory:/m\n"}) {
    CHECK(limit_of(groups, {{"memory/m/memory.limit_in_bytes", "2000\n"},
                            {"g/memory.max", "3000\n"}}) == 2000);
    CHECK(limit_of(groups, {{"memory/m/memory.limit_in_bytes", "2000\n"},
                            {"g/memory.max", "1000\n"}}) == 1000);
  }
}

TEST_CASE("the limit that a user gives counts if it is the least", "[sim]") {
  const MemoryLimit machine = memory_limit();
  CHECK(machine.bytes > 0);
  CHECK(memory_limit(1000).bytes == 1000);
  CHECK(memory_limit(~std::uint64_t{0}).bytes == machine.bytes);
}

TEST_CASE("sizes below a MiB are in bytes, and none is 0.0", "[sim]") {
  constexpr double kMiB = 1024 * 1024;
  CHECK(size_text(1024) == "1024 bytes");
  CHECK(size_text(1.5 * kMiB) == "1.5 MiB");
  CHECK(size_text(1024 * kMiB) == "1.0 GiB");
}

TEST_CASE("what takes more memory than the limit is refused with both", "[sim]") {
  const MemoryLimit limit{3.0 * 1024 * 1024, "this machine has"};
  CHECK_NOTHROW(require_memory(limit.bytes, limit, "it takes", {}));
  CHECK_THROWS_WITH(require_memory(limit.bytes * 1024, limit, "it takes", {{}, "k", "", "mend"}),
                    "k: it takes 3.0 GiB, and this machine has 3.0 MiB; mend");
}
