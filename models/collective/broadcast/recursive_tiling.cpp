// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "collective/catalog.h"
#include "collective/paths.h"
#include "collective/precondition.h"
#include "topology/grid.h"
#include "topology/topology.h"

namespace flitcast {

namespace {

/// A message's displacement from its sender, and the order of its dimensions.
struct Jump {
  std::int64_t x = 0;
  std::int64_t y = 0;
  bool y_first = false;
};
using Jumps = std::array<Jump, 4>;

constexpr Jumps kKnights{{{2, 1, false}, {-2, -1, false}, {-1, 2, true}, {1, -2, true}}};
constexpr Jumps kNeighbours{{{1, 0, false}, {-1, 0, false}, {0, 1, false}, {0, -1, false}}};

bool is_power_of_five(std::size_t number) {
  while (number % 5 == 0) number /= 5;
  return number == 1;
}

/// The largest torus with at most `nodes` nodes, and the smallest with at least as many.
std::vector<Sizes> nearest_tori(std::size_t nodes) {
  std::size_t side = 5;
  while ((5 * side) * (5 * side) <= nodes) side *= 5;
  const std::size_t next = 5 * side;
  if (side * side >= nodes || next * next > kMaxRouters) return {{side, side}};
  return {{side, side}, {next, next}};
}

Precondition on_five_power_torus(const Grid& grid) {
  if (grid.dimensions() == 2 && grid.size(0) == grid.size(1) && is_power_of_five(grid.size(0)) &&
      (grid.size(0) == 1 || (grid.wraps(0) && grid.wraps(1)))) {
    return {};
  }
  return violated("recursive tiling is defined on the tori 5^k x 5^k only, not on " + grid.name(),
                  use_one_of("torus", nearest_tori(grid.node_count())));
}

/// Adds a round in which every informed node sends four messages, whose displacements are the jumps
/// times `unit`.
void add_round(const Grid& grid, const Jumps& jumps, std::int64_t unit,
               std::vector<NodeId>& informed, Schedule& schedule) {
  schedule.begin_round();
  const std::size_t senders = informed.size();
  for (std::size_t i = 0; i < senders; ++i) {
    const NodeId from = informed[i];
    for (const auto [x, y, y_first] : jumps) {
      const NodeId to = shifted(grid, shifted(grid, from, 0, x * unit), 1, y * unit);
      schedule.add(from, to, ChunkId{0}, dimension_order_path(grid, from, to, y_first));
      informed.push_back(to);
    }
  }
}

/// One-to-all wormhole broadcast on the all-port torus T(5^k,5^k) by recursive tiling.
///
/// For u = 5^(k-1), ..., 5, 1 two rounds: every informed node sends
///   - to its four knight neighbours, +-(2,1) u by dimension 0 first (XY) and +-(-1,2) u by
///     dimension 1 first (YX);
///   - to its four neighbours at distance u, +-(1,0) u and +-(0,1) u.
/// Five crosses tile a 5x5 torus, and their centres are a knight's move apart.
///
/// Cost: 2k = log5 N rounds, which is optimal; N - 1 sends, no duplicates; longest paths 3u and u.
/// A node must be able to choose between XY and YX for each message: under XY alone 2k rounds are
/// impossible, because the source's column would have to hold 9^k informed nodes
/// (dilated_diagonal.h takes 2k + 1). O(hops) time. Throws PreconditionError: kTopology for other
/// grids, kSource.
///
/// Source: CS838 lecture notes (1999), section 11, "Recursive tiling approach". Its figure is lost;
/// the paths are flitcast's.
Plan recursive_tiling_broadcast(const Grid& grid, NodeId source) {
  require(on_five_power_torus(grid));
  require(source_exists(grid, source));
  Plan plan{{}, {0, false, grid.node_count() - 1, 0}};
  std::vector<NodeId> informed{source};
  for (auto unit = static_cast<std::int64_t>(grid.size(0)) / 5; unit > 0; unit /= 5) {
    plan.claim.rounds += 2;
    plan.schedule.begin_phase("scale " + std::to_string(unit));
    add_round(grid, kKnights, unit, informed, plan.schedule);
    add_round(grid, kNeighbours, unit, informed, plan.schedule);
  }
  plan.theorems = {{"broadcast.tiling", "log5 N", plan.claim.rounds}};
  return plan;
}

}  // namespace

CollectiveEntry recursive_tiling_collective() {
  return broadcast_entry<Grid, recursive_tiling_broadcast, Switching::kWormhole, kAllPorts>(
      "recursive_tiling", "Tori of 5^k x 5^k, wormhole, all ports, routing o1turn: log5 N rounds.");
}

}  // namespace flitcast
