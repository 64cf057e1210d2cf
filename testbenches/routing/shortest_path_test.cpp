// SPDX-License-Identifier: Apache-2.0
#include "routing/shortest_path.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "routing/analysis/channel_loads.h"
#include "routing/analysis/deadlock.h"
#include "routing/catalog.h"
#include "routing/e_cube.h"
#include "routing/walk.h"
#include "support/test_catch.h"
#include "topology/adjacency.h"
#include "topology/catalog.h"
#include "topology/examples.h"
#include "topology/graph.h"
#include "topology/grid.h"
#include "topology/hypercube.h"
#include "topology/regular_graph.h"

using namespace flitcast;

TEST_CASE("the ways are shortest on every topology", "[routing]") {
  const bool by_distance = GENERATE(false, true);
  const bool spread = GENERATE(false, true);
  for (const auto& topology : example_topologies()) {
    INFO(topology->name());
    const Adjacency adjacency(*topology);
    const ShortestPath routing(*topology, {3, by_distance, spread});
    std::size_t hops = 0;
    for (const NodeId from : topology->nodes()) {
      for (const NodeId to : topology->nodes()) {
        const std::uint32_t choice = (index(from) + index(to)) % routing.most_choices();
        hops += walk(*topology, adjacency, routing, from, to, 0, 1000, {choice, 0}).hops.size();
      }
    }
    const auto pairs = static_cast<double>(topology->node_count() * topology->node_count());
    CHECK(measure(*topology).mean_distance_with_self == Approx(static_cast<double>(hops) / pairs));
  }
}

TEST_CASE("among shortest ways the lowest output wins", "[routing]") {
  const Grid grid = mesh({3, 3});
  const ShortestPath routing(grid, 2);
  const Route route = routing.route({RouterId{0}, grid.local(), VcId{0}, NodeId{8}, 0});
  CHECK(route.output == Grid::plus(0));
  CHECK(route.vcs == 0b11);
}

TEST_CASE("tables that are too large and unreachable nodes are refused", "[routing]") {
  // The table would have 2^30 entries.
  CHECK_THROWS_AS(ShortestPath(mesh({256, 128}), 1), std::invalid_argument);
  const Graph oneway("oneway", 2, {{RouterId{0}, RouterId{1}}}, {RouterId{0}, RouterId{1}});
  CHECK_THROWS_AS(ShortestPath(oneway, 1), std::invalid_argument);
}

TEST_CASE("with classes by distance every hop has a virtual channel of its own, in rising order",
          "[routing]") {
  for (const auto& topology : example_topologies()) {
    INFO(topology->name());
    const Adjacency adjacency(*topology);
    std::size_t longest = 1;
    const ShortestPath plain(*topology, 1);
    for (const NodeId from : topology->nodes()) {
      for (const NodeId to : topology->nodes()) {
        longest = std::max(longest, walk(*topology, adjacency, plain, from, to).hops.size());
      }
    }
    const ShortestPath routing(*topology, {2 * longest, true, false});
    CHECK(routing.longest() == longest);
    for (const NodeId from : topology->nodes()) {
      for (const NodeId to : topology->nodes()) {
        const Walk way = walk(*topology, adjacency, routing, from, to);
        for (std::size_t hop = 0; hop < way.hops.size(); ++hop) {
          CHECK(way.hops[hop].vcs == VcSet{0b11} << 2 * hop);
        }
      }
    }
  }
}

TEST_CASE("shortest paths on a ring can deadlock, but not with a class for every hop",
          "[routing]") {
  const Grid grid = ring(7);
  CHECK_FALSE(check_dependencies(grid, ShortestPath(grid, {3, false, true}), 3).acyclic());
  CHECK(check_dependencies(grid, ShortestPath(grid, {3, true, true}), 3).acyclic());
  CHECK_FALSE(check_dependencies(grid, ShortestPath(grid, {2, true, true}), 2).acyclic());
}

TEST_CASE("spread paths take all outputs that begin shortest paths equally often", "[routing]") {
  const GeneralisedHypercube cube({3, 3, 3});
  const ShortestPath routing(cube, {1, false, true});
  std::map<PortId, int> taken;
  for (std::uint16_t draw = 0; draw < routing.most_choices(); ++draw) {
    // The destination differs in all three dimensions.
    const RouteRequest request{RouterId{0}, cube.local(), VcId{0}, NodeId{1 + 3 + 9}, 0, draw};
    ++taken[routing.route(request).output];
  }
  CHECK(taken == std::map<PortId, int>{{PortId{0}, 8}, {PortId{2}, 8}, {PortId{4}, 8}});
  // All six paths occur: the second hop does not follow from the first.
  const Adjacency adjacency(cube);
  std::map<std::vector<PortId>, int> paths;
  for (std::uint32_t draw = 0; draw < routing.most_choices(); ++draw) {
    std::vector<PortId> outputs;
    for (const Hop& hop :
         walk(cube, adjacency, routing, NodeId{0}, NodeId{13}, 0, 10, {draw, 0}).hops) {
      outputs.push_back(hop.output);
    }
    ++paths[outputs];
  }
  CHECK(paths.size() == 6);
}

