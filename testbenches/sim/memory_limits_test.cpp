// SPDX-License-Identifier: Apache-2.0
// Experiments that need more memory than the process may have are refused before any allocation.
#include <chrono>
#include <string>

#include "experiment.h"
#include "folder.h"
#include "program.h"
#include "refusal.h"

using namespace flitcast::program;

namespace {

Outcome traffic_in_300000_kib(const std::string& options) {
  return run_under(Folder().path(), "ulimit -v 300000", "clos traffic " + options);
}

}  // namespace

// The state and the check at the end have two tables of 20000^2 bits each: 200 MB, with ports 216
// MB. S2 keeps two more tables.
TEST_CASE("clos traffic counts the memory of the strategy", "[program]") {
  const std::string large = "--n 1 --r 20000 --m 20000 --events 3";
  CHECK(traffic_in_300000_kib(large).exit_code == 0);
  const Outcome s2 = traffic_in_300000_kib(large + " --strategy S2");
  CHECK(s2.exit_code == 2);
  CHECK(
      s2.err ==
      "clos traffic: the state of v(20000, 1, 20000) takes about 301.8 MiB, and the limit of this "
      "process (ulimit) is 293.0 MiB; use fewer middle switches or ports\n");
}

// 2 * 8000^2 links have two values of four bytes each: 1 GB.
TEST_CASE("clos traffic counts the memory of the loads of links", "[program]") {
  const std::string medium = "--n 1 --r 8000 --m 8000 --events 3";
  CHECK(traffic_in_300000_kib(medium).exit_code == 0);
  const Outcome weighed = traffic_in_300000_kib(medium + " --capacity 4");
  CHECK(weighed.exit_code == 2);
  CHECK(weighed.err.find("takes about 1013.2 MiB, and the limit of this process") !=
        std::string::npos);
}

TEST_CASE("a network that does not fit into memory is refused before any of it is made",
          "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  // The address space suffices for the start of the program, but not for any part of 2^24 routers.
  const std::string large = "x.yaml --set topology.sizes=[4096,4096]";
  for (const char* command : {"run ", "check "}) {
    const Outcome limited = run_under(folder.path(), "ulimit -v 400000", command + large);
    CHECK(limited.exit_code == 2);
    CHECK(says(limited.err, "topology.kind: a mesh of 16777216 routers takes at least "));
    CHECK(says(limited.err, ", and the limit of this process (ulimit) is 390.6 MiB; use fewer"));
    const Outcome asked =
        run_under(folder.path(), "ulimit -v 400000", command + large + " --memory-limit 10M");
    CHECK(says(asked.err, ", and --memory-limit allows 10.0 MiB;"));
  }
  const Outcome medium = run(folder.path(), {"check", "x.yaml", "--memory-limit", "1K"});
  CHECK(medium.exit_code == 2);
  CHECK(run(folder.path(), {"check", "x.yaml", "--memory-limit", "1G"}).exit_code == 0);
}

TEST_CASE("routers that choose among ways count as what they take, before any is made",
          "[program]") {
  const Folder folder;
  folder.write("x.yaml",
               Experiment{"{kind: mesh, sizes: [32, 32]}", "{kind: dimension_order}"}.text());
  for (const char* command : {"run", "check"}) {
    const auto limited = [&](const char* routing) {
      return run(folder.path(), {command, "x.yaml", "--set", "measure={warmup: 1, window: 10}",
                                 "--memory-limit", "20M", "--set", routing});
    };
    CHECK(limited("routing.kind=dimension_order").exit_code != 2);
    const Outcome refused = limited("routing.kind=minimal_adaptive");
    CHECK(refused.exit_code == 2);
    CHECK(says(refused.err, "mesh 32x32 takes about "));
  }
}

TEST_CASE("an input that never ends is refused after a bounded part of it", "[program]") {
  const Folder folder;
  folder.write("g.yaml",
               Experiment{"{kind: custom, file: /dev/zero}", "{kind: shortest_path}"}.text());
  folder.write("t.yaml", with_workload("{kind: trace, format: csv, file: /dev/zero}").text());
  const auto check = [&](const std::string& file) {
    const Outcome outcome = run_under(folder.path(), "ulimit -v 600000", "check " + file);
    CHECK(outcome.exit_code == 2);
    return outcome.err;
  };
  CHECK(check("/dev/zero") == "/dev/zero: is too large for an experiment; name a YAML file\n");
  CHECK(says(check("g.yaml"), "/dev/zero: exceeds 64 MiB"));
  CHECK(says(check("t.yaml"), "/dev/zero:1: a line of more than a million bytes"));
}

TEST_CASE("a negative memory limit is refused", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  for (const char* command : {"run", "check"}) {
    CHECK(says(refusal(folder, {command, "x.yaml", "--memory-limit", "-1"}),
               "--memory-limit: \"-1\" is no size; write 512M or 2G"));
  }
}

TEST_CASE("a node with more ports than a router can have is refused at once", "[program]") {
  const Folder folder;
  Experiment wide;
  wide.topology = "{kind: clos, ports: [2], middle_switches: [2], switches: 65535}";
  wide.routing = "{kind: central_control}";
  wide.workload = "{kind: collective, operation: scan, algorithm: hillis_steele, length: 1}";
  wide.more = "node: {ports: all}";
  folder.write("x.yaml", wide.text());
  const auto start = std::chrono::steady_clock::now();
  CHECK(says(refusal(folder, {"check", "x.yaml"}), "would have more than 128 ports"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

// Here the memory grows by 2 GB/s: by 200 MB in a tenth of a second.
TEST_CASE("memory that grows fast ends the program before it is far beyond its limit",
          "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{"{kind: torus, sizes: [64, 64]}", "{kind: dimension_order}",
                                    "{kind: collective, operation: gossip, algorithm: "
                                    "shift_exchange, length: 64}"}
                             .text());
  for (const char* command : {"check", "run"}) {
    const Outcome outcome = run(folder.path(), {command, "x.yaml", "--memory-limit", "300M"});
    INFO(command << ": " << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(says(outcome.err, "before the first cycle the experiment takes more than 300.0 MiB"));
    CHECK(outcome.peak_mib < 380);
  }
}

TEST_CASE("a trace that needs more memory than is allowed ends the program while it is read",
          "[program]") {
  const Folder folder;
  std::string rows = "cycle,src,dst,flits\n";
  for (int packet = 0; packet < 3'000'000; ++packet) rows += "0,0,1,1\n";
  folder.write("long.csv", rows);
  folder.write("x.yaml", with_workload("{kind: trace, format: csv, file: long.csv}").text());
  for (const char* command : {"check", "run"}) {
    const Outcome outcome = run(folder.path(), {command, "x.yaml", "--memory-limit", "64M"});
    CHECK(outcome.exit_code == 2);
    CHECK(says(outcome.err,
               "before the first cycle the experiment takes more than 64.0 MiB, and "
               "--memory-limit allows 64.0 MiB; use a part of a trace"));
  }
}
