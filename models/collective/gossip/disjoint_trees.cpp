// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/disjoint_trees.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "collective/catalog.h"
#include "collective/paths.h"
#include "collective/precondition.h"

namespace flitcast {

namespace {

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

/// The hop that extends the arm of +x from the left to (x, y), and its quarter turns.
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
/// starts beside the arm of +y, which is there already.
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
  explicit GreedyTree(const Grid& torus);
  GenericTree build();

 private:
  using Candidates = std::array<std::vector<NodeId>, kPorts>;
  using Order = std::array<std::uint16_t, kPorts>;

  std::size_t distance(NodeId node) const;
  NodeId before(NodeId node, std::size_t port) const { return before_[port][index(node)]; }
  Candidates nearest_candidates() const;
  std::vector<TreeHop> pick(const Candidates& candidates, const Order& order) const;
  std::vector<TreeHop> next_round() const;

  const Grid& torus_;
  std::array<std::vector<NodeId>, kPorts> before_;  // Whose port leads to the node.
  std::vector<bool> informed_;
  std::vector<NodeId> uninformed_;  // Nearest to the root first.
};

GreedyTree::GreedyTree(const Grid& torus) : torus_(torus), informed_(torus.node_count(), false) {
  for (std::uint16_t port = 0; port < kPorts; ++port) before_[port].resize(torus.node_count());
  for (std::uint32_t node = 0; node < torus.node_count(); ++node) {
    for (std::uint16_t port = 0; port < kPorts; ++port) {
      before_[port][index(neighbour(torus, NodeId{node}, PortId{port}))] = NodeId{node};
    }
    if (node != 0) uninformed_.push_back(NodeId{node});
  }
  informed_[0] = true;
  std::stable_sort(uninformed_.begin(), uninformed_.end(),
                   [this](NodeId a, NodeId b) { return distance(a) < distance(b); });
}

std::size_t GreedyTree::distance(NodeId node) const {
  std::size_t hops = 0;
  for (std::size_t d = 0; d < 2; ++d) {
    const std::size_t upwards = torus_.coordinate(node, d);
    hops += std::min(upwards, torus_.size(d) - upwards);
  }
  return hops;
}

GenericTree GreedyTree::build() {
  GenericTree tree;
  while (!uninformed_.empty()) {
    tree.push_back(next_round());
    for (const TreeHop& hop : tree.back()) informed_[index(hop.to)] = true;
    const auto served = std::remove_if(uninformed_.begin(), uninformed_.end(),
                                       [this](NodeId node) { return informed_[index(node)]; });
    uninformed_.erase(served, uninformed_.end());
  }
  return tree;
}

/// The other ports take three nodes at most, so four for each port are enough to choose from.
GreedyTree::Candidates GreedyTree::nearest_candidates() const {
  Candidates candidates;
  std::size_t full = 0;
  for (const NodeId node : uninformed_) {
    for (std::size_t port = 0; port < kPorts; ++port) {
      if (candidates[port].size() == kPorts || !informed_[index(before(node, port))]) continue;
      candidates[port].push_back(node);
      if (candidates[port].size() == kPorts) ++full;
    }
    if (full == kPorts) break;
  }
  return candidates;
}

std::vector<TreeHop> GreedyTree::pick(const Candidates& candidates, const Order& order) const {
  std::vector<TreeHop> hops;
  for (const std::uint16_t port : order) {
    for (const NodeId node : candidates[port]) {
      const bool taken = std::any_of(hops.begin(), hops.end(),
                                     [node](const TreeHop& hop) { return hop.to == node; });
      if (taken) continue;
      hops.push_back({before(node, port), node, PortId{port}});
      break;
    }
  }
  return hops;
}

/// If the ports can be served at all, some order serves them: start from any choice and let ports
/// better theirs as long as one can do so without harm to another; what results is what the ports
/// take in some order.
std::vector<TreeHop> GreedyTree::next_round() const {
  const Candidates candidates = nearest_candidates();
  Order order{0, 1, 2, 3};
  do {
    std::vector<TreeHop> hops = pick(candidates, order);
    if (hops.size() == std::min(kPorts, uninformed_.size())) return hops;
  } while (std::next_permutation(order.begin(), order.end()));
  throw PreconditionError(PreconditionError::Subject::kTopology,
                          "no generic broadcast tree was found on " + torus_.name(),
                          "use an odd square such as 5x5, or other sizes");
}

}  // namespace

GenericTree generic_tree(const Grid& torus) {
  const bool odd_square = torus.size(0) == torus.size(1) && torus.size(0) % 2 == 1;
  return odd_square ? four_arms(torus) : GreedyTree(torus).build();
}

namespace {

/// Translates nodes of a 2-D torus.
class Translation {
 public:
  Translation(const Grid& torus, NodeId node)
      : columns_(static_cast<std::uint32_t>(torus.size(0))),
        rows_(static_cast<std::uint32_t>(torus.size(1))),
        x_(static_cast<std::uint32_t>(torus.coordinate(node, 0))),
        y_(static_cast<std::uint32_t>(torus.coordinate(node, 1))) {}

  /// Where the node comes to lie when the root moves from node 0 to (x, y).
  NodeId to(std::uint32_t x, std::uint32_t y) const {
    return NodeId{wrapped(x_ + x, columns_) + columns_ * wrapped(y_ + y, rows_)};
  }

 private:
  // By subtraction: a division for each of millions of sends would take most of the time.
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

}  // namespace

Plan disjoint_tree_gossip(const Grid& torus) {
  require_two_dimensions(torus, "gossip on disjoint trees");
  require_torus(torus, "gossip on disjoint trees");
  require_gossip_sends(torus, 1);
  const std::size_t nodes = torus.node_count();
  Plan plan{{}, {(nodes - 1 + 3) / 4, false, gossip_sends(nodes, 1), 0}};
  plan.schedule.reserve(*plan.claim.transmissions);
  for (const auto& round : generic_tree(torus)) {
    plan.schedule.begin_round();
    for (const TreeHop& hop : round) add_translates(plan.schedule, torus, hop);
  }
  return plan;
}

CollectiveEntry disjoint_trees_collective() {
  return gossip_entry<Grid, disjoint_tree_gossip, 1>(
      "disjoint_trees", "2-D tori: optimal, time-arc-disjoint translates of one tree.");
}

}  // namespace flitcast
