// SPDX-License-Identifier: Apache-2.0
#include "routing/queue_priority.h"

#include <set>
#include <stdexcept>
#include <string>

#include "support/test_catch.h"
#include "topology/butterfly.h"
#include "topology/examples.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

constexpr PacketId kAnyPacket{7};
constexpr std::uint32_t kUnreached = 1000;

// Distances to a router by relaxation: channels shorten distances until none changes.
std::vector<std::uint32_t> relaxed_distances(const Topology& topology, RouterId end) {
  std::vector<std::uint32_t> distance(topology.router_count(), kUnreached);
  distance[index(end)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Channel& channel : topology.channels()) {
      const std::uint32_t longer = distance[index(channel.to.router)] + 1;
      if (longer >= distance[index(channel.from.router)]) continue;
      distance[index(channel.from.router)] = longer;
      changed = true;
    }
  }
  return distance;
}

void require_distances(const Topology& topology) {
  const Farthest farthest(topology);
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    const RouterId end = topology.attachment(NodeId{node}).ejection.router;
    const std::vector<std::uint32_t> distance = relaxed_distances(topology, end);
    for (std::uint32_t router = 0; router < topology.router_count(); ++router) {
      if (distance[router] == kUnreached) continue;
      CAPTURE(node, router);
      REQUIRE(farthest.distance(RouterId{router}, NodeId{node}) == distance[router]);
      REQUIRE(farthest.rank({RouterId{router}, PortId{0}, NodeId{node}, kAnyPacket}) ==
              ~std::uint32_t{0} - distance[router]);
    }
  }
}

// The number of hops by which the rank of the packet exceeds that of a packet that has arrived.
std::uint32_t hops_ahead(const Grid& grid, std::uint32_t at, PortId output,
                         std::uint32_t destination) {
  const FarthestFirst priority(grid);
  return ~std::uint32_t{0} - priority.rank({RouterId{at}, output, NodeId{destination}, kAnyPacket});
}

// The section that results if a user names this rule.
Section section_of(const std::string& name) { return Section::of("router", {{"priority", name}}); }

std::unique_ptr<QueuePriority> make(const std::string& name, const Topology& topology,
                                    std::uint64_t seed = 1) {
  return find(queue_priorities(), name)->make(section_of(name), {topology, seed});
}

Problem refusal(const std::string& name, const Topology& topology) {
  try {
    make(name, topology);
  } catch (const ConfigError& error) {
    REQUIRE(error.problems().size() == 1);
    return error.problems()[0];
  }
  return {};
}

}  // namespace

TEST_CASE("farthest counts the hops of a shortest way on every topology", "[routing]") {
  for (const auto& topology : example_topologies()) {
    INFO(topology->name());
    require_distances(*topology);
  }
}

TEST_CASE("farthest refuses a table beyond its limit", "[routing]") {
  const Butterfly large(2, 14);  // 2^14 nodes and 14 * 2^13 routers.
  CHECK_FALSE(Farthest::accepts(large));
  CHECK_THROWS_AS(Farthest(large), std::invalid_argument);
  CHECK(refusal("farthest", large).key == "router.priority");
  CHECK(Farthest::accepts(mesh({2048, 2048})));  // A mesh needs no table.
  CHECK(Farthest::accepts(Hypercube(14)));
}

TEST_CASE("farthest-first counts the hops left in the dimension of the output", "[routing]") {
  const Grid grid = mesh({8, 5});  // Router 10 is at (2, 1), node 31 at (7, 3).
  CHECK(hops_ahead(grid, 10, Grid::plus(0), 31) == 5);
  CHECK(hops_ahead(grid, 10, Grid::plus(1), 31) == 2);
  CHECK(hops_ahead(grid, 31, Grid::minus(0), 10) == 5);
  CHECK(hops_ahead(grid, 31, Grid::minus(1), 10) == 2);
  CHECK(hops_ahead(grid, 10, Grid::plus(0), 10) == 0);
}

TEST_CASE("farthest-first counts round a wrapped dimension in the output's direction",
          "[routing]") {
  const Grid grid = torus({7});
  CHECK(hops_ahead(grid, 5, Grid::plus(0), 1) == 3);
  CHECK(hops_ahead(grid, 5, Grid::minus(0), 1) == 4);
  CHECK(hops_ahead(grid, 1, Grid::plus(0), 5) == 4);
  CHECK(hops_ahead(grid, 1, Grid::minus(0), 5) == 3);
  CHECK(hops_ahead(grid, 3, Grid::plus(0), 3) == 0);
}

