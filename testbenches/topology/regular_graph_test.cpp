// SPDX-License-Identifier: Apache-2.0
#include "topology/regular_graph.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "support/test_catch.h"
#include "topology/adjacency.h"
#include "topology/catalog.h"

using namespace flitcast;

namespace {

using Links = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// The channels by their routers; fails for parallel ones.
Links links_of(const Topology& topology) {
  Links links;
  for (const Channel& channel : topology.channels()) {
    CHECK(links.emplace(index(channel.from.router), index(channel.to.router)).second);
  }
  return links;
}

bool every_router_has(const Topology& topology, std::size_t degree) {
  std::vector<std::size_t> leaving(topology.router_count());
  std::vector<std::size_t> arriving(topology.router_count());
  for (const Channel& channel : topology.channels()) {
    ++leaving[index(channel.from.router)];
    ++arriving[index(channel.to.router)];
  }
  const auto has = [degree](std::size_t links) { return links == degree; };
  return std::all_of(leaving.begin(), leaving.end(), has) &&
         std::all_of(arriving.begin(), arriving.end(), has);
}

std::unique_ptr<Topology> example_of_kind(const std::string& kind, const std::string& keys) {
  const TopologyEntry& entry = *find(topologies(), kind);
  return entry.make(example_of(entry, "topology.kind", keys));
}

std::string key_refused_by(const std::string& kind, const std::string& keys) {
  try {
    example_of_kind(kind, keys);
  } catch (const ConfigError& error) {
    REQUIRE(error.problems().size() == 1);
    CHECK_FALSE(error.problems()[0].hint.empty());
    return error.problems()[0].key;
  }
  return "";
}

}  // namespace

// Degrees as in the table of the paper: (3 q - 1) / 2 for q = 4 w + 1, (3 q + 1) / 2 for 4 w - 1.
TEST_CASE("a slim fly has 2 q^2 routers of its degree, at most two hops apart", "[topology]") {
  struct Known {
    std::size_t q, routers, degree;
  };
  for (const Known& known :
       {Known{3, 18, 5}, {5, 50, 7}, {7, 98, 11}, {11, 242, 17}, {13, 338, 19}, {17, 578, 25}}) {
    INFO("q = " << known.q);
    const RegularGraph graph = slim_fly(known.q);
    links_of(graph);
    CHECK(graph.router_count() == known.routers);
    CHECK(graph.node_count() == known.routers);
    CHECK(slim_fly_degree(known.q) == known.degree);
    CHECK(every_router_has(graph, known.degree));
    CHECK(measure(graph).diameter == 2);
  }
}

// 1 + 7 + 7 * 6 = 50: no graph of degree 7 and diameter 2 is larger, and this one has no cycle of
// fewer than five links.
TEST_CASE("the slim fly of q = 5 is the graph of Hoffman and Singleton", "[topology]") {
  const Links links = links_of(slim_fly(5));
  for (std::uint32_t a = 0; a < 50; ++a) {
    for (std::uint32_t b = 0; b < 50; ++b) {
      std::size_t common = 0;
      for (std::uint32_t c = 0; c < 50; ++c) common += links.count({a, c}) * links.count({c, b});
      const std::size_t expected = a == b ? 7 : 1 - links.count({a, b});
      CHECK(common == expected);
    }
  }
}

TEST_CASE("a slim fly gets half as many nodes as links unless it is told otherwise", "[topology]") {
  CHECK(example_of_kind("slim_fly", "q: 5")->node_count() == 50 * 4);
  CHECK(example_of_kind("slim_fly", "q: 7")->node_count() == 98 * 6);
  CHECK(example_of_kind("slim_fly", "q: 5, nodes_per_router: 3")->node_count() == 50 * 3);
  CHECK(example_of_kind("slim_fly", "q: 5, nodes_per_router: 3")->name() ==
        "slim_fly 5 with 3 nodes each");
}

TEST_CASE("a size without a slim fly is refused at q", "[topology]") {
  for (const char* const q : {"q: 4", "q: 6", "q: 9", "q: 15", "q: 121"}) {
    CHECK(key_refused_by("slim_fly", q) == "topology.q");
  }
  CHECK(key_refused_by("slim_fly", "q: 83, nodes_per_router: 4") == "topology.nodes_per_router");
  CHECK_THROWS_AS(slim_fly(2), std::invalid_argument);
  CHECK_THROWS_AS(slim_fly(9), std::invalid_argument);
}

TEST_CASE("a jellyfish is connected and regular and has no parallel links", "[topology]") {
  struct Size {
    std::size_t routers, degree;
  };
  for (const Size& size : {Size{4, 3}, {8, 3}, {9, 4}, {12, 11}, {50, 7}, {200, 5}}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      INFO(size.routers << " of degree " << size.degree << ", seed " << seed);
      const RegularGraph graph = jellyfish(size.routers, size.degree, seed);
      CHECK(links_of(graph).size() == size.routers * size.degree);
      CHECK(every_router_has(graph, size.degree));
      CHECK_NOTHROW(measure(graph));
    }
  }
}

