// SPDX-License-Identifier: Apache-2.0
// Claims on all permutations of networks that have some ten thousand of them.
#include <algorithm>

#include "permutation/instance.h"
#include "permutation/mesh_queues.h"
#include "routes.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

template <class Check>
std::size_t check_every_permutation(std::size_t nodes, Check check) {
  DestinationTable table;
  for (std::uint32_t node = 0; node < nodes; ++node) table.push_back(NodeId{node});
  std::size_t count = 0;
  do {
    check(instance_of(table));
    ++count;
  } while (std::next_permutation(table.begin(), table.end()));
  return count;
}

}  // namespace

TEST_CASE("every permutation of the 3-cube takes at most 3 steps without a queue",
          "[permutation]") {
  const Hypercube cube(3);
  OnePhase phase(cube);
  const std::size_t count = check_every_permutation(8, [&](const Instance& packets) {
    const PhaseOutcome outcome = phase.run(packets);
    REQUIRE(outcome.steps <= 3);
    REQUIRE(outcome.max_queue <= 1);
  });
  CHECK(count == 40320);
}

TEST_CASE("XY takes every permutation of eight or nine nodes within its diameter",
          "[permutation]") {
  const auto [columns, rows] = GENERATE(table<std::size_t, std::size_t>({{4, 2}, {2, 4}, {3, 3}}));
  const Grid plane = mesh({columns, rows});
  OnePhase phase(plane);
  std::size_t longest_queue = 0;
  check_every_permutation(columns * rows, [&](const Instance& packets) {
    const PhaseOutcome outcome = phase.run(packets);
    REQUIRE(outcome.steps <= columns + rows - 2);
    longest_queue = std::max(longest_queue, outcome.max_queue);
  });
  CHECK(longest_queue == most_queued_under_xy(columns, rows));
}
