// SPDX-License-Identifier: Apache-2.0
#include "routing/shortest_path.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include "routing/analysis/channel_loads.h"
#include "routing/analysis/deadlock.h"
#include "routing/catalog.h"
#include "routing/dimension_order.h"
#include "routing/e_cube.h"
#include "routing/routing_table.h"
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

namespace {

/// @param escape  The text of a routing table; empty: none.
std::unique_ptr<Routing> adaptive_on(const Topology& topology, std::size_t vcs,
                                     const std::string& escape = "", std::size_t escape_vcs = 1) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("shortest_path_test." + std::to_string(getpid()) + ".csv"))
                               .string();
  std::map<std::string, nlohmann::json> keys{{"kind", "shortest_path"},
                                             {"tie", "adaptive"},
                                             {"escape_vcs", escape_vcs},
                                             {"selection", "random"}};
  if (!escape.empty()) keys["escape_table"] = path;
  std::ofstream(path) << escape;
  auto routing = make_routing(Section::of("routing", keys), {topology, vcs});
  std::filesystem::remove(path);
  return routing;
}

std::string refusal(const Topology& topology, std::size_t vcs, const std::string& escape = "") {
  try {
    adaptive_on(topology, vcs, escape);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the ways are shortest on every topology", "[routing]") {
  const bool by_distance = GENERATE(false, true);
  const bool spread = GENERATE(false, true);
  for (const auto& topology : example_topologies()) {
    INFO(topology->name());
    const Adjacency adjacency(*topology);
    const ShortestPath routing(*topology, {3, by_distance, spread});
    std::size_t longer = 0;
    for (const NodeId from : topology->nodes()) {
      const RouterId first = topology->attachment(from).injection.router;
      const auto distances = distances_to_routers(first, *topology, adjacency);
      for (const NodeId to : topology->nodes()) {
        const std::uint32_t choice = (index(from) + index(to)) % routing.most_choices();
        const Walk way = walk(*topology, adjacency, routing, from, to, 0, 1000, {choice, 0});
        longer += way.hops.size() != distances[index(topology->attachment(to).ejection.router)];
      }
    }
    CHECK(longer == 0);
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

// The distances are counted from every router by another search than the routing's own.
TEST_CASE("an adaptive packet may take every output that begins a shortest path, or escape",
          "[routing]") {
  std::size_t accepted = 0;
  for (const auto& topology : example_topologies()) {
    INFO(topology->name());
    std::unique_ptr<Routing> routing;
    try {
      routing = adaptive_on(*topology, 3);
    } catch (const ConfigError& error) {
      CHECK(says(error.what(), "both ways"));
      continue;
    }
    ++accepted;
    const UpDown escape(*topology, RouterId{0}, 1);
    const Adjacency adjacency(*topology);
    std::vector<std::vector<std::uint32_t>> distance;
    for (const RouterId router : topology->routers()) {
      distance.push_back(distances_to_routers(router, *topology, adjacency));
    }
    for (const Attachment& source : topology->attachments()) {
      const auto [router, port] = source.injection;
      for (const NodeId node : topology->nodes()) {
        const std::uint32_t end = index(topology->attachment(node).ejection.router);
        if (index(router) == end) continue;
        std::vector<PortId> expected;
        for (const PortId output : topology->outputs(router)) {
          const std::uint32_t channel = adjacency.leaving(router, output);
          if (channel == Adjacency::kNone) continue;
          const std::uint32_t next = index(topology->channels()[channel].to.router);
          if (distance[next][end] + 1 == distance[index(router)][end]) expected.push_back(output);
        }
        const RouteRequest request{router, port, VcId{0}, node};
        Alternatives offered;
        offered.clear();
        routing->alternatives(request, offered);
        REQUIRE(offered.size() == expected.size() + 1);
        CHECK(offered.begin()->output == escape.route(request).output);
        CHECK((offered.begin()->waits && offered.begin()->vcs == 0b001));
        for (std::size_t i = 0; i < expected.size(); ++i) {
          const Alternative& open = offered.begin()[i + 1];
          CHECK(open.output == expected[i]);
          CHECK((!open.waits && open.vcs == 0b110 && open.priority == 1));
        }
      }
    }
  }
  CHECK(accepted > 10);
}

TEST_CASE("a packet that has escaped stays on escape channels, another may still go up",
          "[routing]") {
  const Grid line = mesh({3});
  const auto routing = adaptive_on(line, 3, "", 2);
  const UpDown up_down(line, RouterId{0}, 2);
  const auto offered = [&](unsigned vc) {
    Alternatives all;
    all.clear();
    routing->alternatives({RouterId{1}, Grid::minus(0), to_id<VcId>(vc), NodeId{0}}, all);
    return all.size();
  };
  CHECK(offered(0) == 1);
  CHECK(offered(1) == 1);
  CHECK(offered(2) == 2);
  // Input 1 of router 1 is that from router 0, by which packets come down.
  const auto output = [&](unsigned vc) {
    return up_down.route({RouterId{1}, Grid::minus(0), to_id<VcId>(vc), NodeId{0}}).output;
  };
  CHECK(output(2) == Grid::minus(0));
}

TEST_CASE("adaptive paths escape by a table, whose cycles the check finds", "[routing]") {
  const Grid grid = mesh({3, 3});
  const DimensionOrder order(grid, {false, true, VcClasses::kNone, 1});
  const auto routing = adaptive_on(grid, 2, routing_table_text(grid, order, 1));
  Alternatives offered;
  offered.clear();
  routing->alternatives({RouterId{0}, grid.local(), VcId{1}, NodeId{8}}, offered);
  REQUIRE(offered.size() == 3);
  CHECK(offered.begin()->output == Grid::plus(0));
  CHECK(check_dependencies(grid, *routing, 2).acyclic());
  const Grid cycle = torus({4});
  std::string clockwise = "router,destination,output\n";
  for (int r = 0; r < 4; ++r) clockwise += std::to_string(r) + ",*,0\n";
  for (int r = 0; r < 4; ++r) clockwise += std::to_string(r) + "," + std::to_string(r) + ",2\n";
  CHECK_FALSE(check_dependencies(cycle, *adaptive_on(cycle, 2, clockwise), 2).acyclic());
  CHECK(check_dependencies(cycle, *adaptive_on(cycle, 2), 2).acyclic());
}

TEST_CASE("an escape that does not lead on from every router and channel is refused", "[routing]") {
  const Grid grid = mesh({3});
  const std::string head = "router,destination,output";
  CHECK(says(refusal(grid, 1), "use 2 or more"));
  CHECK(says(refusal(grid, 2, head + ",vc\n0,1-2,0,0\n1,0,1,\n1,2,0,\n2,0-1,1,\n"),
             "router and destination only"));
  CHECK(says(refusal(grid, 2, head + ",weight\n0,1-2,0,1\n1,0,1,1\n1,2,0,1\n1,2,0,1\n2,0-1,1,1\n"),
             "router and destination only"));
  CHECK(says(refusal(grid, 2, head + ",priority\n0,1-2,0,1\n1,0,1,0\n1,2,0,0\n2,0-1,1,0\n"),
             "router and destination only"));
  CHECK(says(refusal(grid, 2, head + ",vcs\n0,1-2,0,1\n1,0,1,0\n1,2,0,0\n2,0-1,1,0\n"), "no vcs"));
  // A packet may escape at router 2, which no path of the table passes.
  const auto link = [](unsigned from, unsigned to) {
    return GraphLink{RouterId{from}, RouterId{to}};
  };
  const Graph triangle("triangle", 3,
                       {link(0, 1), link(1, 0), link(1, 2), link(2, 1), link(2, 0), link(0, 2)},
                       {RouterId{0}, RouterId{1}});
  const std::string table = "router,destination,next\n0,1,1\n1,0,0\n";
  CHECK(says(refusal(triangle, 2, table), "on from router 2"));
  CHECK(refusal(triangle, 2, table + "2,0,1\n2,1,0\n").empty());
  const Graph oneway("oneway", 3, {link(0, 1), link(1, 2), link(2, 0)},
                     {RouterId{0}, RouterId{1}, RouterId{2}});
  CHECK(says(refusal(oneway, 2), "links that lead both ways"));
}
