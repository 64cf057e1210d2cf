// SPDX-License-Identifier: Apache-2.0
#include "sim/claims/one_port_search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "collective/cost.h"
#include "topology/adjacency.h"

namespace flitcast::claims {
namespace {

/// A neighbour and the output that leads to it.
struct LinkedNode {
  std::size_t node = 0;
  PortId output{};
};
using Neighbours = std::vector<std::vector<LinkedNode>>;

Neighbours neighbours_in(const Topology& topology) {
  Neighbours neighbours(topology.node_count());
  for (const Channel& channel : topology.channels()) {
    neighbours[index(channel.from.router)].push_back({index(channel.to.router), channel.from.port});
  }
  return neighbours;
}

/// Whether some nodes, the targets, can be informed in a number of rounds.
class TargetSearch {
 public:
  static constexpr std::size_t kMostTargets = 8;

  TargetSearch(const Topology& topology, const Neighbours& neighbours,
               const std::vector<std::size_t>& targets)
      : neighbours_(neighbours), targets_(targets) {
    const Adjacency adjacency(topology);
    for (const std::size_t target : targets) {
      distances_.push_back(distances_from(to_id<NodeId>(target), topology, adjacency));
    }
  }

  bool suffice(std::size_t source, std::size_t rounds) {
    return serves(source, rounds, (1U << targets_.size()) - 1);
  }

 private:
  using Set = std::uint32_t;  // Bit t: target t.

  /// The targets of a set that a node can still reach.
  Set within(std::size_t node, std::size_t rounds, Set set) const {
    Set reached = 0;
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      if ((set >> t & 1U) != 0 && distances_[t][node] <= rounds) reached |= 1U << t;
    }
    return reached;
  }

  /// Whether a node that has just been informed can serve a set of targets in the rounds left.
  bool serves(std::size_t node, std::size_t rounds, Set set) {
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      if (targets_[t] == node) set &= ~(1U << t);
    }
    if (set == 0) return true;
    if (within(node, rounds, set) != set) return false;
    const std::tuple key{node, rounds, set};
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    return known_[key] = hands_over(node, rounds, set);
  }

  /// The same for a node that hands over a part of the set in the next round.
  bool hands_over(std::size_t node, std::size_t rounds, Set set) {
    const Set kept = set & ~within(node, rounds - 1, set);  // No longer in reach if it keeps them.
    for (const LinkedNode& next : neighbours_[node]) {
      const Set possible = within(next.node, rounds - 1, set);
      if ((kept & ~possible) != 0) continue;
      for (Set part = possible; part != 0; part = (part - 1) & possible) {
        if ((kept & ~part) != 0) continue;
        if (serves(next.node, rounds - 1, part) && serves(node, rounds - 1, set & ~part)) {
          return true;
        }
      }
    }
    return false;
  }

  const Neighbours& neighbours_;
  std::vector<std::size_t> targets_;
  std::vector<std::vector<std::uint32_t>> distances_;  // By target and node.
  std::map<std::tuple<std::size_t, std::size_t, Set>, bool> known_;
};

/// A spanning tree and the rounds of its best broadcast.
class BroadcastTree {
 public:
  BroadcastTree(std::size_t root, std::vector<std::size_t> parents)
      : root_(root),
        parents_(std::move(parents)),
        children_(parents_.size()),
        need_(parents_.size()),
        informed_(parents_.size()) {
    for (std::size_t node = 0; node < parents_.size(); ++node) {
      if (node != root) children_[parents_[node]].push_back(node);
    }
    evaluate();
  }

  std::size_t parent(std::size_t node) const { return parents_[node]; }
  std::size_t root() const { return root_; }
  /// The round in which a node is informed.
  std::size_t informed(std::size_t node) const { return informed_[node]; }
  std::size_t rounds() const { return need_[root_]; }

  bool is_below(std::size_t node, std::size_t ancestor) const {
    while (node != ancestor && node != root_) node = parents_[node];
    return node == ancestor;
  }

  void move(std::size_t node, std::size_t parent) {
    auto& siblings = children_[parents_[node]];
    siblings.erase(std::find(siblings.begin(), siblings.end(), node));
    parents_[node] = parent;
    children_[parent].push_back(node);
    evaluate();
  }

 private:
  /// Puts the children of every node into the best order, and finds the rounds of informing.
  void evaluate() {
    std::vector<std::size_t> order{root_};
    for (std::size_t at = 0; at < order.size(); ++at) {
      const auto& children = children_[order[at]];
      order.insert(order.end(), children.begin(), children.end());
    }
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      auto& children = children_[*node];
      std::sort(children.begin(), children.end(),
                [&](std::size_t a, std::size_t b) { return need_[a] > need_[b]; });
      need_[*node] = 0;
      for (std::size_t c = 0; c < children.size(); ++c) {
        need_[*node] = std::max(need_[*node], c + 1 + need_[children[c]]);
      }
    }
    informed_[root_] = 0;
    for (const std::size_t node : order) {
      for (std::size_t c = 0; c < children_[node].size(); ++c) {
        informed_[children_[node][c]] = informed_[node] + c + 1;
      }
    }
  }

  std::size_t root_;
  std::vector<std::size_t> parents_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::size_t> need_;      // By node: the rounds until all nodes below are informed.
  std::vector<std::size_t> informed_;  // By node.
};

