// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/disjoint_tree_gossip.h"

#include <cstdint>

#include "collective/gossip/generic_tree.h"
#include "collective/require_torus.h"
#include "collective/send_limit.h"

namespace flitcast {
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

}  // namespace flitcast
