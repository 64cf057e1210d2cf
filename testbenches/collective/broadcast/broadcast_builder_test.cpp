// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/builders.h"
#include "support/test_catch.h"

using namespace flitcast;

TEST_CASE("a broadcast under construction leaves out sends to informed nodes", "[collective]") {
  const Grid grid = mesh({3});
  BroadcastBuilder broadcast(grid, NodeId{1});
  broadcast.begin_round();
  broadcast.send(NodeId{1}, NodeId{0});
  broadcast.send(NodeId{1}, NodeId{0});
  broadcast.send(NodeId{0}, NodeId{1});
  broadcast.send(NodeId{1}, NodeId{1});
  CHECK(broadcast.finish().size() == 1);
}

TEST_CASE("half way round, a message of a broadcast goes where it is told", "[collective]") {
  const Grid grid = torus({4, 2});
  BroadcastBuilder broadcast(grid, NodeId{0});
  broadcast.begin_round();
  broadcast.send(NodeId{0}, NodeId{6}, Ties::kUpwards);
  broadcast.send(NodeId{1}, NodeId{7}, Ties::kDownwards);
  const Schedule schedule = broadcast.finish();
  const auto hops = [&schedule](std::size_t send) {
    const Path path = schedule.path(send);
    return std::vector<PortId>(path.begin(), path.end());
  };
  CHECK(hops(0) == std::vector<PortId>{Grid::plus(0), Grid::plus(0), Grid::plus(1)});
  CHECK(hops(1) == std::vector<PortId>{Grid::minus(0), Grid::minus(0), Grid::minus(1)});
}
