// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "collective/broadcast/builders.h"
#include "collective/catalog.h"
#include "collective/cost.h"
#include "collective/paths.h"
#include "collective/precondition.h"
#include "topology/grid.h"

namespace flitcast {

namespace {

/// All nodes in lexicographic order of (x_0, x_1, ...).
std::vector<NodeId> lexicographic_chain(const Grid& grid) {
  std::vector<NodeId> chain{NodeId{0}};
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    std::vector<NodeId> longer;
    for (const NodeId node : chain) {
      for (std::size_t x = 0; x < grid.size(d); ++x) {
        longer.push_back(shifted(grid, node, d, static_cast<std::int64_t>(x)));
      }
    }
    chain = std::move(longer);
  }
  return chain;
}

/// Splits a segment in the middle; in a segment of odd size the lower half is the larger. The owner
/// sends to the nearest place of the other half.
Split split_at_middle(const Segment& segment) {
  const auto [first, last, owner] = segment;
  const std::int64_t middle = first + (last - first + 2) / 2;
  if (owner < middle) return {{first, middle - 1, owner}, {middle, last, middle}};
  return {{middle, last, owner}, {first, middle - 1, middle - 1}};
}

/// One-to-all wormhole broadcast on one-port meshes by chain halving (U-mesh).
///
/// All nodes form a chain in lexicographic order of (x_0, x_1, ...): the dimension that is routed
/// first is the most significant. Each round halves every segment of the chain; its owner sends to
/// the nearest node of the other half. The messages of a round then share no channel under
/// dimension-order routing with dimension 0 first (XY); with the last dimension as the most
/// significant they would.
///
/// Cost: ceil(log2 N) rounds, which is optimal for all sizes and sources; N - 1 sends, no
/// duplicates. O(hops) time. Throws PreconditionError: kTopology where a dimension of
/// size 2 or more wraps, kSource.
///
/// Source: McKinley, Xu, Esfahanian and Ni, "Unicast-Based Multicast Communication in
/// Wormhole-Routed Networks", IEEE TPDS 5(12), 1994, with all nodes as destinations.
Plan chain_halving_broadcast(const Grid& grid, NodeId source) {
  require(on_mesh(grid, "chain halving is defined", ", or recursive doubling"));
  require(source_exists(grid, source));
  const std::vector<NodeId> chain = lexicographic_chain(grid);
  const auto last = static_cast<std::int64_t>(chain.size()) - 1;
  const std::int64_t start = std::find(chain.begin(), chain.end(), source) - chain.begin();
  Plan plan;
  plan.claim = {ceil_log(2, chain.size()), false, chain.size() - 1, 0};
  for (const auto& round : split_rounds({0, last, start}, split_at_middle)) {
    plan.schedule.begin_round();
    for (const auto [from, to] : round) {
      const NodeId sender = chain[static_cast<std::size_t>(from)];
      const NodeId receiver = chain[static_cast<std::size_t>(to)];
      plan.schedule.add(sender, receiver, ChunkId{0}, dimension_order_path(grid, sender, receiver));
    }
  }
  return plan;
}

}  // namespace

CollectiveEntry chain_halving_collective() {
  return broadcast_entry<Grid, chain_halving_broadcast, Switching::kWormhole, 1>(
      "chain_halving", "Meshes, wormhole, one port (U-mesh): ceil(log2 N) rounds.");
}

}  // namespace flitcast
