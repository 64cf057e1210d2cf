// SPDX-License-Identifier: Apache-2.0
#include "routing/ugal.h"

#include "routing/catalog.h"
#include "routing/dragonfly_routing.h"
#include "routing/walk.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "topology/hypercube.h"
#include "topology/regular_graph.h"

using namespace flitcast;

namespace {

std::unique_ptr<Routing> ugal_on(const Topology& topology, std::size_t vcs, int threshold = 0) {
  return make_routing(
      Section::of("routing", {{"kind", "ugal"}, {"threshold", threshold}, {"progressive", false}}),
      {topology, vcs});
}

Alternatives offered_at(const Routing& routing, const Topology& topology, NodeId source,
                        NodeId destination, std::uint16_t over) {
  const Endpoint at = topology.attachment(source).injection;
  Alternatives options;
  options.clear();
  routing.alternatives({at.router, at.port, VcId{0}, destination, 0, over}, options);
  return options;
}

/// The cost by which a router decides, with `queue` flits behind each output.
std::uint64_t cost(const Alternative& option, std::uint64_t queue) {
  return option.weight * queue + option.surcharge;
}

}  // namespace

TEST_CASE("UGAL weighs the direct path and the detour with the links of each", "[routing]") {
  const Grid grid = torus({5, 4});
  const Hypercube cube(4);
  const GeneralisedHypercube rows({3, 4});
  const RegularGraph fly = slim_fly(3);
  for (const Topology* const topology : std::vector<const Topology*>{&grid, &cube, &rows, &fly}) {
    INFO(topology->name());
    const Adjacency adjacency(*topology);
    const auto routing = ugal_on(*topology, 4);
    std::vector<std::vector<std::uint32_t>> distance;
    for (const RouterId router : topology->routers()) {
      distance.push_back(distances_to_routers(router, *topology, adjacency));
    }
    for (std::uint32_t to = 0; to < topology->node_count(); ++to) {
      for (std::uint16_t over = 0; over < topology->node_count(); ++over) {
        const Alternatives options = offered_at(*routing, *topology, NodeId{1}, NodeId{to}, over);
        REQUIRE(options.size() == (over == 1 ? 1 : 2));
        CHECK((options.drawn() > 0) == (over != 1));
        if (over == 1) continue;
        CHECK(options.begin()->weight == distance[1][to]);
        CHECK(options.begin()[1].weight == distance[1][over] + distance[over][to]);
        CHECK(options.begin()->priority > options.begin()[1].priority);
      }
    }
  }
}

TEST_CASE("a direct packet of UGAL takes a shortest path in the VCs of the second phase",
          "[routing]") {
  const RegularGraph graph = jellyfish(16, 4, 3);
  const Adjacency adjacency(graph);
  const std::size_t vcs = 2 * measure(graph).diameter;
  const auto routing = ugal_on(graph, vcs);
  for (std::uint32_t to = 1; to < 16; ++to) {
    for (std::uint16_t over = 1; over < 16; ++over) {
      Alternative option = *offered_at(*routing, graph, NodeId{0}, NodeId{to}, over).begin();
      RouterId router{0};
      std::size_t hops = 0;
      for (; adjacency.leaving(router, option.output) != Adjacency::kNone; ++hops) {
        CHECK(option.vcs == VcSet{1} << (vcs / 2 + hops));
        const Endpoint at = graph.channels()[adjacency.leaving(router, option.output)].to;
        router = at.router;
        Alternatives next;
        next.clear();
        routing->alternatives({router, at.port, lowest_vc(option.vcs), NodeId{to}, 0, over}, next);
        REQUIRE(next.size() == 1);
        option = *next.begin();
      }
      CHECK(index(router) == to);
      CHECK(hops == distances_to_routers(RouterId{0}, graph, adjacency)[to]);
    }
  }
}

TEST_CASE("the threshold of UGAL is added to the cost of one of both paths", "[routing]") {
  const Dragonfly dragonfly({2, 4, 2});
  const Grid grid = mesh({4, 4});
  for (const Topology* const topology : std::vector<const Topology*>{&dragonfly, &grid}) {
    INFO(topology->name());
    for (const int threshold : {0, 30, -30, 65535, -65535}) {
      const auto routing = ugal_on(*topology, 3, threshold);
      const Alternatives options = offered_at(*routing, *topology, NodeId{0}, NodeId{15}, 5);
      REQUIRE(options.size() == 2);
      const Alternative& minimal = options.begin()[0];
      const Alternative& detour = options.begin()[1];
      for (const int direct : {0, 1, 7, 96}) {
        for (const int over : {0, 1, 7, 96}) {
          const bool stays = minimal.weight * direct <= detour.weight * over + threshold;
          CHECK((cost(minimal, direct) <= cost(detour, over)) == stays);
          if (threshold == 65535) CHECK(stays);
          if (threshold == -65535) CHECK_FALSE(stays);
        }
      }
    }
  }
}

TEST_CASE("UGAL is refused without virtual channels for its phases, even if unsafe", "[routing]") {
  const auto refused_at = [](const Topology& topology, std::size_t vcs, bool unsafe,
                             bool progressive) -> std::string {
    try {
      const Section section = Section::of(
          "routing", {{"kind", "ugal"}, {"threshold", 0}, {"progressive", progressive}});
      make_routing(section, {topology, vcs, unsafe});
    } catch (const ConfigError& error) {
      return error.problems()[0].key;
    }
    return "";
  };
  const auto refused = [&](const Topology& topology, std::size_t vcs, bool unsafe) {
    return refused_at(topology, vcs, unsafe, false) == "router.virtual_channels";
  };
  const Dragonfly dragonfly({2, 4, 2});
  const RegularGraph fly = slim_fly(3);
  CHECK(refused(dragonfly, 2, false));
  CHECK(refused(dragonfly, 1, true));
  CHECK(refused_at(dragonfly, 3, false, true) == "router.virtual_channels");
  CHECK(refused_at(dragonfly, 4, false, true).empty());
  CHECK(refused_at(fly, 4, false, true) == "routing.progressive");
  CHECK_FALSE(refused(dragonfly, 2, true));
  CHECK(refused(fly, 3, false));
  CHECK_FALSE(refused(fly, 4, false));
  CHECK_FALSE(refused(fly, 2, true));
  CHECK(refused(mesh({3, 3}), 1, true));
  CHECK(refused(torus({4, 4}), 3, false));
  CHECK_FALSE(refused(mesh({3, 3}), 2, false));
}
