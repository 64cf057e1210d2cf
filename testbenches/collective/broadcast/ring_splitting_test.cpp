// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/builders.h"
#include "collective/cost.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

std::vector<NodeId> nodes(std::uint32_t first, std::uint32_t end) {
  std::vector<NodeId> nodes;
  for (std::uint32_t node = first; node < end; ++node) nodes.push_back(NodeId{node});
  return nodes;
}

}  // namespace

TEST_CASE("a ring task puts what is up to half way round after the owner", "[collective]") {
  const RingTask task = ring_task(ring(6), 0, NodeId{4}, nodes(0, 6));
  const std::vector<NodeId> upwards = {NodeId{2}, NodeId{3}, NodeId{4},
                                       NodeId{5}, NodeId{0}, NodeId{1}};
  CHECK(task.nodes == upwards);
  CHECK(task.owner == 2);
}

TEST_CASE("a ring task counts its owner once, whether it is a target or not", "[collective]") {
  CHECK(ring_task(ring(9), 0, NodeId{1}, {NodeId{1}}).nodes.size() == 1);
  CHECK(ring_task(ring(9), 0, NodeId{1}, {NodeId{2}}).nodes.size() == 2);
  CHECK(ring_task(ring(9), 0, NodeId{1}, {}).nodes.size() == 1);
}

TEST_CASE("rings side by side are split in log3 rounds of the widest", "[collective]") {
  for (std::uint32_t size = 1; size <= 82; ++size) {
    const Grid grid = torus({size, 2});
    BroadcastBuilder broadcast(grid, NodeId{0});
    split_rings(broadcast, {ring_task(grid, 0, NodeId{0}, nodes(0, size)),
                            ring_task(grid, 0, NodeId{size}, {NodeId{size}})});
    const Schedule schedule = broadcast.finish();
    CHECK(schedule.rounds() == ceil_log(3, size));
    CHECK(schedule.size() == size - 1);
  }
}
