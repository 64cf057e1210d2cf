// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// Where the ranks of a collective operation sit. Schedule, Demand and Verification count ranks
/// from 0 and call them nodes; where they are not the nodes of the network a placement tells which
/// are.
class Placement {
 public:
  /// Rank r sits at node r.
  Placement() = default;
  /// Rank r sits at nodes[r] of a network of `node_count`; none may come twice.
  Placement(std::vector<NodeId> nodes, std::size_t node_count)
      : nodes_(std::move(nodes)), ranks_(node_count, kNoRank) {
    for (std::size_t r = 0; r < nodes_.size(); ++r) {
      ranks_[index(nodes_[r])] = NodeId{static_cast<std::uint32_t>(r)};
    }
  }

  static constexpr NodeId kNoRank{~std::uint32_t{0}};

  NodeId node(NodeId rank) const { return nodes_.empty() ? rank : nodes_[index(rank)]; }
  /// kNoRank for a node that takes no part.
  NodeId rank(NodeId node) const { return nodes_.empty() ? node : ranks_[index(node)]; }

 private:
  std::vector<NodeId> nodes_;  // Of every rank; none: see the constructor.
  std::vector<NodeId> ranks_;  // Of every node.
};

}  // namespace flitcast
