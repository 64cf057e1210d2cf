// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>
#include <vector>

#include "collective/algorithms.h"
#include "collective/paths.h"
#include "collective/tree_copies.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// One send of a broadcast in which every node forwards in the round after its receipt.
struct Hop {
  std::size_t round = 0;
  NodeId from{};
  PortId output{};

  bool operator<(const Hop& other) const {
    return std::tie(round, from, output) < std::tie(other.round, other.from, other.output);
  }
  bool operator==(const Hop& other) const {
    return round == other.round && from == other.from && output == other.output;
  }
};

struct Packet {
  NodeId node{};
  PortId input{};
  std::uint32_t reach = 0;
};

/// The sends of a broadcast by a rule, TreeCopies(const Packet&), in the order of sending.
template <class Rule>
std::vector<Hop> traffic(const Grid& grid, NodeId source, const Rule& rule) {
  std::vector<Hop> hops;
  std::vector<Packet> packets{{source, grid.local(), 0}};
  for (std::size_t round = 0; !packets.empty(); ++round) {
    std::vector<Packet> next;
    for (const Packet& packet : packets) {
      for (const TreeCopy& copy : rule(packet)) {
        hops.push_back({round, packet.node, copy.output});
        const PortId input{static_cast<std::uint16_t>(index(copy.output) ^ 1U)};
        next.push_back({neighbour(grid, packet.node, copy.output), input, copy.reach});
      }
    }
    packets = next;
  }
  std::sort(hops.begin(), hops.end());
  return hops;
}

std::vector<Hop> traffic_by_counter(const Grid& grid, NodeId source) {
  return traffic(grid, source, [&grid](const Packet& packet) {
    return copies_by_counter(grid, packet.node, packet.input, packet.reach);
  });
}

std::vector<Hop> traffic_by_source(const Grid& grid, NodeId source) {
  return traffic(grid, source, [&grid, source](const Packet& packet) {
    return copies_by_source(grid, packet.node, packet.input, source);
  });
}

std::vector<Hop> hops_of(const Schedule& schedule) {
  std::vector<Hop> hops;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    for (std::size_t send = schedule.begin(round); send < schedule.end(round); ++send) {
      hops.push_back({round, schedule.message(send).from, schedule.path(send)[0]});
    }
  }
  std::sort(hops.begin(), hops.end());
  return hops;
}

std::vector<TreeCopy> list(const TreeCopies& copies) { return {copies.begin(), copies.end()}; }

const PortId kEast = Grid::plus(0);
const PortId kWest = Grid::minus(0);
const PortId kNorth = Grid::plus(1);
const PortId kSouth = Grid::minus(1);

}  // namespace

TEST_CASE("counter and source address make the same traffic, which is the schedule's",
          "[collective]") {
  for (std::size_t n = 0; n < 36; ++n) {
    const std::vector<std::size_t> sizes{n % 6 + 1, n / 6 + 1};
    for (const Grid& grid : {mesh(sizes), torus(sizes)}) {
      for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
        INFO(grid.name() << " from " << node);
        const std::vector<Hop> by_counter = traffic_by_counter(grid, NodeId{node});
        REQUIRE(by_counter.size() == grid.node_count() - 1);
        REQUIRE(by_counter == traffic_by_source(grid, NodeId{node}));
        const Plan plan = dimension_order_broadcast(grid, NodeId{node}, {});
        REQUIRE(by_counter == hops_of(plan.schedule));
      }
    }
  }
}

TEST_CASE("the counter says at every node how far the source address lets the packet go",
          "[collective]") {
  const Grid grid("mixture", {{4, true}, {3, false}, {5, true}, {2, true}});
  const NodeId source{77};
  std::size_t decisions = 0;
  traffic(grid, source, [&](const Packet& packet) {
    for (const DirectionRule rule : {DirectionRule::kFarthest, DirectionRule::kSeed}) {
      REQUIRE(list(copies_by_counter(grid, packet.node, packet.input, packet.reach, rule)) ==
              list(copies_by_source(grid, packet.node, packet.input, source, rule)));
    }
    ++decisions;
    return copies_by_source(grid, packet.node, packet.input, source);
  });
  CHECK(decisions == grid.node_count());
}

