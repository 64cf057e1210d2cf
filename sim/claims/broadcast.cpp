// SPDX-License-Identifier: Apache-2.0
// Machines for the first half of document 000, "One-to-all Broadcast Algorithms": lower bounds,
// and store-and-forward broadcast.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "collective/broadcast/builders.h"
#include "collective/cost.h"
#include "collective/pram.h"
#include "collective/tree_copies.h"
#include "sim/claims/one_port_search.h"
#include "sim/claims/statement.h"
#include "sim/claims/trials.h"
#include "sim/results/drawing.h"
#include "topology/adjacency.h"
#include "topology/catalog.h"

namespace flitcast::claims {
namespace {

/// The network of the parameters: `network`, the hypercube of n dimensions or the complete graph of
/// p nodes.
std::string network_of(const Section& parameters) {
  constexpr std::size_t kMostNodes = 4096;
  if (parameters.has("n")) return fmt::format("Q{}", parameters.count("n"));
  if (parameters.has("p")) return fmt::format("K{}", parameters.count("p"));
  const std::string& name = parameters.text("network");
  if (network_named(name, "network")->node_count() <= kMostNodes) return name;
  parameters.fail("network", "has more nodes than these statements are tried on",
                  fmt::format("choose at most {} nodes", kMostNodes));
}

/// The broadcast that the page describes for a network.
std::string algorithm_for(const std::string& network) {
  if (network[0] == 'Q') return "binomial_tree";
  return network[0] == 'K' ? "doubling" : "dimension_order";
}

CollectiveTrial broadcast_from(const Section& parameters, const std::string& network,
                               unsigned ports) {
  const NodeId source = source_in(parameters, *network_named(network, "network"));
  const bool named = parameters.has("algorithm") && parameters.text("algorithm") != "by_network";
  return {network, source, {named ? parameters.text("algorithm") : algorithm_for(network), ports}};
}

/// The numbers of nodes with the value 0, 1, ..., to the largest value that occurs.
template <class Value>
std::vector<std::size_t> counts_by_value(const std::vector<Value>& values) {
  std::vector<std::size_t> counts(*std::max_element(values.begin(), values.end()) + 1U);
  for (const Value value : values) ++counts[value];
  return counts;
}

/// By node: its depth in the tree along which nodes are informed.
std::vector<std::size_t> depths_in(const Schedule& schedule, NodeId source, std::size_t nodes) {
  std::vector<std::size_t> depths(nodes);
  for (std::size_t m = 0; m < schedule.size(); ++m) {
    const Message& message = schedule.message(m);
    std::size_t& depth = depths[index(message.to)];
    if (depth == 0 && message.to != source) depth = depths[index(message.from)] + 1;
  }
  return depths;
}

/// Adds the distances from the source, the diameter and, on a grid, the hops from the source
/// downwards and upwards in every dimension.
void add_distances(const Topology& topology, NodeId source, Figures& figures) {
  const auto distances = distances_from(source, topology, Adjacency(topology));
  const auto& channels = topology.channels();
  const auto inside = count_if(channels, [&](const Channel& one) {
    return distances[index(one.from.router)] == distances[index(one.to.router)];
  });
  figures["nodes"] = topology.node_count();
  figures["distances"] = counts_by_value(distances);
  figures["ecc"] = figures["distances"].size() - 1;
  figures["diameter"] = measure(topology).diameter;
  figures["links"] = channels.size() / 2;
  figures["edges_inside"] = inside / 2;
  const auto* grid = topology_as<Grid>(topology);
  for (std::size_t d = 0; grid != nullptr && d < grid->dimensions(); ++d) {
    figures["below"].push_back(line_reach(*grid, source, Grid::minus(d)));
    figures["above"].push_back(line_reach(*grid, source, Grid::plus(d)));
  }
}

/// Adds the depths of nodes in the tree of the broadcast, and the links that packets cross, and
/// cross both ways.
void add_tree(const CollectiveTrial& trial, Figures& figures) {
  const Schedule& schedule = trial.schedule();
  std::set<std::pair<NodeId, NodeId>> directed;
  std::set<std::pair<NodeId, NodeId>> links;
  for (std::size_t m = 0; m < schedule.size(); ++m) {
    const Message& message = schedule.message(m);
    directed.insert({message.from, message.to});
    links.insert(std::minmax(message.from, message.to));
  }
  figures["depths"] = counts_by_value(depths_in(schedule, trial.source(), trial.nodes()));
  figures["height"] = figures["depths"].size() - 1;
  figures["links_used"] = links.size();
  figures["both_ways"] = directed.size() - links.size();
  figures["quiet_after"] = schedule.rounds();
}

Figures broadcast(const Section& parameters) {
  const CollectiveTrial trial =
      broadcast_from(parameters, network_of(parameters), ports_of(parameters));
  Figures figures = trial.figures();
  add_distances(trial.topology(), trial.source(), figures);
  add_tree(trial, figures);
  trial.add_run(parameters, figures);
  return figures;
}

/// The broadcasts with all ports and with one; on grids also that by the literal rule of the page.
Figures both_ports(const Section& parameters) {
  const std::string network = network_of(parameters);
  const std::string algorithm = algorithm_for(network);
  std::vector<CollectiveChoice> choices{{algorithm, kAllPorts, "all_port"},
                                        {algorithm, 1, "one_port"}};
  if (algorithm == "dimension_order") {
    choices.push_back({algorithm, 1, "literal", Operation::kBroadcast, "rule: seed"});
  }
  Figures figures = compared(parameters, network, choices);
  const auto topology = network_named(network, "network");
  add_distances(*topology, source_in(parameters, *topology), figures);
  return figures;
}

/// The fewest rounds with one port, as far as they are known, beside those of the trees.
Figures one_port_optimum_figures(const Section& parameters) {
  Figures figures = both_ports(parameters);
  const CollectiveTrial one = broadcast_from(parameters, network_of(parameters), 1);
  const OnePortOptimum optimum =
      one_port_optimum(one.topology(), one.source(),
                       figures["lower_bound_one_port"].get<std::size_t>(), one.schedule());
  const Verification best =
      verify(one.topology(), optimum.best, one.collective().demand, one.collective().discipline);
  figures["at_least"] = optimum.at_least;
  figures["found"] = best.rounds;
  figures["new"] = best.new_per_round;
  figures.add("faults", best.faults);
  if (one.nodes() <= kMostNodesDrawn) {
    figures.drawings = {drawing_of(one.topology(), optimum.best)};
  }
  return figures;
}

/// The broadcast on a torus without a stop rule, with a hop counter, and with the source address.
Figures torus_duplicates(const Section& parameters) {
  std::vector<CollectiveChoice> choices;
  for (const std::string stop : {"never", "hop_counter", "source_address"}) {
    choices.push_back({"dimension_order", kAllPorts, stop, Operation::kBroadcast, "stop: " + stop});
  }
  return compared(parameters, network_of(parameters), choices);
}

// The four operations of the lemma on lower bounds.

const std::vector<CollectiveChoice> kCubeOperations{
    {"binomial_tree", kAllPorts, "one_to_all_broadcast", Operation::kBroadcast},
    {"cube_classes", kAllPorts, "all_to_all_broadcast", Operation::kGossip},
    {"cube_classes", kAllPorts, "one_to_all_scatter", Operation::kScatter},
    {"cube_colouring", kAllPorts, "all_to_all_scatter", Operation::kAllToAllScatter}};

CollectiveTrial cube_operation(const Section& parameters, const CollectiveChoice& operation) {
  return {network_of(parameters), NodeId{}, operation};
}

Figures one_cube_operation(const Section& parameters) {
  const auto* const chosen = first_where(kCubeOperations, [&](const CollectiveChoice& operation) {
    return operation.name == parameters.text("operation");
  });
  return cube_operation(parameters, *chosen).figures();
}

/// Lists of the figures of all four operations.
Figures cube_operations(const Section& parameters) {
  Figures all;
  for (const CollectiveChoice& operation : kCubeOperations) {
    const ordered_json one = cube_operation(parameters, operation).figures().values;
    for (const auto& [name, value] : one.items()) all[name].push_back(value);
  }
  return all;
}

/// By node and round: the number of messages that have the node as `end`, sender or receiver.
std::vector<std::vector<std::size_t>> by_node(const CollectiveTrial& trial, NodeId Message::*end) {
  const Schedule& schedule = trial.schedule();
  std::vector<std::vector<std::size_t>> counts(trial.nodes(),
                                               std::vector<std::size_t>(schedule.rounds()));
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    for (const Message& message : schedule.messages(round)) ++counts[index(message.*end)][round];
  }
  return counts;
}

/// The receipts of nodes in broadcasts, and the packets that the source of a scatter sends.
Figures cube_delivery(const Section& parameters) {
  const CollectiveTrial broadcast = cube_operation(parameters, kCubeOperations[0]);
  const auto received = by_node(cube_operation(parameters, kCubeOperations[1]), &Message::to);
  const auto sent = by_node(cube_operation(parameters, kCubeOperations[2]), &Message::from);
  return {{{"broadcast_receipts", broadcast.schedule().size()},
           {"receipts", received[0]},
           {"nodes_alike", std::count(received.begin(), received.end(), received[0])},
           {"injections", sent[0]}}};
}

// Ports.

/// A broadcast on nodes with k ports: on complete networks by (k+1)-fold growth, on others by
/// flooding if k are all ports, and otherwise by the one-port algorithm of the page.
Verification with_ports(const CollectiveTrial& one_port, std::size_t k) {
  const Topology& topology = one_port.topology();
  Schedule schedule = one_port.schedule();
  if (topology_as<Complete>(topology) != nullptr) {
    schedule = growing_broadcast(one_port.nodes(), one_port.source(), k);
  } else if (k >= degree(topology)) {
    schedule = on_step_machine({topology, one_port.source()}, "flooding").collective.plan.schedule;
  }
  return verify(topology, schedule, one_port.collective().demand,
                {Switching::kStoreAndForward, static_cast<unsigned>(k)});
}

/// Broadcasts for the numbers of ports given, or for 1, 2, 3 and all.
Figures k_port_broadcasts(const Section& parameters) {
  const CollectiveTrial one_port = broadcast_from(parameters, network_of(parameters), 1);
  const std::size_t all = degree(one_port.topology());
  std::vector<std::size_t> given = counts_of(parameters, "k");
  if (given.empty()) given = {1, std::min<std::size_t>(2, all), std::min<std::size_t>(3, all), all};
  Figures figures;
  for (const std::size_t k : std::set<std::size_t>(given.begin(), given.end())) {
    const Verification found = with_ports(one_port, k);
    figures["port_counts"].push_back(k);
    figures["rounds_by_ports"].push_back(found.rounds);
    figures["new_by_ports"].push_back(found.new_per_round);
    figures.add("faults", found.faults);
  }
  add_distances(one_port.topology(), one_port.source(), figures);
  return figures;
}

// The PRAM.

Figures pram(const Section& parameters) {
  const std::size_t p = parameters.count("p");
  const PramProgram program = pram_broadcast(p, parameters.count("source"));
  const PramOutcome outcome = run_erew(program, p);
  ordered_json accesses = ordered_json::array();
  ordered_json fresh = ordered_json::array();
  std::size_t reads = 0;
  std::size_t most[2] = {};  // The most reads and writes of a cell in a step.
  for (std::size_t step = 0; step < program.size(); ++step) {
    std::map<std::size_t, std::size_t> alike[2];  // By cell: its reads and writes.
    for (const PramAccess& one : program[step]) {
      if (one.reads) most[0] = std::max(most[0], ++alike[0][*one.reads]);
      most[1] = std::max(most[1], ++alike[1][one.writes]);
      accesses.push_back(fmt::format("{}:P{}:{}>{}", step, one.processor,
                                     one.reads ? std::to_string(*one.reads) : "", one.writes));
      if (one.reads) ++reads;
    }
    if (step > 0) fresh.push_back(program[step].size());
  }
  return {{{"steps", outcome.steps - 1},
           {"new", fresh},
           {"written", std::count(outcome.written.begin(), outcome.written.end(), true)},
           {"reads", reads},
           {"writes", accesses.size()},
           {"largest_reads", most[0]},
           {"largest_writes", most[1]},
           {"accesses", accesses}}};
}

// Spanning binomial trees.

/// The binomial tree whose nodes forward along the later dimensions of an order.
Schedule binomial_in_order(const Hypercube& cube, NodeId root,
                           const std::vector<std::size_t>& order) {
  return relay(cube, root, false, [&](NodeId, const std::vector<Channel>& arrivals) {
    auto first = order.begin();
    if (!arrivals.empty()) {
      first = std::find(order.begin(), order.end(), index(arrivals[0].from.port)) + 1;
    }
    return mapped(std::vector<std::size_t>(first, order.end()), to_id<PortId>);
  });
}

/// The numbers of nodes by depth: of all nodes, and of the two trees on either side of a dimension.
std::vector<std::vector<std::size_t>> shape_of(const std::vector<std::size_t>& depths, NodeId root,
                                               std::size_t dimension) {
  std::vector<std::size_t> halves[2];
  for (std::size_t node = 0; node < depths.size(); ++node) {
    const std::size_t far = (node ^ index(root)) >> dimension & 1U;
    halves[far].push_back(depths[node] - far);
  }
  if (halves[1].empty()) return {counts_by_value(depths)};
  return {counts_by_value(depths), counts_by_value(halves[0]), counts_by_value(halves[1])};
}

/// The trees of all roots and orders of the dimensions for n <= 4, otherwise of the given root with
/// ascending and descending dimensions.
Figures binomial_trees(const Section& parameters) {
  constexpr std::size_t kMostDimensionsExhausted = 4;
  const CollectiveTrial own = broadcast_from(parameters, network_of(parameters), kAllPorts);
  const auto& cube = family_of<Hypercube>({own.topology()});
  const std::size_t n = cube.dimension();
  const bool all = n <= kMostDimensionsExhausted;
  std::vector<std::size_t> order = numbers(n);
  std::set<std::vector<std::vector<std::size_t>>> shapes;
  std::size_t trees = 0;
  std::size_t spanning = 0;
  do {
    for (const NodeId root : cube.nodes()) {
      if (!all && root != own.source()) continue;
      const Schedule tree = binomial_in_order(cube, root, order);
      Demand demand = own.collective().demand;
      demand.source = root;
      const Verification found = verify(cube, tree, demand, own.collective().discipline);
      shapes.insert(shape_of(depths_in(tree, root, own.nodes()), root, n > 0 ? order[0] : 0));
      ++trees;
      if (found.legal() && found.duplicates == 0) ++spanning;
    }
    if (!all) std::reverse(order.begin(), order.end());
  } while (all ? std::next_permutation(order.begin(), order.end()) : trees < 2);
  Figures figures = own.figures();
  add_tree(own, figures);
  figures["shape"] = *shapes.begin();
  figures["shapes"] = shapes.size();
  figures["trees"] = trees;
  figures["spanning"] = spanning;
  return figures;
}

}  // namespace

FigureMakers broadcast_makers() {
  return {{"broadcast", broadcast},
          {"both_ports", both_ports},
          {"one_port_optimum", one_port_optimum_figures},
          {"torus_duplicates", torus_duplicates},
          {"cube_operation", one_cube_operation},
          {"cube_operations", cube_operations},
          {"cube_delivery", cube_delivery},
          {"k_ports", k_port_broadcasts},
          {"pram", pram},
          {"binomial_trees", binomial_trees}};
}

}  // namespace flitcast::claims