/// A tree of shortest paths that is drawn at random.
BroadcastTree random_tree(std::size_t root, const std::vector<std::uint32_t>& distances,
                          const Neighbours& neighbours, Random& random) {
  std::vector<std::size_t> parents(neighbours.size(), root);
  for (std::size_t node = 0; node < parents.size(); ++node) {
    std::vector<std::size_t> nearer;
    for (const LinkedNode& next : neighbours[node]) {
      if (distances[next.node] < distances[node]) nearer.push_back(next.node);
    }
    if (!nearer.empty()) parents[node] = nearer[random.below(nearer.size())];
  }
  return {root, std::move(parents)};
}

/// A sum over all nodes that doubles with every round by which a node is informed later.
double lateness(const BroadcastTree& tree, std::size_t nodes, std::size_t rounds) {
  double late = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    late += std::exp2(static_cast<double>(tree.informed(node)) - static_cast<double>(rounds));
  }
  return late;
}

/// A node to move: any, or one on the way to a node that is informed too late.
std::size_t candidate(const BroadcastTree& tree, std::size_t nodes, std::size_t rounds,
                      Random& random) {
  std::size_t node = random.below(nodes);
  if (random.below(2) == 0) return node;
  for (std::size_t tried = 0; tried < nodes && tree.informed(node) <= rounds; ++tried) {
    node = (node + 1) % nodes;
  }
  std::vector<std::size_t> way;
  for (; node != tree.root(); node = tree.parent(node)) way.push_back(node);
  return way.empty() ? tree.root() : way[random.below(way.size())];
}

/// Anneals the tree until its broadcast takes the rounds that are wanted; true if it does.
bool anneal(BroadcastTree& tree, const Neighbours& neighbours, std::size_t rounds, Random& random) {
  constexpr std::size_t kMoves = 25000;
  const std::size_t nodes = neighbours.size();
  double late = lateness(tree, nodes, rounds);
  for (std::size_t move = 0; move < kMoves && tree.rounds() > rounds; ++move) {
    const double temperature = 1 - static_cast<double>(move) / static_cast<double>(kMoves);
    const std::size_t node = candidate(tree, nodes, rounds, random);
    const auto& possible = neighbours[node];
    const std::size_t to = possible[random.below(possible.size())].node;
    const std::size_t from = tree.parent(node);
    if (node == tree.root() || to == from || tree.is_below(to, node)) continue;
    tree.move(node, to);
    const double moved = lateness(tree, nodes, rounds);
    if (moved <= late || random.uniform() < std::exp((late - moved) / temperature)) {
      late = moved;
    } else {
      tree.move(node, from);
    }
  }
  return tree.rounds() <= rounds;
}

Schedule schedule_of(const BroadcastTree& tree, const Neighbours& neighbours) {
  Schedule schedule;
  for (std::size_t round = 1; round <= tree.rounds(); ++round) {
    schedule.begin_round();
    for (std::size_t node = 0; node < neighbours.size(); ++node) {
      if (tree.informed(node) != round) continue;
      const std::size_t parent = tree.parent(node);
      const auto& next = neighbours[parent];
      const auto link = std::find_if(next.begin(), next.end(),
                                     [&](const LinkedNode& one) { return one.node == node; });
      schedule.add(to_id<NodeId>(parent), to_id<NodeId>(node), ChunkId{0}, link->output);
    }
  }
  return schedule;
}

/// The nodes that are farthest from the source.
std::vector<std::size_t> farthest_in(const std::vector<std::uint32_t>& distances) {
  const std::uint32_t ecc = *std::max_element(distances.begin(), distances.end());
  std::vector<std::size_t> farthest;
  for (std::size_t node = 0; node < distances.size(); ++node) {
    if (distances[node] == ecc) farthest.push_back(node);
  }
  return farthest;
}

}  // namespace

OnePortOptimum one_port_optimum(const Topology& topology, NodeId source, std::size_t bound,
                                const Schedule& start) {
  constexpr std::size_t kTrees = 16;
  constexpr std::size_t kMostNodes = 512;
  const std::size_t root = index(source);
  const Neighbours neighbours = neighbours_in(topology);
  const auto distances = distances_from(source, topology, Adjacency(topology));
  const std::vector<std::size_t> targets = farthest_in(distances);
  OnePortOptimum optimum{bound, start};
  if (targets.size() <= TargetSearch::kMostTargets) {
    TargetSearch search(topology, neighbours, targets);
    while (!optimum.is_known() && !search.suffice(root, optimum.at_least)) ++optimum.at_least;
  }
  Random random(1);
  for (std::size_t tried = 0; tried < kTrees && neighbours.size() <= kMostNodes; ++tried) {
    if (optimum.is_known()) break;
    BroadcastTree tree = random_tree(root, distances, neighbours, random);
    const bool reached = anneal(tree, neighbours, optimum.best.rounds() - 1, random);
    if (reached) optimum.best = schedule_of(tree, neighbours);
  }
  return optimum;
}

}  // namespace flitcast::claims
