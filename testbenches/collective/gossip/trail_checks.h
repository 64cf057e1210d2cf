// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "collective/gossip/trail_gossip.h"
#include "collective/paths.h"
#include "topology/grid.h"

namespace flitcast {

/// True if the output of every position leads to the next position, and the last one's to the
/// first.
inline bool is_closed(const Grid& torus, const Trail& trail) {
  for (std::size_t i = 0; i < trail.size(); ++i) {
    const NodeId next = trail[(i + 1) % trail.size()].node;
    if (neighbour(torus, trail[i].node, trail[i].output) != next) return false;
  }
  return true;
}

/// True if no link is used twice, in either direction.
inline bool are_edge_disjoint(const Grid& torus, const std::vector<Trail>& trails) {
  std::set<std::pair<NodeId, PortId>> used;
  for (const Trail& trail : trails) {
    for (const TrailPosition& position : trail) {
      const NodeId next = neighbour(torus, position.node, position.output);
      if (!used.emplace(position.node, position.output).second) return false;
      if (!used.emplace(next, opposite(position.output)).second) return false;
    }
  }
  return true;
}

/// By node: the number of positions of the trail at the node.
inline std::vector<std::size_t> visits(const Grid& torus, const Trail& trail) {
  std::vector<std::size_t> visits(torus.node_count());
  for (const TrailPosition& position : trail) ++visits[index(position.node)];
  return visits;
}

}  // namespace flitcast
