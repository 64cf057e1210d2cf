// SPDX-License-Identifier: Apache-2.0
#include "sim/claims/one_port_search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/sequences.h"
#include "collective/cost.h"
#include "topology/adjacency.h"

namespace flitcast::claims {
namespace {

/// By node: its neighbours.
using Neighbours = std::vector<std::vector<std::size_t>>;

/// A search that decides if some nodes, the targets, can be informed in a number of rounds.
class TargetSearch {
 public:
  static constexpr std::size_t kMostTargets = 8;
  using Set = std::uint32_t;  ///< Bit t: target t.

  TargetSearch(const Topology& topology, const Neighbours& neighbours,
               const std::vector<std::size_t>& targets)
      : neighbours_(neighbours) {
    const Adjacency adjacency(topology);
    for (const std::size_t target : targets) {
      distances_.push_back(distances_from(to_id<NodeId>(target), topology, adjacency));
    }
  }

  /// True if a node that has just been informed can serve a set of targets in the rounds left.
  bool serves(std::size_t node, std::size_t rounds, Set set) {
    if (within(node, rounds, set) != set) return false;
    set &= ~within(node, 0, set);
    if (set == 0) return true;
    const std::tuple key{node, rounds, set};
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    return known_[key] = hands_over(node, rounds, set);
  }

 private:
  /// The targets of a set that a node can still reach.
  Set within(std::size_t node, std::size_t rounds, Set set) const {
    Set reached = 0;
    for (std::size_t t = 0; t < distances_.size(); ++t) {
      if (distances_[t][node] <= rounds) reached |= set & 1U << t;
    }
    return reached;
  }

  /// True if a node can serve a set by handing over a part of it in the next round.
  bool hands_over(std::size_t node, std::size_t rounds, Set set) {
    // The targets that are out of reach if the node keeps them.
    const Set due = set & ~within(node, rounds - 1, set);
    for (const std::size_t next : neighbours_[node]) {
      const Set possible = within(next, rounds - 1, set);
      for (Set part = possible; part != 0; part = (part - 1) & possible) {
        if ((due & ~part) != 0) continue;
        if (serves(next, rounds - 1, part) && serves(node, rounds - 1, set & ~part)) return true;
      }
    }
    return false;
  }

  const Neighbours& neighbours_;
  std::vector<std::vector<std::uint32_t>> distances_;  // By target and node.
  std::map<std::tuple<std::size_t, std::size_t, Set>, bool> known_;
};

/// The broadcast along a spanning tree in which every node serves first the child whose own
/// broadcast takes longest, the best order.
struct TreeBroadcast {
  std::size_t root = 0;
  std::vector<std::size_t> parents;
  std::vector<std::size_t> informed{};  ///< By node: the round in which it is informed.
  std::size_t rounds = 0;
  /// A sum over all nodes that doubles with every round by which a node is informed later.
  double lateness = 0;

