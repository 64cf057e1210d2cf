// SPDX-License-Identifier: Apache-2.0
// Reads the operation of an experiment and the nodes of its ranks.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>

#include "base/sequences.h"
#include "collective/ranks/builders.h"
#include "permutation/instance.h"
#include "sim/workloads/collective_executor.h"
#include "topology/adjacency.h"
#include "topology/grid.h"

namespace flitcast {

namespace {

using Nodes = std::vector<NodeId>;

NodeId node_of(std::int64_t number) { return to_id<NodeId>(static_cast<std::size_t>(number)); }

/// Returns the nodes in a list; reports every node that does not exist or occurs twice.
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
  if (nodes.empty()) workload.fail(key, "it names no node", "name the nodes that take part");
  return nodes;
}

/// Returns a node's position on the walk: a row at an odd position is walked backwards.
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
  sort_by(nodes, [&](NodeId node) { return place_on_snake(*grid, node); });
  return nodes;
}

Nodes by_gray_code(const Section& workload, const Nodes& nodes) {
  const std::size_t below = std::size_t{1} << floor_log2(nodes.size());
  if (below != nodes.size()) {
    workload.fail("mapping", fmt::format("there is no Gray code of {} nodes", nodes.size()),
                  fmt::format("use {} or {} nodes, or snake", below, 2 * below));
  }
  return tabulated(nodes.size(), [&](std::size_t r) { return nodes[r ^ r >> 1]; });
}

Nodes by_permutation(const Nodes& nodes, std::int64_t seed) {
  return mapped(random_permutation(static_cast<std::uint64_t>(seed), nodes.size()),
                [&](const NodeId place) { return nodes[index(place)]; });
}

Nodes by_list(const Section& workload, const Topology& topology, const Nodes& nodes) {
  Nodes mapped = listed_nodes(workload, "mapping", topology.node_count());
  const std::set<NodeId> ordered(mapped.begin(), mapped.end());
  const std::set<NodeId> members(nodes.begin(), nodes.end());
  if (ordered == members) return mapped;
  ProblemList problems;
  const auto require_all = [&](const Nodes& some, const std::set<NodeId>& known, const char* what,
                               const char* hint) {
    for (const NodeId node : some) {
      if (known.count(node) != 0) continue;
      problems.add(workload.problem("mapping", fmt::format("node {} {}", index(node), what), hint));
    }
  };
  require_all(mapped, members, "is not among workload.nodes", "leave it out");
  require_all(nodes, ordered, "has no rank", "name every node that takes part");
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

namespace {

/// Returns the first `most` different nodes of a list, without the source.
std::vector<NodeId> without(const std::vector<NodeId>& nodes, NodeId source, std::size_t most) {
  std::vector<NodeId> others;
  for (const NodeId node : nodes) {
    if (others.size() == most) break;
    if (node != source && !contains(others, node)) others.push_back(node);
  }
  return others;
}

NodeId source_of(const Section& section) { return to_id<NodeId>(section.count("source")); }

unsigned ports_of(const WorkloadContext& context) {
  const Section& node = context.configuration.section("node");
  const std::size_t ports = context.topology.node_ports();
  const bool all = node.is_integer("ports")
                       ? ports > 1 && ports >= most_router_ports(context.topology)
                       : node.text("ports") == "all";
  return all ? kAllPorts : static_cast<unsigned>(ports);
}

void check_placement_keys(const Section& section, Operation operation) {
  ProblemList problems;
  const std::string algorithm = section.text("algorithm");
  const bool on_ranks = collectives().find(algorithm)->is_on_ranks(operation);
  for (const char* key : {"nodes", "mapping"}) {
    if (on_ranks || !section.given(key)) continue;
    problems.add(
        section.problem(key, fmt::format("{} places a {} itself", algorithm, to_text(operation)),
                        "leave it out, or use an algorithm for any network"));
  }
  problems.throw_if_any();
}

// The ranks of an algorithm that is made for one topology are the nodes.
void place_ranks(const Section& section, CollectiveContext& context) {
  check_placement_keys(section, context.operation);
  if (!section.given("nodes") && !section.given("mapping")) return;
  const std::vector<NodeId> nodes = nodes_of_ranks(section, context.topology);
  context.placement = Placement(nodes, context.topology.node_count());
  context.ranks = nodes.size();
  if (!has_source(context.operation)) return;
  require(section, "source", source_exists(context.topology, context.source));
  context.source = context.placement.rank(context.source);
  if (context.source != Placement::kNoRank) return;
  section.fail("source",
               fmt::format("node {} is not among workload.nodes", index(source_of(section))),
               "use one of them, or name it there");
}

// 0 means all other nodes.
std::size_t receiver_count(const Section& section, std::size_t others) {
  const std::size_t given = section.count("receivers");
  if (given <= others) return given == 0 ? others : given;
  section.fail(
      "receivers",
      fmt::format("{} nodes beside the source are more than the {} that there are", given, others),
      "use 0 for all of them");
}

std::vector<NodeId> listed_receivers(const Section& section, const Topology& topology) {
  if (section.given("receivers")) {
    section.fail("receivers", "the destinations are listed", "leave it out");
  }
  std::vector<NodeId> listed;
  for (const std::int64_t number : section.variant("destinations").numbers) {
    if (static_cast<std::size_t>(number) >= topology.node_count()) {
      section.fail("destinations", fmt::format("{} has no node {}", topology.name(), number),
                   fmt::format("use nodes from 0 to {}", topology.node_count() - 1));
    }
    listed.push_back(node_of(number));
  }
  return without(listed, source_of(section), listed.size());
}

std::vector<NodeId> receivers_of(const Section& section, const Topology& topology) {
  const std::size_t nodes = topology.node_count();
  const NodeId source = source_of(section);
  const Variant destinations = section.variant("destinations");
  if (destinations.name == "listed") return listed_receivers(section, topology);
  const std::size_t count = receiver_count(section, nodes - 1);
  if (destinations.name == "next") return nodes_after(source, count, nodes);
  const auto seed = static_cast<std::uint64_t>(destinations.numbers.front());
  return without(random_permutation(seed, nodes), source, count);
}

}  // namespace

CollectiveContext collective_instance(const WorkloadContext& workload) {
  const Section& section = workload.section();
  CollectiveContext context{workload.topology};
  context.ports = ports_of(workload);
  context.operation = operation_named(section.text("operation"));
  if (has_source(context.operation)) context.source = source_of(section);
  if (context.operation == Operation::kMulticast) {
    context.receivers = receivers_of(section, workload.topology);
  }
  if (section.has("mapping")) place_ranks(section, context);
  return context;
}

}  // namespace flitcast