// With this seed the links fall into two graphs of four routers after the first round of exchanges.
TEST_CASE("the links of a jellyfish are exchanged on until it is connected", "[topology]") {
  CHECK_NOTHROW(measure(jellyfish(8, 3, 1997)));
}

TEST_CASE("a jellyfish depends on its seed, and on nothing else", "[topology]") {
  CHECK(links_of(jellyfish(40, 5, 7)) == links_of(jellyfish(40, 5, 7)));
  CHECK(links_of(jellyfish(40, 5, 7)) != links_of(jellyfish(40, 5, 8)));
  // The neighbours of router 0, as on every machine.
  std::set<std::uint32_t> neighbours;
  for (const auto& [from, to] : links_of(jellyfish(16, 4, 1))) {
    if (from == 0) neighbours.insert(to);
  }
  CHECK(neighbours == std::set<std::uint32_t>{2, 5, 10, 15});
}

// A pair is linked with probability 4 / 19; of 40 graphs, 8.4 have it, give or take 2.6.
TEST_CASE("all pairs of routers are linked about equally often in jellyfishes", "[topology]") {
  constexpr int kGraphs = 40;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> counts;
  for (std::uint64_t seed = 0; seed < kGraphs; ++seed) {
    for (const auto& link : links_of(jellyfish(20, 4, seed))) ++counts[link];
  }
  CHECK(counts.size() == 20 * 19);
  double deviation = 0;
  for (const auto& [link, count] : counts) {
    const double expected = kGraphs * 4 / 19.0;
    deviation += (count - expected) * (count - expected) / (expected * (1 - 4 / 19.0));
  }
  CHECK(deviation / 380 == Approx(1).margin(0.25));
}

TEST_CASE("a random graph that cannot be is refused at the degree", "[topology]") {
  CHECK(key_refused_by("jellyfish", "routers: 5, degree: 5") == "topology.degree");
  CHECK(key_refused_by("jellyfish", "routers: 9, degree: 3") == "topology.degree");
  CHECK(key_refused_by("jellyfish", "routers: 128, degree: 120, nodes_per_router: 9") ==
        "topology.nodes_per_router");
  CHECK_THROWS_AS(jellyfish(9, 3, 1), std::invalid_argument);
  CHECK_THROWS_AS(jellyfish(5, 5, 1), std::invalid_argument);
  CHECK_THROWS_AS(jellyfish(8, 2, 1), std::invalid_argument);
}

TEST_CASE("an Xpander links every copy of a router to one copy of each other router",
          "[topology]") {
  for (const std::size_t degree : {3, 4, 7}) {
    for (const std::size_t copies : {1, 2, 5, 16}) {
      for (const std::uint64_t seed : {1, 2, 3}) {
        INFO(copies << " copies of degree " << degree << ", seed " << seed);
        const RegularGraph graph = xpander(degree, copies, seed);
        const Links links = links_of(graph);
        CHECK(links.size() == (degree + 1) * copies * degree);
        CHECK(every_router_has(graph, degree));
        CHECK_NOTHROW(measure(graph));
        std::set<std::pair<std::size_t, std::size_t>> met;
        for (const auto& [from, to] : links) CHECK(met.emplace(from, to / copies).second);
        CHECK(std::none_of(links.begin(), links.end(), [&](const auto& link) {
          return link.first / copies == link.second / copies;
        }));
      }
    }
  }
}

TEST_CASE("an Xpander depends on its seed, and copies are linked about equally often",
          "[topology]") {
  CHECK(links_of(xpander(5, 8, 7)) == links_of(xpander(5, 8, 7)));
  CHECK(links_of(xpander(5, 8, 7)) != links_of(xpander(5, 8, 8)));
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> counts;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    for (const auto& link : links_of(xpander(3, 4, seed))) ++counts[link];
  }
  CHECK(counts.size() == 16 * 12);
  // 2000 / 4 links with a standard deviation of 19.
  for (const auto& [link, count] : counts) CHECK((count > 400 && count < 600));
}

TEST_CASE("an Xpander is drawn again until it is connected", "[topology]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) CHECK_NOTHROW(measure(xpander(3, 2, seed)));
}

TEST_CASE("an Xpander with too many ports or nodes is refused", "[topology]") {
  CHECK(key_refused_by("xpander", "degree: 120, copies: 2, nodes_per_router: 9") ==
        "topology.nodes_per_router");
  CHECK(key_refused_by("xpander", "degree: 120, copies: 16777216, nodes_per_router: 1") != "");
}
