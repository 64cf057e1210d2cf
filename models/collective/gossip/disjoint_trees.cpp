// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "base/ids.h"
#include "base/sequences.h"
#include "collective/catalog.h"
#include "collective/paths.h"
#include "collective/precondition.h"
#include "collective/schedule.h"
#include "topology/grid.h"

namespace flitcast {

namespace {

/// One hop of a broadcast tree.
struct TreeHop {
  NodeId from{};
  NodeId to{};
  PortId output{};
};

/// A broadcast tree on a 2-D torus, rooted at node 0, as its hops by round. The hops of a round
/// leave by different outputs, and every round but the last has four of them. So the translates of
/// the tree to all nodes as roots never use one channel in the same round.
using GenericTree = std::vector<std::vector<TreeHop>>;

constexpr std::size_t kPorts = 4;

/// Coordinates relative to the root.
struct Point {
  std::int64_t x = 0;
  std::int64_t y = 0;
};

Point quarter_turn(Point point) { return {-point.y, point.x}; }

NodeId node_at(const Grid& torus, Point point) {
  return shifted(torus, shifted(torus, NodeId{0}, 0, point.x), 1, point.y);
}

/// The hop by which the arm of +x reaches (x, y) from the left, and its quarter turns.
std::vector<TreeHop> turned_hops(const Grid& torus, std::int64_t x, std::int64_t y) {
  std::vector<TreeHop> hops;
  Point from{x - 1, y};
  Point to{x, y};
  for (const PortId port : {Grid::plus(0), Grid::plus(1), Grid::minus(0), Grid::minus(1)}) {
    hops.push_back({node_at(torus, from), node_at(torus, to), port});
    from = quarter_turn(from);
    to = quarter_turn(to);
  }
  return hops;
}

/// The arm of +x runs along the axis and then row by row through its quarter of the torus; each row
/// starts beside the arm of +y, whose node there is informed already.
GenericTree four_arms(const Grid& torus) {
  const auto half = static_cast<std::int64_t>(torus.size(0) / 2);
  GenericTree tree;
  for (std::int64_t y = 0; y <= half; ++y) {
    for (std::int64_t x = 1; x <= half; ++x) tree.push_back(turned_hops(torus, x, y));
  }
  return tree;
}

class GreedyTree {
 public:
  explicit GreedyTree(const Grid& torus) : torus_(torus), informed_(torus.node_count(), false) {
    uninformed_ = NumberRange<NodeId>(1, torus.node_count());
    informed_[0] = true;
    sort_by(uninformed_, [this](NodeId node) { return distance(node); });
  }

  GenericTree build() {
    GenericTree tree;
    while (!uninformed_.empty()) {
      tree.push_back(next_round());
      for (const TreeHop& hop : tree.back()) informed_[index(hop.to)] = true;
      uninformed_ = filtered(uninformed_, [this](NodeId node) { return !informed_[index(node)]; });
    }
    return tree;
  }

 private:
  using Candidates = std::array<std::vector<NodeId>, kPorts>;
  using Order = std::array<std::uint16_t, kPorts>;

  std::int64_t distance(NodeId node) const {
    return std::abs(shortest_steps(torus_, 0, NodeId{0}, node)) +
           std::abs(shortest_steps(torus_, 1, NodeId{0}, node));
  }

  /// The node from which the port leads there.
  NodeId before(NodeId node, std::uint16_t port) const {
    return neighbour(torus_, node, opposite(PortId{port}));
  }

  /// The other ports take at most three nodes, so four candidates for each port suffice.
  Candidates nearest_candidates() const {
    Candidates candidates;
    std::size_t full = 0;
    for (const NodeId node : uninformed_) {
      for (std::uint16_t port = 0; port < kPorts; ++port) {
        if (candidates[port].size() == kPorts || !informed_[index(before(node, port))]) continue;
        candidates[port].push_back(node);
        if (candidates[port].size() == kPorts) ++full;
      }
      if (full == kPorts) break;
    }
    return candidates;
  }

  std::vector<TreeHop> pick(const Candidates& candidates, const Order& order) const {
    std::vector<TreeHop> hops;
    for (const std::uint16_t port : order) {
      const NodeId* const free = first_where(candidates[port], [&](NodeId node) {
        return none_of(hops, [node](const TreeHop& hop) { return hop.to == node; });
      });
      if (free != nullptr) hops.push_back({before(*free, port), *free, PortId{port}});
    }
    return hops;
  }

  /// If some assignment gives every port a node, so does some order of the ports: start from the
  /// assignment and let ports improve their choices while this harms no other port; the result is
  /// what the ports choose in some order.
  std::vector<TreeHop> next_round() const {
    const Candidates candidates = nearest_candidates();
    Order order{0, 1, 2, 3};
    do {
      std::vector<TreeHop> hops = pick(candidates, order);
      if (hops.size() == std::min(kPorts, uninformed_.size())) return hops;
    } while (std::next_permutation(order.begin(), order.end()));
    throw *violated("no generic broadcast tree was found on " + torus_.name(),
                    "use an odd square such as 5x5, or other sizes");
  }

