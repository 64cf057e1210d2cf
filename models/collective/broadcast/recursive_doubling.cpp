// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/recursive_doubling.h"

#include <algorithm>
#include <vector>

#include "collective/broadcast/splitting.h"
#include "collective/lower_bounds.h"
#include "collective/paths.h"
#include "collective/precondition.h"

namespace flitcast {

namespace {

/// Splits in the middle. Of an odd segment the owner keeps the smaller half, unless it is in the
/// exact middle; then it keeps the half below, itself included.
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

/// A phase: every informed node broadcasts in its line of one dimension.
void add_phase(const Grid& grid, std::size_t dimension, std::vector<NodeId>& informed,
               Schedule& schedule) {
  const auto size = static_cast<std::int64_t>(grid.size(dimension));
  const auto place = static_cast<std::int64_t>(grid.coordinate(informed.front(), dimension));
  const std::int64_t start = grid.wraps(dimension) ? 0 : place;
  const std::vector<NodeId> owners = informed;
  for (const auto& round : split_rounds({0, size - 1, start}, split_in_halves)) {
    schedule.begin_round();
    for (const NodeId owner : owners) {
      for (const auto [from, to] : round) {
        const NodeId sender = shifted(grid, owner, dimension, from - start);
        const NodeId receiver = shifted(grid, owner, dimension, to - start);
        schedule.add(sender, receiver, ChunkId{0}, dimension_order_path(grid, sender, receiver));
        informed.push_back(receiver);
      }
    }
  }
}

}  // namespace

Plan recursive_doubling_broadcast(const Grid& grid, NodeId source) {
  require_source(grid, source);
  Plan plan;
  plan.claim.transmissions = grid.node_count() - 1;
  plan.claim.duplicates = 0;
  std::vector<NodeId> informed{source};
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    plan.claim.rounds += ceil_log(2, grid.size(d));
    add_phase(grid, d, informed, plan.schedule);
  }
  return plan;
}

std::uint64_t recursive_doubling_cycles(const CostModel& cost, const Grid& grid) {
  std::uint64_t cycles = 0;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    cycles += (cost.startup + cost.length * cost.flit) * ceil_log(2, grid.size(d)) +
              cost.hop * (grid.size(d) - 1);
  }
  return cycles;
}

}  // namespace flitcast
