// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/rank_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "collective/ranks/builders.h"
#include "permutation/tables.h"
#include "topology/grid.h"

namespace flitcast {

namespace {

using Nodes = std::vector<NodeId>;

NodeId node_of(std::int64_t number) { return NodeId{static_cast<std::uint32_t>(number)}; }

/// The nodes that a list names; a problem for each that there is none of or that comes twice.
Nodes listed_nodes(const Section& workload, const char* key, std::size_t node_count) {
  ProblemList problems;
  std::set<std::int64_t> known;
  Nodes nodes;
  for (const std::int64_t number : workload.variant(key).numbers) {
    if (static_cast<std::size_t>(number) >= node_count) {
      problems.add(workload.problem(key, fmt::format("there is no node {}", number),
                                    fmt::format("use nodes from 0 to {}", node_count - 1)));
    } else if (!known.insert(number).second) {
      problems.add(workload.problem(key, fmt::format("node {} is named twice", number),
                                    "name every node once"));
    }
    nodes.push_back(node_of(number));
  }
  problems.throw_if_any();
  if (nodes.empty()) workload.fail(key, "it names nobody", "name the nodes that take part");
  return nodes;
}

Nodes all_nodes(std::size_t count) {
  Nodes nodes(count);
  for (std::size_t n = 0; n < count; ++n) nodes[n] = rank(n);
  return nodes;
}

/// Where a node comes on the walk: a row that starts at an odd place is walked backwards.
std::size_t place_on_snake(const Grid& grid, NodeId node) {
  std::size_t place = 0;
  for (std::size_t d = grid.dimensions(); d-- > 0;) {
    const std::size_t at = grid.coordinate(node, d);
    place = place * grid.size(d) + (place % 2 == 0 ? at : grid.size(d) - 1 - at);
  }
  return place;
}

Nodes along_snake(const Section& workload, const Topology& topology, Nodes nodes) {
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  if (grid == nullptr) {
    workload.fail("mapping",
                  fmt::format("snake is a walk through meshes, tori and rings, not through {}",
                              topology.name()),
                  "use identity, gray, {random: SEED} or a list");
  }
  std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
    return place_on_snake(*grid, a) < place_on_snake(*grid, b);
  });
  return nodes;
}

Nodes by_gray_code(const Section& workload, const Nodes& nodes) {
  const std::size_t below = std::size_t{1} << floor_log2(nodes.size());
  if (below != nodes.size()) {
    workload.fail("mapping", fmt::format("there is no Gray code of {} nodes", nodes.size()),
                  fmt::format("use {} or {} nodes, or snake", below, 2 * below));
  }
  Nodes mapped;
  for (std::size_t r = 0; r < nodes.size(); ++r) mapped.push_back(nodes[r ^ r >> 1]);
  return mapped;
}

Nodes by_permutation(const Nodes& nodes, std::int64_t seed) {
  Nodes mapped;
  for (const NodeId place : random_permutation(static_cast<std::uint64_t>(seed), nodes.size())) {
    mapped.push_back(nodes[index(place)]);
  }
  return mapped;
}

Nodes by_list(const Section& workload, const Topology& topology, const Nodes& nodes) {
  Nodes mapped = listed_nodes(workload, "mapping", topology.node_count());
  const std::set<NodeId> ordered(mapped.begin(), mapped.end());
  const std::set<NodeId> members(nodes.begin(), nodes.end());
  if (ordered == members) return mapped;
  ProblemList problems;
  for (const NodeId node : mapped) {
    if (members.count(node) != 0) continue;
    problems.add(workload.problem(
        "mapping", fmt::format("node {} is none of workload.nodes", index(node)), "leave it out"));
  }
  for (const NodeId node : nodes) {
    if (ordered.count(node) != 0) continue;
    problems.add(workload.problem("mapping", fmt::format("node {} has no rank", index(node)),
                                  "name every node that takes part"));
  }
  problems.throw_if_any();
  return mapped;
}

}  // namespace

std::vector<NodeId> nodes_of_ranks(const Section& workload, const Topology& topology) {
  const bool listed = workload.variant("nodes").name == "listed";
  Nodes nodes = listed ? listed_nodes(workload, "nodes", topology.node_count())
                       : all_nodes(topology.node_count());
  const Variant mapping = workload.variant("mapping");
  if (mapping.name == "snake") return along_snake(workload, topology, nodes);
  if (mapping.name == "gray") return by_gray_code(workload, nodes);
  if (mapping.name == "random") return by_permutation(nodes, mapping.numbers.front());
  if (mapping.name == "listed") return by_list(workload, topology, nodes);
  return nodes;
}

}  // namespace flitcast
