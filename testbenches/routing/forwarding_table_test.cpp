// SPDX-License-Identifier: Apache-2.0
#include "routing/forwarding_table.h"

#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/test_catch.h"
#include "topology/adjacency.h"
#include "topology/butterfly.h"
#include "topology/graph.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

using Entry = ForwardingTable::Entry;

/// The result of following all copies of one packet.
struct Spread {
  std::vector<std::size_t> received;  ///< Indexed by node.
  std::map<std::uint32_t, std::vector<unsigned>>
      on;  ///< For each channel, the reach of every copy.
};

/// Follows all copies of a packet that `source` injects, using only the table.
Spread spread(const Topology& topology, const ForwardingTable& table, NodeId source,
              std::uint16_t reach = 0) {
  const Adjacency adjacency(topology);
  Spread result{std::vector<std::size_t>(topology.node_count()), {}};
  std::vector<std::pair<Endpoint, std::uint16_t>> arrivals{
      {topology.attachment(source).injection, reach}};
  for (std::size_t next = 0; next < arrivals.size(); ++next) {
    REQUIRE(next < 10000);
    const auto [at, reached] = arrivals[next];
    Branches branches;
    table.branches({at.router, at.port, VcId{0}, NodeId{0}, 0, reached}, branches);
    for (const Branch& branch : branches) {
      const std::uint32_t channel = adjacency.leaving(at.router, branch.output);
      if (channel == Adjacency::kNone) {  // Routers of grids are numbered like their nodes.
        CHECK(topology.attachment(NodeId{index(at.router)}).ejection ==
              Endpoint{at.router, branch.output});
        CHECK(branch.route_field == 0);
        ++result.received[index(at.router)];
      } else {
        result.on[channel].push_back(branch.route_field);
        arrivals.push_back({topology.channels()[channel].to, branch.route_field});
      }
    }
  }
  return result;
}

constexpr PortId opposite(PortId port) {
  return PortId{static_cast<std::uint16_t>(index(port) ^ 1)};
}

/// Starts a new direction if it has nodes to serve.
void start(Entry& entry, PortId output, std::size_t nodes) {
  if (nodes > 0) entry.hops.push_back({output, static_cast<std::uint16_t>(nodes)});
}

/// Serves both directions of every dimension: packets go straight along a direction and, at each
/// node that they reach, start all directions of the higher dimensions.
Entry broadcast_entry(const Grid& torus, PortId input) {
  Entry entry;
  entry.to_node = input != torus.local();
  if (entry.to_node) entry.hops.push_back({opposite(input), 0});
  const std::size_t first = entry.to_node ? index(input) / 2U + 1U : 0;
  for (std::size_t dimension = first; dimension < torus.dimensions(); ++dimension) {
    start(entry, Grid::plus(dimension), torus.size(dimension) / 2);
    start(entry, Grid::minus(dimension), (torus.size(dimension) - 1) / 2);
  }
  return entry;
}

ForwardingTable broadcast_table(const Grid& torus) {
  return {torus, [&](RouterId, PortId input) { return broadcast_entry(torus, input); }, 2};
}

}  // namespace

TEST_CASE("round a ring packets go both ways and stop after their counts", "[routing]") {
  const Grid grid = ring(5);
  const ForwardingTable table = broadcast_table(grid);
  const Adjacency adjacency(grid);
  const Spread hop = spread(grid, table, NodeId{2});
  CHECK(hop.received == std::vector<std::size_t>{1, 1, 0, 1, 1});
  const auto reach_on = [&](std::uint32_t router, PortId output) {
    const auto found = hop.on.find(adjacency.leaving(RouterId{router}, output));
    return found == hop.on.end() ? std::vector<unsigned>{} : found->second;
  };
  CHECK(reach_on(2, Grid::plus(0)) == std::vector<unsigned>{2});
  CHECK(reach_on(3, Grid::plus(0)) == std::vector<unsigned>{1});
  CHECK(reach_on(4, Grid::plus(0)).empty());
  CHECK(reach_on(2, Grid::minus(0)) == std::vector<unsigned>{2});
  CHECK(reach_on(1, Grid::minus(0)) == std::vector<unsigned>{1});
  CHECK(hop.on.size() == 4);
}

