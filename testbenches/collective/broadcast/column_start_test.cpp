// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>
#include <set>

#include "collective/broadcast/extended_dominating_nodes.h"
#include "collective/paths.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Channel = std::pair<NodeId, PortId>;

/// Plays the rounds and returns the nodes informed at the end; fails the test if a sender was not
/// informed, or if two messages of a round share a channel.
std::set<NodeId> play(const Grid& grid, NodeId source,
                      const std::vector<std::vector<NodePair>>& rounds) {
  std::set<NodeId> informed{source};
  for (const std::vector<NodePair>& messages : rounds) {
    std::vector<Channel> used;
    for (const NodePair& message : messages) {
      if (informed.count(message.from) == 0) FAIL("a sender is not informed");
      NodeId node = message.from;
      for (const PortId output : dimension_order_path(grid, message.from, message.to)) {
        used.emplace_back(node, output);
        node = neighbour(grid, node, output);
      }
    }
    std::sort(used.begin(), used.end());
    if (std::adjacent_find(used.begin(), used.end()) != used.end()) FAIL("a channel is shared");
    for (const NodePair& message : messages) informed.insert(message.to);
  }
  return informed;
}

/// Returns targets at random heights in the columns first .. first + count - 1.
std::vector<NodeId> targets_in(const Grid& grid, std::size_t first, std::size_t count,
                               std::mt19937& random) {
  std::vector<NodeId> targets;
  for (std::size_t column = first; column < first + count; ++column) {
    const std::size_t row = random() % grid.size(1);
    targets.push_back(NodeId{static_cast<std::uint32_t>(column + row * grid.size(0))});
  }
  std::shuffle(targets.begin(), targets.end(), random);
  return targets;
}

void check_served(const Grid& grid, NodeId source, const std::vector<NodeId>& targets,
                  std::size_t rounds) {
  const std::set<NodeId> informed = play(grid, source, column_start(grid, source, targets, rounds));
  for (const NodeId target : targets) {
    INFO("source " << index(source) << ", target " << index(target));
    REQUIRE(informed.count(target) == 1);
  }
}

}  // namespace

TEST_CASE("a start serves (3^r - 1) / 2 targets on either side in r rounds", "[collective]") {
  std::mt19937 random(11);
  const Grid grid = mesh({27, 5});
  for (std::uint32_t row = 0; row < 5; ++row) {
    const NodeId source{13 + 27 * row};
    for (int i = 0; i < 40; ++i) check_served(grid, source, targets_in(grid, 0, 27, random), 3);
    check_served(grid, source, targets_in(grid, 9, 9, random), 2);
    check_served(grid, source, targets_in(grid, 12, 3, random), 1);
    CHECK_THROWS_AS(column_start(grid, source, targets_in(grid, 0, 27, random), 2),
                    std::invalid_argument);
  }
}

TEST_CASE("a helper makes three more possible, wherever the targets lie", "[collective]") {
  std::mt19937 random(12);
  const Grid grid = mesh({17, 4});
  for (int i = 0; i < 100; ++i) {
    for (std::uint32_t row = 0; row < 4; ++row) {
      // No target is in the source's column.
      check_served(grid, NodeId{17 * row}, targets_in(grid, 1, 16, random), 3);
      // One target is in the source's column.
      check_served(grid, NodeId{17 * row}, targets_in(grid, 0, 17, random), 3);
      check_served(grid, NodeId{17 * row + 16}, targets_in(grid, 0, 16, random), 3);
      check_served(grid, NodeId{17 * row + 16}, targets_in(grid, 11, 5, random), 2);
    }
  }
}

TEST_CASE("a start has as many rounds as asked for, needed or not", "[collective]") {
  const Grid grid = mesh({4, 4});
  CHECK(column_start(grid, NodeId{0}, {}, 2).size() == 2);
  CHECK(column_start(grid, NodeId{0}, {NodeId{0}}, 1).front().empty());
  CHECK(column_start(grid, NodeId{0}, {NodeId{8}}, 3).front().size() == 1);
}

TEST_CASE("a start refuses more targets on a side than can be served", "[collective]") {
  std::mt19937 random(13);
  const Grid grid = mesh({40, 4});
  const auto start = [&](std::uint32_t column, std::size_t targets, std::size_t rounds) {
    return column_start(grid, NodeId{column}, targets_in(grid, 0, targets, random), rounds);
  };
  CHECK_NOTHROW(start(39, 16, 3));
  // The helper would have more than three targets.
  CHECK_THROWS_AS(start(39, 17, 3), std::invalid_argument);
  CHECK_THROWS_AS(start(14, 29, 3), std::invalid_argument);  // Both sides would need the helper.
  CHECK_NOTHROW(start(39, 5, 2));
  // The helper has no time for two targets.
  CHECK_THROWS_AS(start(39, 6, 2), std::invalid_argument);
  CHECK_THROWS_AS(start(39, 1, 0), std::invalid_argument);
}
