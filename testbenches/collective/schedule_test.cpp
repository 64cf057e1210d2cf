// SPDX-License-Identifier: Apache-2.0
#include "collective/schedule.h"

#include <stdexcept>

#include "collective/demand.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

std::vector<unsigned> ports(const Path& path) {
  std::vector<unsigned> ports;
  for (const PortId port : path) ports.push_back(index(port));
  return ports;
}

/// The number of nodes that want a chunk, and of (chunk, node) pairs that an operation demands in
/// all.
std::size_t owed(const Demand& demand) {
  std::size_t owed = 0;
  for (std::uint32_t c = 0; c < demand.chunks(); ++c) {
    for (std::uint32_t n = 0; n < demand.nodes; ++n) {
      if (demand.wants(NodeId{n}, ChunkId{c}) && demand.origin(ChunkId{c}) != NodeId{n}) ++owed;
    }
  }
  return owed;
}

}  // namespace

TEST_CASE("a schedule gives back every send and path in the order of the rounds", "[collective]") {
  Schedule schedule;
  schedule.begin_round();
  schedule.add(NodeId{0}, NodeId{3}, ChunkId{7}, {PortId{1}, PortId{2}, PortId{1}});
  schedule.add(NodeId{0}, NodeId{1}, ChunkId{8}, PortId{5});
  schedule.begin_round();
  schedule.begin_round();
  schedule.add(NodeId{3}, NodeId{2}, ChunkId{7}, std::vector<PortId>{});
  schedule.add(NodeId{1}, NodeId{2}, ChunkId{8}, PortId{4});

  REQUIRE(schedule.rounds() == 3);
  REQUIRE(schedule.size() == 4);
  CHECK((schedule.begin(0) == 0 && schedule.end(0) == 2));
  CHECK((schedule.begin(1) == 2 && schedule.end(1) == 2));
  CHECK((schedule.begin(2) == 2 && schedule.end(2) == 4));
  CHECK((index(schedule.message(0).to) == 3 && index(schedule.message(0).chunk) == 7));
  CHECK((index(schedule.message(3).from) == 1 && index(schedule.message(3).to) == 2));
  CHECK(ports(schedule.path(0)) == std::vector<unsigned>{1, 2, 1});
  CHECK(ports(schedule.path(1)) == std::vector<unsigned>{5});
  CHECK(ports(schedule.path(2)).empty());
  CHECK(ports(schedule.path(3)) == std::vector<unsigned>{4});
}

TEST_CASE("messages with and without paths keep theirs", "[collective]") {
  Schedule schedule;
  schedule.begin_round();
  schedule.add(NodeId{0}, NodeId{1}, ChunkId{0});
  schedule.add(NodeId{0}, NodeId{1}, ChunkId{0}, {PortId{3}, PortId{4}});
  schedule.add(NodeId{0}, NodeId{1}, ChunkId{0});
  schedule.add(NodeId{0}, NodeId{1}, {ChunkId{0}, ChunkId{1}});
  schedule.add(NodeId{0}, NodeId{1}, ChunkId{0}, PortId{5});
  schedule.add(NodeId{0}, NodeId{1}, ChunkId{0});
  const std::vector<std::vector<unsigned>> expected{{}, {3, 4}, {}, {}, {5}, {}};
  for (std::size_t m = 0; m < schedule.size(); ++m) {
    CHECK(ports(schedule.path(m)) == expected[m]);
  }
  CHECK(sizeof(Message) == 12);  // The memory of large schedules.
}

TEST_CASE("a schedule refuses a send before its first round", "[collective]") {
  Schedule schedule;
  CHECK(schedule.rounds() == 0);
  CHECK_THROWS_AS(schedule.add(NodeId{0}, NodeId{1}, ChunkId{0}, PortId{0}), std::logic_error);
  CHECK_THROWS_AS(schedule.add(NodeId{0}, NodeId{1}, ChunkId{0}, {PortId{0}, PortId{1}}),
                  std::logic_error);
}

TEST_CASE("an operation owes each node what its name says", "[collective]") {
  const NodeId source{2};
  CHECK(owed({Operation::kBroadcast, 5, source, 1}) == 4);
  CHECK(owed({Operation::kGossip, 5, source, 3}) == 3 * 5 * 4);
  CHECK(owed({Operation::kScatter, 5, source, 1}) == 4);
  CHECK(owed({Operation::kAllToAllScatter, 5, source, 1}) == 5 * 4);
  CHECK(owed({Operation::kAllToAllScatter, 1, NodeId{0}, 1}) == 0);
}

TEST_CASE("chunks are numbered by origin, then by the second index", "[collective]") {
  const Demand gossip{Operation::kGossip, 5, NodeId{0}, 3};
  CHECK(gossip.origin(ChunkId{13}) == NodeId{3});  // 13 = 3 + 5 * 2: the third chunk of node 3.
  const Demand exchange{Operation::kAllToAllScatter, 5, NodeId{0}, 1};
  CHECK(exchange.origin(ChunkId{13}) == NodeId{3});  // Its origin is node 3.
  CHECK(exchange.wants(NodeId{2}, ChunkId{13}));     // Its destination is node 2.
  const Demand scatter{Operation::kScatter, 5, NodeId{1}, 1};
  CHECK(scatter.origin(ChunkId{4}) == NodeId{1});
  CHECK(scatter.wants(NodeId{4}, ChunkId{4}));
}
