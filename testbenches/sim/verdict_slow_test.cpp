// SPDX-License-Identifier: Apache-2.0
// Verdicts at known capacities in long windows, where random variation is smaller.
#include <cmath>
#include <regex>
#include <string>

#include "folder.h"
#include "known_capacity.h"
#include "result.h"

using namespace flitcast::program;

TEST_CASE("just below capacity a run is ok, just above it is saturated, in 100000 cycles",
          "[program]") {
  for (const Pair& pair : kPairs) {
    INFO(pair.name);
    CHECK(status_at(pair, 0.97, 100000) == "ok");
    CHECK(status_at(pair, 1.03, 100000) == "saturated");
  }
}

TEST_CASE("just below capacity a run is ok, just above it is saturated, in 400000 cycles",
          "[program]") {
  for (const Pair& pair : kPairs) {
    INFO(pair.name);
    CHECK(status_at(pair, 0.97, 400000) == "ok");
    CHECK(status_at(pair, 1.03, 400000) == "saturated");
  }
}

namespace {

/// A mesh of 8x8 with adaptive routing near the load at which it collapses after a long time.
Json near_collapse(const std::string& load, int seed, int exit_code) {
  const Folder folder;
  folder.write("x.yaml",
               "topology: {kind: mesh, sizes: [8, 8]}\nrouting: {kind: odd_even}\n"
               "workload: {kind: traffic, packet_length: 4, load: " +
                   load +
                   "}\n"
                   "measure: {window: 100000}\nseed: " +
                   std::to_string(seed) + "\n");
  return result_of(folder.path(), "x.yaml", {}, exit_code);
}

}  // namespace

TEST_CASE("a network that collapses in its window says when, and what it has accepted since",
          "[program]") {
  const Json collapsed = near_collapse("0.36", 1, 3);
  CHECK(collapsed["status"] == "saturated");
  const Json& collapse = collapsed["backlog"]["collapse"];
  INFO(collapse);
  CHECK(std::abs(collapse["cycle"].get<double>() - 45000) < 4000);
  CHECK(std::abs(collapse["accepted_flits_per_node_cycle"].get<double>() - 0.28) < 0.01);
  CHECK(std::abs(collapse["offered_flits_per_node_cycle"].get<double>() - 0.36) < 0.01);
  CHECK(std::regex_search(collapsed["reason"].get<std::string>(),
                          std::regex("; the network kept up until cycle 4[0-9]{4} and accepted "
                                     "0.2[78][0-9] of 0.3[56][0-9] flits per node and cycle "
                                     "since$")));
  CHECK(near_collapse("0.345", 1, 0)["status"] == "ok");
}
