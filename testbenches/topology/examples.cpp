// SPDX-License-Identifier: Apache-2.0
#include "topology/examples.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "topology/catalog.h"

namespace flitcast {
namespace {

using Values = std::map<std::string, nlohmann::json>;

TopologyExample example(const std::string& kind, Values values) {
  values.emplace("kind", kind);
  return {kind, Section::of("topology", std::move(values))};
}

TopologyExample clos(const std::vector<int>& ports, const std::vector<int>& middle_switches,
                     int switches) {
  return example("clos",
                 {{"ports", ports}, {"middle_switches", middle_switches}, {"switches", switches}});
}

}  // namespace

std::unique_ptr<Topology> TopologyExample::make() const {
  return find(topologies(), kind)->make(section);
}

std::vector<TopologyExample> topology_examples() {
  std::vector<TopologyExample> examples;
  using Sizes = std::vector<int>;
  for (const Sizes& sizes : {Sizes{1}, {2}, {5}, {1, 4}, {2, 2}, {3, 5}, {4, 2, 3}}) {
    examples.push_back(example("mesh", {{"sizes", sizes}}));
    examples.push_back(example("torus", {{"sizes", sizes}}));
  }
  examples.push_back(example("torus", {{"sizes", Sizes{4, 4}}}));
  examples.push_back(example("torus", {{"sizes", Sizes{6, 5}}}));
  for (const int nodes : {1, 2, 3, 4, 5, 8}) {
    examples.push_back(example("ring", {{"nodes", nodes}}));
    examples.push_back(example("complete", {{"nodes", nodes}}));
  }
  for (const int dimension : {0, 1, 2, 5}) {
    examples.push_back(example("hypercube", {{"dimension", dimension}}));
  }
  for (const auto& [arity, stages] : {std::pair(2, 1), {2, 2}, {2, 4}, {3, 3}, {5, 2}, {7, 1}}) {
    examples.push_back(example("butterfly", {{"arity", arity}, {"stages", stages}}));
  }
  examples.push_back(clos({1}, {1}, 1));
  examples.push_back(clos({2}, {3}, 2));
  examples.push_back(clos({3}, {5}, 4));
  examples.push_back(clos({2, 2}, {3, 3}, 2));
  examples.push_back(example("custom", {{"file", FLITCAST_TOPOLOGY_EXAMPLES "/tree.graph"}}));
  return examples;
}

}  // namespace flitcast