  const Grid& torus_;
  std::vector<bool> informed_;
  std::vector<NodeId> uninformed_;  // The nodes in ascending order of their distance from the root.
};

/// The tree takes ceil((P-1) / 4) rounds on a torus of P nodes and has P - 1 hops. O(P^2) time at
/// worst.
///
/// On n x n with n odd the tree is explicit: four arms, each with (n^2-1) / 4 nodes, are quarter
/// turns of one another, and each round adds a node to each arm. Otherwise it is greedy: each port
/// in turn takes the uninformed node nearest to the root that it can reach, in the first order of
/// the ports that serves all. Verified for all sizes of 3 to 64.
///
/// @param torus  Has two wrapped dimensions, each of size 3 or more.
/// Throws PreconditionError if the greedy choice fails, which was never observed.
/// Source: Soch and Tvrdik, "Optimal gossip in store-and-forward noncombining 2-D tori", Euro-Par
/// 1997, as cited by Meyer and Sibeyn; their trees are not given there, these are flitcast's.
GenericTree generic_tree(const Grid& torus) {
  const bool odd_square = torus.size(0) == torus.size(1) && torus.size(0) % 2 == 1;
  return odd_square ? four_arms(torus) : GreedyTree(torus).build();
}

/// Translates nodes of a 2-D torus.
class Translation {
 public:
  Translation(const Grid& torus, NodeId node)
      : columns_(static_cast<std::uint32_t>(torus.size(0))),
        rows_(static_cast<std::uint32_t>(torus.size(1))),
        x_(static_cast<std::uint32_t>(torus.coordinate(node, 0))),
        y_(static_cast<std::uint32_t>(torus.coordinate(node, 1))) {}

  /// The image of the node when the root moves from node 0 to (x, y).
  NodeId to(std::uint32_t x, std::uint32_t y) const {
    return NodeId{wrapped(x_ + x, columns_) + columns_ * wrapped(y_ + y, rows_)};
  }

 private:
  // Subtracts instead of dividing: a division for each of millions of sends would take most of the
  // time.
  static std::uint32_t wrapped(std::uint32_t sum, std::uint32_t size) {
    return sum < size ? sum : sum - size;
  }

  std::uint32_t columns_;
  std::uint32_t rows_;
  std::uint32_t x_;
  std::uint32_t y_;
};

void add_translates(Schedule& schedule, const Grid& torus, const TreeHop& hop) {
  const Translation from(torus, hop.from);
  const Translation to(torus, hop.to);
  std::uint32_t source = 0;
  for (std::uint32_t y = 0; y < torus.size(1); ++y) {
    for (std::uint32_t x = 0; x < torus.size(0); ++x) {
      schedule.add(from.to(x, y), to.to(x, y), ChunkId{source++}, hop.output);
    }
  }
}

/// Optimal gossip (AAB) of one chunk a node on a 2-D torus, store-and-forward, all-port,
/// full-duplex.
///
/// Every node broadcasts along its translate of one tree (see generic_tree()); no two translates
/// use a channel in the same round. Unlike in the gossips along cycles and trails, the forwarding
/// of a packet depends on the round.
///
/// Cost on P nodes: ceil((P-1) / 4) rounds and P (P-1) sends, both minimal, without duplicates.
/// Chunk: the origin.
/// Throws PreconditionError unless the grid has two dimensions, both wrapped and of size 3 or more,
/// and beyond kMostSends (16384 nodes).
/// Source: Soch and Tvrdik, "Optimal gossip in store-and-forward noncombining 2-D tori", Euro-Par
/// 1997, whose bound Meyer and Sibeyn cite as optimal.
Plan disjoint_tree_gossip(const Grid& torus) {
  require(in_two_dimensions(torus, "gossip on disjoint trees"));
  require(on_torus(torus, "gossip on disjoint trees"));
  require(few_enough_gossip_sends(torus, 1));
  const std::size_t nodes = torus.node_count();
  Plan plan{{}, {(nodes - 1 + 3) / 4, false, gossip_sends(nodes, 1), 0}};
  plan.theorems = {{"gossip.soch_tvrdik", "ceil((P - 1)/4)", plan.claim.rounds}};
  plan.schedule.reserve(*plan.claim.transmissions);
  for (const auto& round : generic_tree(torus)) {
    plan.schedule.begin_round();
    for (const TreeHop& hop : round) add_translates(plan.schedule, torus, hop);
  }
  return plan;
}

}  // namespace

CollectiveEntry disjoint_trees_collective() {
  return gossip_entry<Grid, disjoint_tree_gossip, 1>(
      "disjoint_trees", "2-D tori: optimal, time-arc-disjoint translates of one tree.");
}

}  // namespace flitcast