TEST_CASE("a line reaches the borders of a mesh and half way round a torus", "[collective]") {
  const auto reaches = [](const Grid& grid, std::uint32_t node, std::size_t dimension) {
    return std::vector<std::uint32_t>{line_reach(grid, NodeId{node}, Grid::plus(dimension)),
                                      line_reach(grid, NodeId{node}, Grid::minus(dimension))};
  };
  using Reaches = std::vector<std::uint32_t>;
  CHECK(reaches(mesh({5, 4}), 7, 0) == Reaches{2, 2});
  CHECK(reaches(mesh({5, 4}), 7, 1) == Reaches{2, 1});
  CHECK(reaches(mesh({5, 4}), 0, 1) == Reaches{3, 0});
  CHECK(reaches(torus({5, 4}), 7, 0) == Reaches{2, 2});
  CHECK(reaches(torus({5, 4}), 7, 1) == Reaches{2, 1});
  CHECK(reaches(torus({2, 1}), 1, 0) == Reaches{1, 0});
  CHECK(reaches(torus({2, 1}), 1, 1) == Reaches{0, 0});
}

TEST_CASE("the source starts all its lines, the longer direction of each first", "[collective]") {
  CHECK(list(copies_by_counter(mesh({5, 4}), NodeId{8}, PortId{4}, 0)) ==
        std::vector<TreeCopy>{{kWest, 3}, {kEast, 1}, {kNorth, 2}, {kSouth, 1}});
  CHECK(list(copies_by_counter(torus({3, 3}), NodeId{8}, PortId{4}, 0)) ==
        std::vector<TreeCopy>{{kEast, 1}, {kWest, 1}, {kNorth, 1}, {kSouth, 1}});
}

TEST_CASE("by the notes only dimension 0 of the source starts with its longer direction",
          "[collective]") {
  CHECK(list(copies_by_counter(mesh({5, 4}), NodeId{6}, PortId{4}, 0, DirectionRule::kSeed)) ==
        std::vector<TreeCopy>{{kEast, 3}, {kWest, 1}, {kSouth, 1}, {kNorth, 2}});
  CHECK(list(copies_by_counter(mesh({5, 4}), NodeId{6}, kWest, 1, DirectionRule::kSeed)) ==
        std::vector<TreeCopy>{{kSouth, 1}, {kNorth, 2}});
}

TEST_CASE("a node continues its line first and starts only higher dimensions", "[collective]") {
  // Node (2, 1) is reached eastwards, so the packet came in by the western input.
  CHECK(list(copies_by_counter(mesh({5, 4}), NodeId{7}, kWest, 3)) ==
        std::vector<TreeCopy>{{kEast, 2}, {kNorth, 2}, {kSouth, 1}});
  CHECK(list(copies_by_counter(mesh({5, 4}), NodeId{7}, kSouth, 3)) ==
        std::vector<TreeCopy>{{kNorth, 2}});
  CHECK(list(copies_by_counter(mesh({5, 4}), NodeId{17}, kSouth, 1)).empty());
}

TEST_CASE("a packet with its source's address stops half way round a ring", "[collective]") {
  const Grid grid = ring(6);  // A line from node 4 serves 3 nodes upwards, 2 downwards.
  CHECK(list(copies_by_source(grid, NodeId{0}, kWest, NodeId{4})) ==
        std::vector<TreeCopy>{{kEast, 1}});
  CHECK(list(copies_by_source(grid, NodeId{1}, kWest, NodeId{4})).empty());
  CHECK(list(copies_by_source(grid, NodeId{3}, kEast, NodeId{4})) ==
        std::vector<TreeCopy>{{kWest, 1}});
  CHECK(list(copies_by_source(grid, NodeId{2}, kEast, NodeId{4})).empty());
}
