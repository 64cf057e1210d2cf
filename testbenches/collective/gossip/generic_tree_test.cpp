// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "collective/algorithms.h"
#include "collective/paths.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// A broadcast tree as its hops by rounds.
struct TreeHop {
  NodeId from{};
  NodeId to{};
  PortId output{};
};
using GenericTree = std::vector<std::vector<TreeHop>>;

/// The tree whose translates the gossip on disjoint trees uses: the broadcast tree of node 0.
GenericTree generic_tree(const Grid& torus) {
  const Schedule schedule = disjoint_tree_gossip(torus).schedule;
  GenericTree tree(schedule.rounds());
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    for (std::size_t send = schedule.begin(round); send < schedule.end(round); ++send) {
      const Message& message = schedule.message(send);
      if (message.chunk != ChunkId{0}) continue;
      tree[round].push_back({message.from, message.to, schedule.path(send)[0]});
    }
  }
  return tree;
}

/// True if every hop goes by its output from a node informed in an earlier round to a new one, and
/// all nodes are informed in the end.
bool spans(const Grid& torus, const GenericTree& tree) {
  std::set<NodeId> informed{NodeId{0}};
  for (const auto& round : tree) {
    std::set<NodeId> fresh;
    for (const TreeHop& hop : round) {
      if (neighbour(torus, hop.from, hop.output) != hop.to || informed.count(hop.from) == 0 ||
          informed.count(hop.to) != 0 || !fresh.insert(hop.to).second) {
        return false;
      }
    }
    informed.merge(fresh);
  }
  return informed.size() == torus.node_count();
}

/// The number of rounds, from the first on, that use all four outputs, each once.
std::size_t full_rounds(const GenericTree& tree) {
  std::size_t full = 0;
  for (const auto& round : tree) {
    std::set<PortId> outputs;
    for (const TreeHop& hop : round) outputs.insert(hop.output);
    if (outputs.size() != round.size() || round.size() != 4) break;
    ++full;
  }
  return full;
}

void check_tree(std::size_t columns, std::size_t rows) {
  const Grid grid = torus({columns, rows});
  const GenericTree tree = generic_tree(grid);
  const std::size_t others = grid.node_count() - 1;
  CAPTURE(grid.name());
  CHECK(spans(grid, tree));
  CHECK(full_rounds(tree) == others / 4);
  CHECK(tree.size() == (others + 3) / 4);
}

}  // namespace

TEST_CASE("the generic tree spans its torus and uses all outputs in all rounds but the last",
          "[collective]") {
  for (std::size_t columns = 3; columns <= 12; ++columns) {
    for (std::size_t rows = 3; rows <= 12; ++rows) check_tree(columns, rows);
  }
}

TEST_CASE("the generic tree is as good on elongated tori", "[collective]") {
  for (std::size_t shorter = 3; shorter <= 6; ++shorter) {
    check_tree(shorter, 24);
    check_tree(23, shorter);
  }
}

TEST_CASE("on odd squares the tree has four arms, quarter turns of one another", "[collective]") {
  const GenericTree tree = generic_tree(torus({5, 5}));
  // Nodes are numbered x + 5 y. The arm of +x is (1,0) (2,0) (1,1) (2,1) (1,2) (2,2); the other
  // arms are its quarter turns.
  const std::vector<std::vector<std::uint32_t>> arms{{1, 2, 6, 7, 11, 12},
                                                     {5, 10, 9, 14, 8, 13},
                                                     {4, 3, 24, 23, 19, 18},
                                                     {20, 15, 21, 16, 22, 17}};
  REQUIRE(tree.size() == 6);
  for (std::size_t arm = 0; arm < 4; ++arm) {
    for (std::size_t round = 0; round < 6; ++round) {
      CHECK(tree[round][arm].to == NodeId{arms[arm][round]});
      CHECK(tree[round][arm].output == tree[0][arm].output);
    }
  }
}
