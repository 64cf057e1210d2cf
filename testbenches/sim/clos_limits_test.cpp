// SPDX-License-Identifier: Apache-2.0
// What the commands of Clos networks do not take, and leave behind then.
#include <string>

#include "folder.h"
#include "program.h"
#include "support/test_catch.h"

using namespace flitcast::program;

namespace {

/// `flitcast clos traffic` in a process of so many KiB.
Outcome traffic_in(const std::string& kib, const std::string& options) {
  const Folder folder;
  const std::string script = "ulimit -v " + kib + "; " FLITCAST_PROGRAM " clos traffic " + options;
  return Process(folder.path(), {"-c", script}, "sh").wait();
}

}  // namespace

// Four tables of 20000^2 bits, two of the state and two of the check at the end: 200 MB, with ports
// 216 MB. S2 keeps two more.
TEST_CASE("clos traffic counts the memory of the strategy", "[program]") {
  const std::string large = "--n 1 --r 20000 --m 20000 --events 3";
  CHECK(traffic_in("300000", large).exit_code == 0);
  const Outcome s2 = traffic_in("300000", large + " --strategy S2");
  CHECK(s2.exit_code == 2);
  CHECK(
      s2.err ==
      "clos traffic: the state of v(20000, 1, 20000) takes about 301.8 MiB, and the limit of this "
      "process (ulimit) is 293.0 MiB; use fewer middle switches or ports\n");
}

// Twice four bytes for each of 2 * 8000^2 links: 1 GB.
TEST_CASE("clos traffic counts the memory of the loads of links", "[program]") {
  const std::string medium = "--n 1 --r 8000 --m 8000 --events 3";
  CHECK(traffic_in("300000", medium).exit_code == 0);
  const Outcome weighed = traffic_in("300000", medium + " --capacity 4");
  CHECK(weighed.exit_code == 2);
  CHECK(weighed.err.find("takes about 1013.2 MiB, and the limit of this process") !=
        std::string::npos);
}

TEST_CASE("a trace that is not finished leaves no file", "[program]") {
  const Folder folder;
  const Outcome outcome = run(folder.path(), {"clos", "traffic", "--n", "2", "--r", "3", "--m", "4",
                                              "--candidates", "first", "--trace", "new/t.txt"});
  CHECK(outcome.exit_code == 2);
  CHECK(folder.contents().empty());
}
