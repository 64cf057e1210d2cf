// SPDX-License-Identifier: Apache-2.0
#include "topology/catalog.h"

#include "config/problem.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Values = std::map<std::string, nlohmann::json>;

std::string refused_key(const std::string& kind, const Values& values) {
  try {
    find(topologies(), kind)->make(Section::of("topology", values));
  } catch (const ConfigError& error) {
    REQUIRE(error.problems().size() == 1);
    CHECK_FALSE(error.problems()[0].hint.empty());
    return error.problems()[0].key;
  }
  return "";
}

}  // namespace

TEST_CASE("topologies beyond the limits are refused at their key", "[topology]") {
  CHECK(refused_key("mesh", {{"sizes", {5000, 5000}}}) == "topology.sizes");
  CHECK(refused_key("torus", {{"sizes", std::vector<int>(9, 2)}}) == "topology.sizes");
  CHECK(refused_key("mesh", {{"sizes", std::vector<int>(17, 1)}}) == "topology.sizes");
  CHECK(refused_key("mesh", {{"sizes", nlohmann::json::array()}}) == "topology.sizes");
  CHECK(refused_key("butterfly", {{"arity", 128}, {"stages", 4}}) == "topology.stages");
  const nlohmann::json two{2, 2};
  const Values uneven{{"ports", two}, {"middle_switches", {3}}, {"switches", 2}};
  CHECK(refused_key("clos", uneven) == "topology.middle_switches");
  const Values huge{{"ports", {4096}}, {"middle_switches", {3}}, {"switches", 8192}};
  CHECK(refused_key("clos", huge) == "topology.middle_switches");
  CHECK(refused_key("fat_tree", {{"arity", 64}, {"levels", 5}}) == "topology.levels");
  const Values wide{{"nodes", 64}, {"leaves", 2}, {"spines", 65}};
  CHECK(refused_key("folded_clos", wide) == "topology.spines");
  CHECK(refused_key("cmesh", {{"sizes", two}, {"tile", {2}}}) == "topology.tile");
  CHECK(refused_key("cmesh", {{"sizes", two}, {"tile", {12, 12}}}) == "topology.tile");
  CHECK(refused_key("cmesh", {{"sizes", {4096, 4096}}, {"tile", two}}) == "topology.sizes");
  CHECK(refused_key("flattened_butterfly", {{"sizes", {128}}, {"tile", {2}}}) == "topology.tile");
  const auto refused_dragonfly = [](int nodes, int leaves) {
    return refused_key("dragonfly", {{"nodes", nodes},
                                     {"routers", 0},
                                     {"global_links", 0},
                                     {"leaves", leaves},
                                     {"arrangement", "absolute"}});
  };
  CHECK(refused_dragonfly(40, 0) == "topology.nodes");
  CHECK(refused_dragonfly(40, 89) == "topology.nodes");
  CHECK(refused_key("hyperx", {{"sizes", {64, 64}}, {"nodes_per_router", 3}}) ==
        "topology.nodes_per_router");
  CHECK(refused_key("hyperx", {{"sizes", std::vector<int>(17, 2)}, {"nodes_per_router", 1}}) ==
        "topology.sizes");
  CHECK(refused_key("custom", {{"file", "no such file"}}) == "topology.file");
  CHECK(refused_key("custom", {{"file", "."}}) == "topology.file");
}

TEST_CASE("a concentrated network may have 16 dimensions", "[topology]") {
  std::vector<int> sizes(16, 1);
  sizes.back() = 3;
  const auto made =
      find(topologies(), "cmesh")
          ->make(Section::of("topology", {{"sizes", sizes}, {"tile", std::vector<int>(16, 1)}}));
  CHECK(made->node_count() == 3);
  const Values beyond{{"sizes", std::vector<int>(17, 1)}, {"tile", std::vector<int>(17, 1)}};
  CHECK(refused_key("cmesh", beyond) == "topology.sizes");
}

TEST_CASE("a single size stands for a list of one", "[topology]") {
  const auto made = find(topologies(), "torus")->make(Section::of("topology", {{"sizes", 4}}));
  CHECK(made->name() == "torus 4");
}

TEST_CASE("a graph file is looked for beside the configuration that names it", "[topology]") {
  const Place place{FLITCAST_TOPOLOGY_EXAMPLES "/experiment.yaml", 3, 5};
  const Section section("topology", place, {{"file", "tree.graph"}}, {{"file", place}});
  CHECK(find(topologies(), "custom")->make(section)->node_count() == 5);
}
