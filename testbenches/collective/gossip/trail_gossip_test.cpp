// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/trail_gossip.h"

#include <stdexcept>

#include "collective/check_claim.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

// One ring of a torus in dimension 0, on which each node puts its own chunk.
LoadedTrail loaded_ring(const Grid& grid, std::uint32_t first) {
  LoadedTrail trail;
  for (std::uint32_t node = first; node < first + grid.size(0); ++node) {
    trail.append({NodeId{node}, Grid::plus(0)}, {ChunkId{node}});
  }
  return trail;
}

}  // namespace

TEST_CASE("a ring gossips over its own links in half as many rounds as there are others",
          "[collective]") {
  for (const std::size_t size : {3U, 4U, 7U}) {
    const Grid grid = torus({size});
    const std::size_t rounds = size / 2;
    const Schedule schedule = trail_gossip(grid, {loaded_ring(grid, 0)}, std::uint32_t(rounds));
    verify_gossip(grid, {schedule, {rounds, false, size * (size - 1), 0}}, 1);
  }
}

TEST_CASE("a node beside a trail with one neighbour on it only is refused", "[collective]") {
  const Grid grid = torus({4, 4});
  CHECK_THROWS_AS(trail_gossip(grid, {loaded_ring(grid, 0)}, 8), std::logic_error);
}
