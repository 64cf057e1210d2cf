// SPDX-License-Identifier: Apache-2.0
// Pipelined trees: blocks follow one another along the edges.
#include <array>
#include <map>
#include <utility>

#include "collective/ranks/builders.h"

namespace flitcast {

namespace {

/// A message of a broadcast in blocks, between ranks counted from the root.
struct BlockSend {
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t block = 0;
};

/// The messages of a broadcast in blocks by round; rounds without messages are absent.
using BlockRounds = std::map<std::size_t, std::vector<BlockSend>>;

/// A reduction is the broadcast reversed in time.
Schedule schedule_along(const Demand& demand, const BlockRounds& rounds) {
  Schedule broadcast;
  for (const auto& [number, sends] : rounds) {
    broadcast.begin_round();
    for (const auto& [from, to, block] : sends) {
      broadcast.add(demand.at_rank(from), demand.at_rank(to), chunk(block));
    }
  }
  if (demand.operation == Operation::kBroadcast) return broadcast;
  const auto block = [&](std::size_t m) { return index(broadcast.message(m).chunk); };
  Schedule schedule;
  add_rounds(schedule, broadcast, true, [&](std::size_t m) { return partial_sum(block(m)); });
  if (demand.operation == Operation::kReduce) return schedule;
  add_rounds(schedule, broadcast, false, [&](std::size_t m) { return result_of(block(m)); });
  return schedule;
}

/// The claim of a broadcast or reduction in the given number of rounds; an all-reduce takes twice
/// as many.
Claim claim_along(const Demand& demand, std::size_t rounds) {
  const std::size_t times = demand.operation == Operation::kAllReduce ? 2 : 1;
  const std::size_t messages = times * (demand.nodes - 1) * demand.cuts;
  return {times * rounds, false, messages, 0, times * rounds, messages};
}

/// Adds the tree of the ranks root .. root + size - 1: the root is the first rank, and its two
/// subtrees follow, the larger one first. The second subtree is served first, so that the reversed
/// reduction adds the first one before the second. `when` is the round in which the root has block
/// 0, `period` the number of rounds from one block to the next.
void add_preorder_tree(BlockRounds& rounds, std::size_t blocks, std::size_t root, std::size_t size,
                       std::size_t when, std::size_t period) {
  const std::size_t first = size / 2;  // The larger half of the size - 1 other ranks.
  const std::size_t second = size - 1 - first;
  const auto serve = [&](std::size_t child, std::size_t ranks, std::size_t at) {
    for (std::size_t b = 0; b < blocks; ++b) {
      rounds[at + period * b].push_back({root, child, b});
    }
    add_preorder_tree(rounds, blocks, child, ranks, at, period);
  };
  if (second > 0) serve(root + 1 + first, second, when + 1);
  if (first > 0) serve(root + 1, first, when + (second > 0 ? 2 : 1));
}

/// Rounds until the last rank of the tree has a block that the root starts with.
std::size_t preorder_depth(std::size_t size) {
  if (size <= 2) return size - 1;
  return 2 + preorder_depth(size / 2);
}

Schedule pipelined_tree(const Demand& demand) {
  BlockRounds rounds;
  add_preorder_tree(rounds, demand.cuts, 0, demand.nodes, 0, demand.nodes == 2 ? 1 : 2);
  return schedule_along(demand, rounds);
}

/// S blocks: a new one every second round, and d(p) rounds for each, where d(1) = 0, d(2) = 1 and
/// d(p) = 2 + d(floor(p / 2)): 2 (S - 1) + d(p) rounds of a block each, but S rounds for p = 2;
/// (p - 1) S messages. Sums combine contiguous ranges of ranks, lower ranks left. An all-reduce is
/// a reduction and a broadcast. Source: P. Sanders, J. Speck and J. L. Träff, "Two-tree
/// algorithms for full bandwidth broadcast, reduction and scan", Parallel Computing 35 (2009),
/// section 2.
Claim pipelined_tree_claim(const Demand& demand) {
  const std::size_t blocks = demand.cuts;
  if (demand.nodes == 2) return claim_along(demand, blocks);
  return claim_along(demand, 2 * (blocks - 1) + preorder_depth(demand.nodes));
}

/// By rank: its parent in a binary tree whose inorder is the order of the ranks; 0 for the root.
using Parents = std::vector<std::size_t>;

/// Adds the tree of the ranks lowest .. highest, at least 1; its leaves are at odd places, counted
/// from 1.
void add_inorder_tree(Parents& parents, std::size_t lowest, std::size_t highest,
                      std::size_t parent) {
  if (lowest > highest) return;
  std::size_t step = 1;
  while (lowest + 2 * step - 1 <= highest) step *= 2;
  const std::size_t root = lowest + step - 1;
  parents[root] = parent;
  add_inorder_tree(parents, lowest, root - 1, root);
  add_inorder_tree(parents, root + 1, highest, root);
}

/// The two trees of the ranks 1 .. p - 1: the second is the first one with every rank shifted by
/// one, or mirrored where p - 1 is even, so that an inner rank of one tree is a leaf of the other.
using TwoTrees = std::array<Parents, 2>;

TwoTrees two_trees_of(std::size_t p) {
  TwoTrees trees{Parents(p, 0), Parents(p, 0)};
  add_inorder_tree(trees[0], 1, p - 1, 0);
  const bool mirrored = (p - 1) % 2 == 0;
  const auto other = [&](std::size_t v) { return mirrored ? p - v : v % (p - 1) + 1; };
  for (std::size_t v = 1; v < p; ++v) {
    const std::size_t parent = trees[0][v];
    trees[1][other(v)] = parent == 0 ? 0 : other(parent);
  }
  return trees;
}

/// By tree and rank: 0 or 1, by which the message to the rank is assigned to even or to odd rounds,
/// so that a rank which sends or receives two blocks does so in turn. Messages that share a sender
/// or a receiver form paths and cycles of even length, along which turns alternate.
std::array<std::vector<std::size_t>, 2> turns_of(const TwoTrees& trees) {
  struct Edge {
    std::size_t tree = 0;
    std::size_t to = 0;
    std::size_t turn = 0;
  };
  constexpr std::size_t kOpen = 2;
  const std::size_t ranks = trees[0].size();
  std::vector<std::vector<Edge>> sent(ranks);  // By sender: its edges.
  std::vector<Edge> edges;
  for (std::size_t v = 1; v < ranks; ++v) {
    for (const std::size_t tree : {0U, 1U}) {
      edges.push_back({tree, v, 0});
      sent[trees[tree][v]].push_back(edges.back());
    }
  }
  std::array<std::vector<std::size_t>, 2> turns;
  turns.fill(std::vector<std::size_t>(ranks, kOpen));
  for (const Edge& edge : edges) {
    std::vector<Edge> open{edge};
    while (!open.empty()) {
      const auto [tree, to, turn] = open.back();
      open.pop_back();
      if (turns[tree][to] != kOpen) continue;
      turns[tree][to] = turn;
      open.push_back({1 - tree, to, 1 - turn});
      for (const Edge& other : sent[trees[tree][to]]) {
        open.push_back({other.tree, other.to, 1 - turn});
      }
    }
  }
  return turns;
}

/// By rank: the round in which it has the first block of a tree.
std::vector<std::size_t> first_rounds(const Parents& parents,
                                      const std::vector<std::size_t>& turns) {
  std::vector<std::size_t> rounds(parents.size(), 0);
  for (std::size_t v = 1; v < parents.size(); ++v) {
    std::vector<std::size_t> path;  // The ranks from v up to a rank whose round is known.
    for (std::size_t at = v; at != 0 && rounds[at] == 0; at = parents[at]) path.push_back(at);
    for (; !path.empty(); path.pop_back()) {
      const std::size_t next = rounds[parents[path.back()]] + 1;
      rounds[path.back()] = next + (next + turns[path.back()]) % 2;
    }
  }
  return rounds;
}

Schedule two_trees(const Demand& demand) {
  const TwoTrees trees = two_trees_of(demand.nodes);
  const auto turns = turns_of(trees);
  BlockRounds rounds;
  for (const std::size_t tree : {0U, 1U}) {
    const Parents& parents = trees[tree];
    const std::vector<std::size_t> first = first_rounds(parents, turns[tree]);
    for (std::size_t v = 1; v < demand.nodes; ++v) {
      for (std::size_t b = tree; b < demand.cuts; b += 2) {
        rounds[first[v] + b - tree].push_back({parents[v], v, b});
      }
    }
  }
  return schedule_along(demand, rounds);
}

/// Two binary trees, each for every second of S blocks; every rank is an inner rank of one and a
/// leaf of the other, so all send and receive in nearly all rounds: at most
/// 2 (ceil(S / 2) - 1) + 2 ceil(log2 p) rounds of a block each, (p - 1) S messages. The bound on
/// the depth of a tree with turns was verified for p < 200. An all-reduce is a reduction and a
/// broadcast. The operator must be commutative.
/// Source: P. Sanders, J. Speck and J. L. Träff, "Two-tree algorithms for full bandwidth broadcast,
/// reduction and scan", Parallel Computing 35 (2009), section 4; here a walk along the messages
/// assigns the turns, not a formula.
Claim two_trees_claim(const Demand& demand) {
  const std::size_t depth = 2 * ceil_log(2, demand.nodes);
  Claim claim = claim_along(demand, 2 * ((demand.cuts + 1) / 2 - 1) + depth);
  claim.at_most = true;
  claim.serial_blocks.reset();
  return claim;
}

}  // namespace

std::vector<CollectiveEntry> pipelined_tree_collectives() {
  const std::vector<Operation> operations{Operation::kBroadcast, Operation::kReduce,
                                          Operation::kAllReduce};
  return {
      rank_entry("pipelined_tree", "Any network: blocks follow one another down a binary tree.",
                 operations, make_on_ranks<pipelined_tree_claim, pipelined_tree, segments>,
                 segment_keys()),
      rank_entry("two_trees",
                 "Any network: two binary trees, each for half of the blocks, the inner ranks "
                 "of one are leaves of the other.",
                 operations, make_on_ranks<two_trees_claim, two_trees, segments>, segment_keys())};
}

}  // namespace flitcast
