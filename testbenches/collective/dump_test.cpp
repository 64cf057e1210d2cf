// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "collective/paths.h"
#include "collective/schedule.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

std::string dump(const Topology& topology, const Schedule& schedule, Switching switching) {
  std::ostringstream out;
  write_dump(out, topology, schedule, switching);
  return out.str();
}

}  // namespace

TEST_CASE("a store-and-forward dump has a line a send: round, nodes, packet", "[collective]") {
  Schedule schedule;
  schedule.begin_round();
  schedule.add(NodeId{1}, NodeId{2}, ChunkId{1}, Grid::plus(0));
  schedule.add(NodeId{2}, NodeId{1}, ChunkId{2}, Grid::minus(0));
  schedule.begin_round();
  schedule.begin_round();
  schedule.add(NodeId{1}, NodeId{0}, ChunkId{2}, Grid::minus(0));
  CHECK(dump(mesh({3}), schedule, Switching::kStoreAndForward) == "1 1 2 1\n1 2 1 2\n3 1 0 2\n");
}

TEST_CASE("a sign tells two parallel links apart, and stands nowhere else", "[collective]") {
  Schedule schedule;
  schedule.begin_round();
  schedule.add(NodeId{0}, NodeId{1}, ChunkId{0}, Grid::plus(0));
  schedule.add(NodeId{0}, NodeId{1}, ChunkId{0}, Grid::minus(0));
  schedule.add(NodeId{0}, NodeId{2}, ChunkId{0}, Grid::plus(1));
  schedule.add(NodeId{2}, NodeId{0}, ChunkId{0}, Grid::minus(1));
  CHECK(dump(torus({2, 3}), schedule, Switching::kStoreAndForward) ==
        "1 0 1 0 +\n1 0 1 0 -\n1 0 2 0\n1 2 0 0\n");

  Schedule one_link;
  one_link.begin_round();
  one_link.add(NodeId{0}, NodeId{1}, ChunkId{0}, Grid::plus(0));
  CHECK(dump(mesh({2, 3}), one_link, Switching::kStoreAndForward) == "1 0 1 0\n");
}

TEST_CASE("a hypercube's links have no sign, although a torus of twos looks like it",
          "[collective]") {
  Schedule schedule;
  schedule.begin_round();
  schedule.add(NodeId{0}, NodeId{2}, ChunkId{0}, PortId{1});
  CHECK(dump(Hypercube(2), schedule, Switching::kStoreAndForward) == "1 0 2 0\n");
}

TEST_CASE("a wormhole dump names the nodes between sender and receiver", "[collective]") {
  const Grid grid = torus({5, 5});
  Schedule schedule;
  schedule.begin_round();
  schedule.add(NodeId{0}, NodeId{7}, ChunkId{0}, dimension_order_path(grid, NodeId{0}, NodeId{7}));
  schedule.add(NodeId{0}, NodeId{5}, ChunkId{0}, Grid::plus(1));
  schedule.begin_round();
  schedule.add(NodeId{7}, NodeId{24}, ChunkId{0},
               dimension_order_path(grid, NodeId{7}, NodeId{24}, true));
  CHECK(dump(grid, schedule, Switching::kWormhole) == "1 0 7 1 2\n1 0 5\n2 7 24 2 22 23\n");
}

TEST_CASE("the dump of an empty schedule is empty", "[collective]") {
  CHECK(dump(mesh({1}), Schedule(), Switching::kStoreAndForward).empty());
  CHECK(dump(mesh({1}), Schedule(), Switching::kWormhole).empty());
}