TEST_CASE("farthest-first does not distinguish packets for a node or across a bit", "[routing]") {
  const Grid grid = mesh({4, 4});
  CHECK(hops_ahead(grid, 0, grid.local(), 15) == 0);
  const Hypercube cube(4);
  const auto priority = make("farthest_first", cube);
  CHECK(priority->rank({RouterId{0}, PortId{0}, NodeId{1}, kAnyPacket}) ==
        priority->rank({RouterId{0}, PortId{0}, NodeId{15}, kAnyPacket}));
}

TEST_CASE("farthest-first is refused where there are no dimensions", "[routing]") {
  const Problem problem = refusal("farthest_first", Butterfly(2, 3));
  CHECK(problem.key == "router.priority");
  CHECK(problem.hint.find("farthest") != std::string::npos);
  CHECK(refusal("farthest_first", torus({4, 4})).key.empty());
}

TEST_CASE("first in, first out ranks all packets alike", "[routing]") {
  const Grid grid = mesh({4, 4});
  const auto priority = make("fifo", grid);
  CHECK(priority->rank({RouterId{0}, PortId{0}, NodeId{1}, PacketId{1}}) ==
        priority->rank({RouterId{5}, PortId{1}, NodeId{9}, PacketId{2}}));
}

TEST_CASE("last in first out ranks a packet before all that joined earlier", "[routing]") {
  const Grid grid = mesh({4, 4});
  const auto priority = make("lifo", grid);
  const auto rank = [&](std::uint64_t joins) {
    return priority->rank({RouterId{1}, PortId{0}, NodeId{3}, kAnyPacket, Cycle{joins}});
  };
  CHECK(rank(8) < rank(7));
  CHECK(rank(1000) < rank(999));
}

TEST_CASE("nearest-first is farthest-first turned round", "[routing]") {
  const Grid grid = mesh({8, 8});
  const auto nearest = make("nearest_first", grid);
  const auto farthest = make("farthest_first", grid);
  for (std::uint32_t x = 1; x < 8; ++x) {
    const QueueEntry entry{RouterId{0}, Grid::plus(0), NodeId{x + 24}, kAnyPacket};
    CHECK(nearest->rank(entry) == x);
    CHECK(farthest->rank(entry) == ~std::uint32_t{0} - x);
  }
}

TEST_CASE("the random order depends on seed, router and packet alone", "[routing]") {
  const Grid grid = mesh({8, 8});
  const auto one = make("random", grid, 1);
  const auto rank = [](const QueuePriority& priority, std::uint32_t at, std::uint64_t packet,
                       std::uint16_t output = 0, std::uint32_t destination = 0) {
    return priority.rank({RouterId{at}, PortId{output}, NodeId{destination}, PacketId{packet}});
  };
  CHECK(rank(*one, 3, 9, 0, 5) == rank(*one, 3, 9, 2, 6));
  CHECK(rank(*one, 3, 9) == rank(*make("random", grid, 1), 3, 9));
  std::set<std::uint32_t> ranks{rank(*make("random", grid, 2), 0, 0)};
  for (std::uint32_t router = 0; router < 16; ++router) {
    for (std::uint64_t serial = 0; serial < 16; ++serial) {
      ranks.insert(rank(*one, router, serial << 32));
    }
  }
  CHECK(ranks.size() == 257);  // Two of 257 ranks out of 2^32 are equal for one seed in 130000.
}

TEST_CASE("either of two packets comes first at half of the routers in random order", "[routing]") {
  const RandomOrder priority(5);
  int first = 0;
  for (std::uint32_t router = 0; router < 1000; ++router) {
    first += priority.rank({RouterId{router}, PortId{0}, NodeId{0}, PacketId{1}}) <
             priority.rank({RouterId{router}, PortId{0}, NodeId{0}, PacketId{2}});
  }
  CHECK(first > 437);  // 500 minus four standard deviations.
  CHECK(first < 563);
}

TEST_CASE("every queue priority gives equal ranks to equal questions, or says where it works",
          "[routing]") {
  for (const QueuePriorityEntry& entry : queue_priorities()) {
    int made = 0;
    for (const auto& topology : example_topologies()) {
      INFO(entry.name << " on " << topology->name());
      try {
        const auto priority = make(entry.name, *topology);
        const NodeId last{static_cast<std::uint32_t>(topology->node_count() - 1)};
        const Attachment home = topology->attachment(NodeId{0});
        const auto rank = [&] {
          return priority->rank({home.injection.router, PortId{0}, last, PacketId{7}});
        };
        CHECK(rank() == rank());
        ++made;
      } catch (const ConfigError& error) {
        // The message ends with a hint.
        CHECK(std::string(error.what()).find("; ") != std::string::npos);
      }
    }
    CHECK(made > 0);
    CHECK_FALSE(entry.summary.empty());
  }
}
