// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

/// Splits a segment in the middle. In a segment of odd size the owner keeps the smaller half,
/// unless the owner is in the exact middle; then it keeps the half below, itself included.
Split split_in_halves(const Segment& segment) {
  const auto [first, last, owner] = segment;
  const std::int64_t half = (last - first + 1) / 2;
  if (owner <= last - half) {
    const std::int64_t middle = std::max(first + half, owner + 1);
    return {{first, middle - 1, owner}, {middle, last, owner + half}};
  }
  const std::int64_t middle = last - half + 1;
  return {{middle, last, owner}, {first, middle - 1, owner - half}};
}

/// Adds a phase, in which every informed node broadcasts in its line of one dimension.
void add_phase(const Grid& grid, std::size_t dimension, std::vector<NodeId>& informed,
               Schedule& schedule) {
  const auto size = static_cast<std::int64_t>(grid.size(dimension));
  const auto place = static_cast<std::int64_t>(grid.coordinate(informed.front(), dimension));
  const std::int64_t start = grid.wraps(dimension) ? 0 : place;
  const std::vector<NodeId> owners = informed;
  for (const auto& round : split_rounds({0, size - 1, start}, split_in_halves)) {
    schedule.begin_round();
    for (const NodeId owner : owners) {
      for (const auto& [from, to] : round) {
        const NodeId sender = shifted(grid, owner, dimension, from - start);
        const NodeId receiver = shifted(grid, owner, dimension, to - start);
        schedule.add(sender, receiver, ChunkId{0}, dimension_order_path(grid, sender, receiver));
        informed.push_back(receiver);
      }
    }
  }
}

/// One-to-all wormhole broadcast on one-port grids by recursive doubling, dimension by dimension.
///
/// In phase i every informed node broadcasts in its line of dimension i. Each round halves every
/// segment of a line: its owner keeps the half it is in and sends half the segment further, to the
/// corresponding node of the other half. In a wrapped dimension places count from the source
/// upwards, so that all messages go up, at most half way round.
///
/// Any grid, each dimension by its own rule. All paths lie within their own segments, so no two
/// meet under any minimal routing; half way round they take the plus direction.
///
/// Cost: sum of ceil(log2 z_i) rounds for sizes z_i, N - 1 sends, no duplicates. Optimal if that is
/// ceil(log2 N); M(5,5) takes 6 rounds for 5 (chain_halving always meets the bound, on meshes).
/// O(hops) time. Throws PreconditionError (kSource).
///
/// Source: CS838 lecture notes (1999), section 11, "One-port WH Meshes" and "One-port WH Tori". The
/// rule for odd sizes was in a figure that is lost; here an owner in the exact middle keeps the
/// larger half.
Plan recursive_doubling_broadcast(const Grid& grid, NodeId source) {
  require(source_exists(grid, source));
  Plan plan{{}, {0, false, grid.node_count() - 1, 0}};
  std::vector<NodeId> informed{source};
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    plan.claim.rounds += ceil_log(2, grid.size(d));
    plan.schedule.begin_phase("dimension " + std::to_string(d));
    add_phase(grid, d, informed, plan.schedule);
  }
  plan.theorems = {
      {"broadcast.wh.mesh_doubling", "sum of ceil(log2 z)", plan.claim.rounds},
      {"broadcast.wh.mesh_doubling_optimal", "ceil(log2 N)", ceil_log(2, grid.node_count())}};
  return plan;
}

}  // namespace

// The algorithm between ranks, in ranks/doubling.cpp.
Collective make_recursive_doubling(const Section& workload, const CollectiveContext& context);

namespace {

Collective make(const Section& workload, const CollectiveContext& context) {
  if (context.operation != Operation::kBroadcast) return make_recursive_doubling(workload, context);
  return make_broadcast<Grid, recursive_doubling_broadcast, Switching::kWormhole, 1>(workload,
                                                                                     context);
}

}  // namespace

CollectiveEntry recursive_doubling_collective() {
  CollectiveEntry entry{{"recursive_doubling",
                         "Broadcasts on meshes and tori, wormhole, one port: halve every dimension "
                         "in turn. Others on "
                         "any network: exchange with ranks that differ in one bit.",
                         {},
                         make},
                        {Operation::kBroadcast, Operation::kGossip, Operation::kAllReduce}};
  entry.on_ranks = {Operation::kGossip, Operation::kAllReduce};
  return entry;
}

}  // namespace flitcast