  /// Finds the rounds; false if the parents make no tree.
  bool evaluate() {
    std::vector<std::vector<std::size_t>> children(parents.size());
    for (std::size_t node = 0; node < parents.size(); ++node) {
      if (node != root) children[parents[node]].push_back(node);
    }
    std::vector<std::size_t> order{root};
    for (std::size_t at = 0; at < order.size(); ++at) append(order, children[order[at]]);
    if (order.size() < parents.size()) return false;
    std::vector<std::size_t> need(parents.size());  // Rounds until all nodes below are informed.
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      std::sort(children[*node].begin(), children[*node].end(),
                [&](std::size_t a, std::size_t b) { return need[a] > need[b]; });
      for (std::size_t c = 0; c < children[*node].size(); ++c) {
        need[*node] = std::max(need[*node], c + 1 + need[children[*node][c]]);
      }
    }
    rounds = need[root];
    lateness = 1;
    informed.assign(parents.size(), 0);
    for (const std::size_t node : order) {
      for (std::size_t c = 0; c < children[node].size(); ++c) {
        informed[children[node][c]] = informed[node] + c + 1;
        lateness += std::exp2(informed[children[node][c]]);
      }
    }
    return true;
  }
};

/// A node to move: any node, or one on the path to a node that is informed too late.
std::size_t node_to_move(const TreeBroadcast& tree, std::size_t rounds, Random& random) {
  std::size_t node = random.below(tree.parents.size());
  if (random.below(2) == 0) return node;
  while (tree.informed[node] <= rounds) node = (node + 1) % tree.parents.size();
  for (std::size_t up = random.below(tree.informed[node]); up > 0 && node != tree.root; --up) {
    node = tree.parents[node];
  }
  return node;
}

/// A tree of shortest paths that is drawn at random and annealed until its broadcast takes the
/// wanted number of rounds, or for a number of moves.
TreeBroadcast annealed_tree(std::size_t root, const std::vector<std::uint32_t>& distances,
                            const Neighbours& neighbours, std::size_t rounds, Random& random) {
  constexpr std::size_t kMoves = 25000;
  const auto neighbour_of = [&](std::size_t node) {
    return neighbours[node][random.below(neighbours[node].size())];
  };
  TreeBroadcast tree{root, std::vector<std::size_t>(neighbours.size(), root)};
  for (std::size_t node = 0; node < neighbours.size(); ++node) {
    while (node != root && distances[tree.parents[node]] + 1 != distances[node]) {
      tree.parents[node] = neighbour_of(node);
    }
  }
  tree.evaluate();
  for (std::size_t move = 0; move < kMoves && tree.rounds > rounds; ++move) {
    TreeBroadcast moved = tree;
    const std::size_t node = node_to_move(tree, rounds, random);
    moved.parents[node] = neighbour_of(node);
    if (node == root || moved.parents[node] == tree.parents[node] || !moved.evaluate()) continue;
    const double temperature = 1 - static_cast<double>(move) / static_cast<double>(kMoves);
    const double gain = (tree.lateness - moved.lateness) / std::exp2(rounds);
    if (gain >= 0 || random.uniform() < std::exp(gain / temperature)) tree = std::move(moved);
  }
  return tree;
}

Schedule schedule_of(const TreeBroadcast& tree, const Topology& topology) {
  Schedule schedule;
  for (std::size_t round = 1; round <= tree.rounds; ++round) {
    schedule.begin_round();
    for (std::size_t node = 0; node < tree.parents.size(); ++node) {
      if (tree.informed[node] != round) continue;
      const auto parent = to_id<RouterId>(tree.parents[node]);
      schedule.add(NodeId{index(parent)}, to_id<NodeId>(node), ChunkId{0},
                   output_to(topology, parent, to_id<RouterId>(node)));
    }
  }
  return schedule;
}

}  // namespace

OnePortOptimum one_port_optimum(const Topology& topology, NodeId source, std::size_t bound,
                                const Schedule& start) {
  constexpr std::size_t kTrees = 16;
  constexpr std::size_t kMostNodes = 512;
  const std::size_t root = index(source);
  Neighbours neighbours(topology.node_count());
  for (const Channel& channel : topology.channels()) {
    neighbours[index(channel.from.router)].push_back(index(channel.to.router));
  }
  const auto distances = distances_from(source, topology, Adjacency(topology));
  const auto farthest = *std::max_element(distances.begin(), distances.end());
  const std::vector<std::size_t> targets = filtered(
      numbers(distances.size()), [&](std::size_t node) { return distances[node] == farthest; });
  OnePortOptimum optimum{bound, start};
  if (targets.size() <= TargetSearch::kMostTargets) {
    TargetSearch search(topology, neighbours, targets);
    const TargetSearch::Set all = (1U << targets.size()) - 1;
    while (!optimum.is_known() && !search.serves(root, optimum.at_least, all)) ++optimum.at_least;
  }
  Random random(1);
  for (std::size_t tried = 0; tried < kTrees && neighbours.size() <= kMostNodes; ++tried) {
    if (optimum.is_known()) break;
    const std::size_t wanted = optimum.best.rounds() - 1;
    const TreeBroadcast tree = annealed_tree(root, distances, neighbours, wanted, random);
    if (tree.rounds <= wanted) optimum.best = schedule_of(tree, topology);
  }
  return optimum;
}

}  // namespace flitcast::claims
