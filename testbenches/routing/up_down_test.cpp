// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "routing/analysis/deadlock.h"
#include "routing/shortest_path.h"
#include "routing/walk.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

/// Routers with links in both directions, each with a node at its last port.
class Pairs : public Topology {
 public:
  Pairs(std::size_t routers, const std::vector<std::pair<unsigned, unsigned>>& links)
      : Topology("pairs") {
    std::vector<std::uint16_t> ports(routers, 0);
    for (const auto& [a, b] : links) ++ports[a], ++ports[b];
    for (const std::uint16_t count : ports) add_router(count + 1U, count + 1U);
    std::vector<std::uint16_t> used(routers, 0);
    for (const auto& [a, b] : links) {
      const Endpoint at_a{RouterId{a}, PortId{used[a]++}};
      const Endpoint at_b{RouterId{b}, PortId{used[b]++}};
      add_channel({at_a, at_b});
      add_channel({at_b, at_a});
    }
    for (std::uint32_t r = 0; r < routers; ++r) {
      const Endpoint local{RouterId{r}, PortId{ports[r]}};
      add_node({local, local});
    }
  }
};

/// A random tree with some more links.
std::vector<std::pair<unsigned, unsigned>> random_links(unsigned routers, unsigned more,
                                                        Random& random) {
  std::vector<std::pair<unsigned, unsigned>> links;
  for (unsigned r = 1; r < routers; ++r) links.emplace_back(draw(random, r), r);
  for (unsigned l = 0; l < more; ++l) {
    const unsigned a = draw(random, routers);
    const unsigned b = draw(random, routers);
    if (a != b) links.emplace_back(a, b);
  }
  return links;
}

}  // namespace

// The order of the routers is computed here from distances by relaxation.
TEST_CASE("up*/down* never goes up after it has gone down, on random networks", "[routing]") {
  Random random(3);
  for (unsigned trial = 0; trial < 40; ++trial) {
    const unsigned routers = 2 + draw(random, 12);
    const auto links = random_links(routers, draw(random, 10), random);
    const Pairs network(routers, links);
    const unsigned root = draw(random, routers);
    std::vector<unsigned> level(routers, 1000);
    level[root] = 0;
    for (unsigned round = 0; round < routers; ++round) {
      for (const auto& [a, b] : links) {
        level[a] = std::min(level[a], level[b] + 1);
        level[b] = std::min(level[b], level[a] + 1);
      }
    }
    const UpDown routing(network, RouterId{root}, 1);
    const Adjacency adjacency(network);
    for (std::uint32_t from = 0; from < routers; ++from) {
      for (std::uint32_t to = 0; to < routers; ++to) {
        const Walk option = walk(network, adjacency, routing, NodeId{from}, NodeId{to});
        REQUIRE(option.end == network.attachment(NodeId{to}).ejection);
        bool down = false;
        for (const Hop& hop : option.hops) {
          const auto& channel = network.channels()[adjacency.leaving(hop.router, hop.output)];
          const unsigned a = index(channel.from.router);
          const unsigned b = index(channel.to.router);
          const bool up = level[b] < level[a] || (level[b] == level[a] && b < a);
          REQUIRE_FALSE((up && down));
          down = down || !up;
        }
      }
    }
    CHECK(check_dependencies(network, routing, 1).acyclic());
  }
}

TEST_CASE("a packet that has come down does not go up, even where that way is as short",
          "[routing]") {
  // Below root 0 are 1, 2 and 3; 4 is below 1 and 2, 5 below 4 and 3, 6 below 5 and 2. Router 4
  // reaches 6 by two links either way: up by 2, over its lower port, or down by 5.
  const Pairs network(7, {{1, 4}, {2, 4}, {4, 5}, {5, 6}, {2, 6}, {0, 1}, {0, 2}, {0, 3}, {3, 5}});
  const UpDown routing(network, RouterId{0}, 1);
  std::vector<unsigned> routers;
  for (const Hop& hop : walk(network, Adjacency(network), routing, NodeId{1}, NodeId{6}).hops) {
    routers.push_back(index(hop.router));
  }
  CHECK(routers == std::vector<unsigned>{1, 4, 5});
}

TEST_CASE("next to the root the way is as short as any", "[routing]") {
  const Grid grid = torus({5, 5});
  const UpDown routing(grid, RouterId{12}, 1);
  const Adjacency adjacency(grid);
  const auto distance = distances_to_routers(RouterId{12}, grid, adjacency);
  for (std::uint32_t node = 0; node < 25; ++node) {
    CHECK(walk(grid, adjacency, routing, NodeId{node}, NodeId{12}).hops.size() == distance[node]);
    CHECK(walk(grid, adjacency, routing, NodeId{12}, NodeId{node}).hops.size() == distance[node]);
  }
}

TEST_CASE("a network that falls apart is refused with a pair of nodes", "[routing]") {
  CHECK_THROWS_WITH(UpDown(Pairs(4, {{0, 1}, {2, 3}}), RouterId{0}, 1),
                    Catch::Contains("from node 2 to node 0"));
  CHECK_THROWS_AS(UpDown(Pairs(2, {{0, 1}}), RouterId{2}, 1), std::invalid_argument);
}