namespace {

std::unique_ptr<Topology> example_of_kind(const std::string& kind, const std::string& keys) {
  const TopologyEntry& entry = *find(topologies(), kind);
  return entry.make(example_of(entry, "topology.kind", keys));
}

/// The least and the largest load of a link when every node sends one flit per cycle.
std::pair<double, double> loads_of_links(const Topology& topology, const Routing& routing,
                                         const TrafficShares& shares) {
  std::vector<double> loads = channel_loads(topology, routing, shares);
  loads.resize(topology.channels().size());
  const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
  return {*least, *most};
}

TrafficShares uniform_shares(const Topology& topology) {
  const double share = 1.0 / static_cast<double>(topology.node_count());
  return [share](NodeId, NodeId) { return share; };
}

std::unique_ptr<Routing> routing_on(const Topology& topology, std::size_t vcs,
                                    std::map<std::string, nlohmann::json> values) {
  return make_routing(Section::of("routing", std::move(values)), {topology, vcs});
}

}  // namespace

// Each of the T nodes of a router sends the S-th part of its packets to each place of a row.
TEST_CASE("uniform traffic loads every link of a HyperX with T / S", "[routing]") {
  const auto topology = example_of_kind("hyperx", "sizes: [4, 4], nodes_per_router: 3");
  const auto order = routing_on(*topology, 1, {{"kind", "e_cube"}, {"order", "msb"}});
  const auto [least, most] = loads_of_links(*topology, *order, uniform_shares(*topology));
  CHECK(least == Approx(3 / 4.0));
  CHECK(most == Approx(3 / 4.0));
  const auto spread = routing_on(
      *topology, 2, {{"kind", "shortest_path"}, {"tie", "spread"}, {"vc_classes", "by_distance"}});
  const auto [also, too] = loads_of_links(*topology, *spread, uniform_shares(*topology));
  CHECK(also == Approx(3 / 4.0));
  CHECK(too == Approx(3 / 4.0));
}

// All nodes of a router send to the next router of their row. Minimal packets share one link;
// those of Valiant load both phases like uniform traffic, 2 T / S.
TEST_CASE("Valiant's routing loads all links of a HyperX equally under any traffic", "[routing]") {
  const auto topology = example_of_kind("hyperx", "sizes: [4, 4], nodes_per_router: 3");
  const auto to_next = [](NodeId from, NodeId to) -> std::optional<double> {
    const std::uint32_t router = index(from) / 3;
    const std::uint32_t next = router / 4 * 4 + (router + 1) % 4;
    return index(to) == next * 3 + index(from) % 3 ? 1 : 0;
  };
  const auto order = routing_on(*topology, 1, {{"kind", "e_cube"}, {"order", "msb"}});
  CHECK(loads_of_links(*topology, *order, to_next).second == Approx(3));
  const auto valiant = routing_on(*topology, 2, {{"kind", "valiant"}});
  const auto [least, most] = loads_of_links(*topology, *valiant, to_next);
  CHECK(least == Approx(2 * 3 / 4.0));
  CHECK(most == Approx(2 * 3 / 4.0));
}

// In the graph of degree 7 without cycles of fewer than five links, a link is on the path of its
// own pair, of the six that begin with it and of the six that end with it.
TEST_CASE("uniform traffic loads every link of the slim fly of q = 5 with 13 pairs of routers",
          "[routing]") {
  const auto topology = example_of_kind("slim_fly", "q: 5, nodes_per_router: 4");
  const auto routing = routing_on(
      *topology, 2, {{"kind", "shortest_path"}, {"tie", "lowest"}, {"vc_classes", "by_distance"}});
  const auto [least, most] = loads_of_links(*topology, *routing, uniform_shares(*topology));
  CHECK(least == Approx(13 * 4.0 * 4.0 / 200));
  CHECK(most == Approx(13 * 4.0 * 4.0 / 200));
}

TEST_CASE("fewer virtual channels than hops are refused for classes by distance", "[routing]") {
  const auto topology = example_of_kind("slim_fly", "q: 3");
  try {
    routing_on(*topology, 1,
               {{"kind", "shortest_path"}, {"tie", "lowest"}, {"vc_classes", "by_distance"}});
    FAIL("one virtual channel is enough");
  } catch (const ConfigError& error) {
    CHECK(error.problems()[0].key == "router.virtual_channels");
  }
}
