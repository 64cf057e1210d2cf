// SPDX-License-Identifier: Apache-2.0
// Multicasts copied by routers: one packet for each part into which the routing divides them.
#include <memory>
#include <utility>
#include <vector>

#include "collective/catalog.h"
#include "collective/precondition.h"
#include "routing/catalog.h"
#include "routing/multicast/hamiltonian_paths.h"
#include "routing/multicast/xy_multicast.h"

namespace flitcast {

namespace {

using Worms = HamiltonianPaths::Split;
using Copies = std::unique_ptr<MulticastRouting>;

const Grid& mesh_of(const CollectiveContext& context, std::size_t most_dimensions) {
  const auto& grid = family_of<Grid>(context);
  if (is_mesh(grid) && grid.dimensions() <= most_dimensions) return grid;
  throw *violated("worms go along the rows and columns of a mesh, not on " + grid.name(),
                  "use a mesh of two dimensions, or xy_tree on a mesh of more");
}

template <Worms split>
Copies make_paths(const Section&, const CollectiveContext& context, std::size_t virtual_channels) {
  return std::make_unique<HamiltonianPaths>(mesh_of(context, 2), split, virtual_channels);
}

Copies make_columns(const Section&, const CollectiveContext& context,
                    std::size_t virtual_channels) {
  return std::make_unique<ColumnPath>(mesh_of(context, 2), virtual_channels);
}

Copies make_tree(const Section&, const CollectiveContext& context, std::size_t virtual_channels) {
  return std::make_unique<XyTree>(mesh_of(context, Grid::kMaxDimensions), virtual_channels);
}

/// The plan of one round for each packet, because a node with one port sends one packet after the
/// other.
template <CopyingMaker copy>
Collective make_copied(const Section& workload, const CollectiveContext& context) {
  require(source_exists(context.topology, context.source));
  Plan plan;
  for (const auto& part : copy(workload, context, 1)->parts(context.source, context.receivers)) {
    plan.schedule.begin_round();
    plan.schedule.add(context.source, part, ChunkId{0});
  }
  plan.claim = {plan.schedule.size(), false, plan.schedule.size(), 0};
  return one_to_all(context, {Switching::kAnyNetwork, 1, true}, std::move(plan));
}

/// @param name  The name of the collective and of its routing.
template <CopyingMaker copy>
CollectiveEntry copied_entry(const char* name, const char* summary) {
  CollectiveEntry entry{{name, summary, {}, make_copied<copy>}, {Operation::kMulticast}};
  entry.copy = copy;
  return entry;
}

}  // namespace

std::vector<CollectiveEntry> copied_multicast_collectives() {
  return {copied_entry<make_paths<Worms::kDual>>(
              kDualPath, "2-D meshes, copied by routers: up to 2 worms along a Hamiltonian path."),
          copied_entry<make_paths<Worms::kMulti>>(
              kMultiPath, "2-D meshes, copied by routers: up to 4 worms along a Hamiltonian path."),
          copied_entry<make_columns>(
              kColumnPath,
              "2-D meshes, copied by routers: up to 2 worms for each column, by XY paths."),
          copied_entry<make_tree>(kXyTree,
                                  "Meshes, copied by routers: one tree of dimension-order paths.")};
}

}  // namespace flitcast
