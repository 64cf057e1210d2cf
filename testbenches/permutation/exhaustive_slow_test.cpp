// SPDX-License-Identifier: Apache-2.0
// Claims on all permutations of networks that have some ten thousand of them.
#include <algorithm>

#include "permutation/instance.h"
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
  const std::size_t diameter = columns + rows - 2;
  OnePhase phase(plane);
  std::size_t longest_queue = 0;
  check_every_permutation(columns * rows, [&](const Instance& packets) {
    const PhaseOutcome outcome = phase.run(packets);
    REQUIRE(outcome.steps <= diameter);
    longest_queue = std::max(longest_queue, outcome.max_queue);
  });
  CHECK(longest_queue == most_queued_under_xy(columns, rows));
}

TEST_CASE("coloured ancestors leave no link of a tree shared by any permutation of eight nodes",
          "[permutation]") {
  const PaperCase paper("fat_tree, arity: 2, levels: 3", "nearest_common_ancestor",
                        "permutation: identity, algorithm: coloured_ascent");
  const Fifo fifo;
  const AlgorithmEntry& coloured = *find(permutation_algorithms(), "coloured_ascent");
  std::vector<NodeId> ends;
  for (std::uint32_t node = 0; node < 8; ++node) ends.push_back(NodeId{node});
  const std::size_t count = check_every_permutation(8, [&](const Instance& packets) {
    const MovePlan plan = coloured.make(paper.section, {*paper.network, ends, packets});
    MovePaths paths(*paper.network, *paper.context.routing, 1, plan.choices);
    const PhaseOutcome outcome = StepMachine(paths, fifo).run(plan.phases.messages(0));
    REQUIRE(outcome.congestion <= 1);
    REQUIRE(outcome.steps == outcome.longest_path);
  });
  CHECK(count == 40320);
}