TEST_CASE("new directions that start on the way reach every node of a torus once", "[routing]") {
  const std::vector<std::size_t> sizes =
      GENERATE(std::vector<std::size_t>{2}, std::vector<std::size_t>{3},
               std::vector<std::size_t>{8}, std::vector<std::size_t>{3, 3},
               std::vector<std::size_t>{5, 4}, std::vector<std::size_t>{2, 3, 4});
  const Grid grid = torus(sizes);
  const ForwardingTable table = broadcast_table(grid);
  for (const NodeId source : grid.nodes()) {
    std::vector<std::size_t> expected(grid.node_count(), 1);
    expected[index(source)] = 0;
    const Spread hop = spread(grid, table, source);
    CHECK(hop.received == expected);
    CHECK(hop.on.size() == grid.node_count() - 1);  // The channels form a tree.
  }
}

// Nodes of even number are served; all routers count.
TEST_CASE("a router that does not serve its node counts as served", "[routing]") {
  const Grid grid = ring(8);
  const ForwardingTable table(
      grid,
      [&](RouterId router, PortId input) {
        if (input == grid.local()) return Entry{{{Grid::plus(0), 6}}, false};
        return Entry{{{opposite(input), 0}}, index(router) % 2 == 0};
      },
      1);
  CHECK(spread(grid, table, NodeId{0}).received ==
        std::vector<std::size_t>{0, 0, 1, 0, 1, 0, 1, 0});
}

TEST_CASE("a direction that goes on from a node takes the reach that the node gave", "[routing]") {
  const Grid grid = ring(6);
  const ForwardingTable table(
      grid,
      [&](RouterId, PortId input) {
        const bool injected = input == grid.local();
        return Entry{{{injected ? Grid::plus(0) : opposite(input), 0}}, true};
      },
      1);
  CHECK(spread(grid, table, NodeId{0}, 4).received == std::vector<std::size_t>{1, 1, 1, 1, 0, 0});
  CHECK(spread(grid, table, NodeId{0}, 1).received == std::vector<std::size_t>{1, 0, 0, 0, 0, 0});
}

TEST_CASE("all virtual channels are allowed, on every branch and at injection", "[routing]") {
  const Grid grid = torus({4, 4});
  const ForwardingTable table(
      grid, [&](RouterId, PortId input) { return broadcast_entry(grid, input); }, 3);
  Branches branches;
  table.branches({RouterId{0}, Grid::plus(0), VcId{0}, NodeId{0}, 0, 2}, branches);
  CHECK(branches.size() == 4);
  for (const Branch& branch : branches) CHECK(branch.vcs == 0b111);
  CHECK(table.injection_vcs(NodeId{0}, NodeId{1}) == 0b111);
  CHECK(table.multicast());
  CHECK_THROWS_AS(table.route({}), std::logic_error);
}

TEST_CASE("entries that lead nowhere, twice to one place or to no node are refused", "[routing]") {
  const Grid grid = mesh({3, 1});
  const auto make = [&](const Topology& topology, const Entry& entry, std::size_t vcs = 1) {
    return ForwardingTable(
        topology,
        [&](RouterId router, PortId input) {
          return router == RouterId{1} && input == PortId{0} ? entry : Entry{};
        },
        vcs);
  };
  CHECK_NOTHROW(make(grid, {{{PortId{0}, 0}, {PortId{1}, 1}}, true}));
  // The output leads over the border.
  CHECK_THROWS_AS(make(grid, {{{PortId{2}, 0}}, true}), std::invalid_argument);
  CHECK_THROWS_AS(make(grid, {{{grid.local(), 1}}, false}), std::invalid_argument);
  CHECK_THROWS_AS(make(grid, {{{PortId{9}, 0}}, true}), std::invalid_argument);
  CHECK_THROWS_AS(make(grid, {{{PortId{0}, 0}, {PortId{0}, 1}}, true}), std::invalid_argument);
  CHECK_THROWS_AS(make(grid, {}, 0), std::invalid_argument);
  CHECK_THROWS_AS(make(grid, {}, 33), std::invalid_argument);
  // Router 1 has no node.
  CHECK_THROWS_AS(make(Butterfly(2, 3), {{}, true}), std::invalid_argument);
  const RouterId hub{1};
  const Graph pair("pair", 2, {{RouterId{0}, hub}, {hub, RouterId{0}}}, {hub, hub, RouterId{0}});
  CHECK_NOTHROW(make(pair, {{{PortId{0}, 1}}, false}));
  CHECK_THROWS_AS(make(pair, {{}, true}), std::invalid_argument);  // The router has two nodes.
}
