// SPDX-License-Identifier: Apache-2.0
// Machines for the first half of document 000, "One-to-all Broadcast Algorithms": lower bounds,
// and store-and-forward broadcast.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

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

// Where a broadcast starts, and how it runs.

constexpr std::size_t kMostNodesOfBroadcast = 4096;

/// A network and the node that has the packet.
struct BroadcastPlace {
  ordered_json section;  ///< The section `topology` of experiments.
  std::unique_ptr<Topology> topology;
  NodeId source{};

  bool is_grid() const { return topology_as<Grid>(*topology) != nullptr; }
  /// The one-port and all-port algorithm of the page for this network.
  const char* algorithm() const {
    if (is_grid()) return "dimension_order";
    return topology_as<Hypercube>(*topology) != nullptr ? "binomial_tree" : "doubling";
  }
};

BroadcastPlace place_of(const Section& parameters, const std::string& name) {
  BroadcastPlace place{topology_section(name, "network"), network_named(name, "network"), {}};
  if (place.topology->node_count() > kMostNodesOfBroadcast) {
    parameters.fail("network", "has more nodes than these statements are tried on",
                    fmt::format("choose at most {} nodes", kMostNodesOfBroadcast));
  }
  place.source = source_in(parameters, *place.topology);
  return place;
}

BroadcastPlace place_of(const Section& parameters) {
  return place_of(parameters, parameters.text("network"));
}

BroadcastPlace cube_place(const Section& parameters) {
  return place_of(parameters, fmt::format("Q{}", parameters.count("n")));
}

/// A broadcast on the step machine.
/// @param keys  Keys of the algorithm in YAML: "rule: seed".
VerifiedCollective broadcast_by(const BroadcastPlace& place, const std::string& algorithm,
                                unsigned ports, const std::string& keys = "") {
  return on_step_machine({*place.topology, place.source, ports}, algorithm, keys);
}

/// Adds ts, td and tm to an experiment; false if no network here has them.
bool add_costs(const Section& costs, ordered_json& experiment) {
  constexpr std::size_t kInterfaces = 5;  // Cycles of a start-up, at least, with those of a flit.
  const std::size_t startup = costs.count("ts");
  const std::size_t hop = costs.count("td");
  const std::size_t flit = costs.count("tm");
  if (hop < 2 || startup + flit < kInterfaces) return false;
  experiment["node"]["startup"] = startup;
  experiment["link"] = {{"latency", hop - 1}, {"cycles_per_flit", flit}};
  experiment["router"] = {
      {"kind", "store_and_forward"},
      {"pipeline",
       {{"route", 0}, {"vc_allocation", 0}, {"switch_allocation", 1}, {"traversal", 0}}}};
  return true;
}

/// The same broadcast on the network: `cycles` and `analytic_cycles`.
/// @param costs  The parameters ts, td, tm and m of the cost model; null: those of the network.
void add_broadcast_on_network(const BroadcastPlace& place, const std::string& algorithm,
                              unsigned ports, const VerifiedCollective& verified,
                              ordered_json& figures, const Section* costs = nullptr) {
  if (verified.verification.transmissions == 0) return;
  ordered_json further = {
      {"node", {{"ports", ports == 1 ? "one" : "all"}}},
      {"routing", {{"kind", place.is_grid() ? "dimension_order" : "shortest_path"}}}};
  ordered_json workload{{"kind", "collective"},
                        {"operation", "broadcast"},
                        {"algorithm", algorithm},
                        {"source", index(place.source)}};
  if (costs != nullptr) {
    if (!add_costs(*costs, further)) return;
    workload["length"] = costs->count("m");
  }
  add_network_figures(place.section, workload, verified, figures, further);
}

// The tree along which nodes are informed.

/// By node: how the packet first comes to it.
struct InformedNode {
  std::size_t depth = 0;
  NodeId parent{};
};

std::vector<InformedNode> tree_in(const Topology& topology, NodeId source,
                                  const Schedule& schedule) {
  std::vector<InformedNode> tree(topology.node_count());
  for (std::size_t m = 0; m < schedule.size(); ++m) {
    const Message& message = schedule.message(m);
    InformedNode& node = tree[index(message.to)];
    if (node.depth == 0 && message.to != source) {
      node = {tree[index(message.from)].depth + 1, message.from};
    }
  }
  return tree;
}

/// The numbers of nodes at depth 0, 1, ...
std::vector<std::size_t> counts_by_depth(const std::vector<std::size_t>& depths) {
  std::vector<std::size_t> counts;
  for (const std::size_t depth : depths) {
    if (depth >= counts.size()) counts.resize(depth + 1);
    ++counts[depth];
  }
  return counts;
}

std::vector<std::size_t> depths_in(const std::vector<InformedNode>& tree) {
  std::vector<std::size_t> depths;
  for (const InformedNode& node : tree) depths.push_back(node.depth);
  return depths;
}

std::vector<std::size_t> distances_in(const BroadcastPlace& place) {
  const auto found = distances_from(place.source, *place.topology, Adjacency(*place.topology));
  return {found.begin(), found.end()};
}

/// Adds the depths of nodes, and how many of them are farther from the source in the tree than in
/// the network.
void add_tree_figures(const BroadcastPlace& place, const Schedule& schedule,
                      ordered_json& figures) {
  const auto tree = tree_in(*place.topology, place.source, schedule);
  const std::vector<std::size_t> depths = depths_in(tree);
  const std::vector<std::size_t> distances = distances_in(place);
  std::size_t detours = 0;
  for (std::size_t node = 0; node < depths.size(); ++node)
    detours += depths[node] > distances[node];
  figures["nodes"] = depths.size();
  figures["depths"] = counts_by_depth(depths);
  figures["height"] = *std::max_element(depths.begin(), depths.end());
  figures["detours"] = detours;
  figures["distances"] = counts_by_depth(distances);
  figures["ecc"] = eccentricity(*place.topology, place.source);
  figures["diameter"] = measure(*place.topology).diameter;
}

/// Adds the hops from the source of a grid downwards and upwards in every dimension.
void add_reach(const BroadcastPlace& place, ordered_json& figures) {
  const auto* grid = topology_as<Grid>(*place.topology);
  if (grid == nullptr) return;
  std::vector<std::size_t> below;
  std::vector<std::size_t> above;
  for (std::size_t d = 0; d < grid->dimensions(); ++d) {
    below.push_back(line_reach(*grid, place.source, Grid::minus(d)));
    above.push_back(line_reach(*grid, place.source, Grid::plus(d)));
  }
  figures["below"] = below;
  figures["above"] = above;
}

/// Adds the links that packets cross, and cross both ways; the links between nodes at different
/// distances from the source and between nodes at equal ones.
void add_link_figures(const BroadcastPlace& place, const Schedule& schedule,
                      ordered_json& figures) {
  const Adjacency adjacency(*place.topology);
  const auto& channels = place.topology->channels();
  using End = std::pair<std::size_t, std::size_t>;  // A router and its port.
  using Link = std::pair<End, End>;
  std::map<Link, unsigned> ways;  // Bit 0: from the first end; bit 1: from the second.
  for (std::size_t m = 0; m < schedule.size(); ++m) {
    const RouterId from{index(schedule.message(m).from)};
    const Channel& channel = channels[adjacency.leaving(from, schedule.path(m)[0])];
    End one{index(channel.from.router), index(channel.from.port)};
    End other{index(channel.to.router), index(channel.to.port)};
    const unsigned way = one < other ? 1U : 2U;
    if (way == 2) std::swap(one, other);
    ways[{one, other}] |= way;
  }
  const std::vector<std::size_t> distances = distances_in(place);
  const auto inside = std::count_if(channels.begin(), channels.end(), [&](const Channel& one) {
    return distances[index(one.from.router)] == distances[index(one.to.router)];
  });
  figures["links"] = channels.size() / 2;
  figures["links_used"] = ways.size();
  figures["both_ways"] =
      std::count_if(ways.begin(), ways.end(), [](const auto& link) { return link.second == 3; });
  figures["edges_inside"] = inside / 2;
  figures["edges_between"] = (channels.size() - static_cast<std::size_t>(inside)) / 2;
}

/// Adds the nodes that are informed after round 0, 1, .., and the largest factor by which they grow
/// in a round.
void add_growth(const Verification& verification, ordered_json& figures) {
  std::vector<std::size_t> informed{1};
  double growth = 1;
  for (const std::size_t found : verification.new_per_round) {
    informed.push_back(informed.back() + found);
    const auto before = static_cast<double>(informed[informed.size() - 2]);
    growth = std::max(growth, static_cast<double>(informed.back()) / before);
  }
  figures["informed"] = informed;
  figures["growth"] = growth;
}

Figures broadcast_at(const BroadcastPlace& place, const std::string& algorithm, unsigned ports) {
  const VerifiedCollective verified = broadcast_by(place, algorithm, ports);
  const Schedule& schedule = verified.collective.plan.schedule;
  Figures figures;
  add_figures(*place.topology, verified, figures.values);
  figures.values["quiet_after"] = schedule.rounds();
  figures.values["log_term"] = ceil_log(2, place.topology->node_count());
  add_tree_figures(place, schedule, figures.values);
  add_reach(place, figures.values);
  add_link_figures(place, schedule, figures.values);
  add_growth(verified.verification, figures.values);
  add_broadcast_on_network(place, algorithm, ports, verified, figures.values);
  if (place.topology->node_count() <= kMostNodesDrawn) {
    figures.drawings.push_back(drawing_of(*place.topology, schedule));
  }
  return figures;
}

unsigned ports_of(const Section& parameters) {
  return parameters.text("ports") == "1_port" ? 1 : kAllPorts;
}

Figures broadcast(const Section& parameters) {
  const BroadcastPlace place = place_of(parameters);
  const std::string& given = parameters.text("algorithm");
  return broadcast_at(place, given == "by_network" ? place.algorithm() : given,
                      ports_of(parameters));
}

Figures cube_broadcast(const Section& parameters) {
  return broadcast_at(cube_place(parameters), "binomial_tree", ports_of(parameters));
}

Figures complete_broadcast(const Section& parameters) {
  return broadcast_at(place_of(parameters, fmt::format("K{}", parameters.count("p"))), "doubling",
                      1);
}

/// The flooding from the source, and the most rounds from any source.
Figures flooding(const Section& parameters) {
  BroadcastPlace place = place_of(parameters);
  Figures figures = broadcast_at(place, "flooding", kAllPorts);
  constexpr std::size_t kMostSources = 1024;
  if (place.topology->node_count() > kMostSources) {
    parameters.fail("network", "has more nodes than are tried as sources",
                    fmt::format("choose at most {} nodes", kMostSources));
  }
  std::size_t rounds = 0;
  for (const NodeId source : place.topology->nodes()) {
    place.source = source;
    const VerifiedCollective one = broadcast_by(place, "flooding", kAllPorts);
    rounds = std::max(rounds, one.verification.rounds);
  }
  figures.values["largest_rounds"] = rounds;
  return figures;
}

// Dimension-order trees.

constexpr const char* kDimensionOrder = "dimension_order";

/// The broadcasts of a grid: with all ports, and with one port by either rule.
struct GridBroadcasts {
  BroadcastPlace place;
  VerifiedCollective all_port;
  VerifiedCollective farthest;
  VerifiedCollective literal;

  explicit GridBroadcasts(BroadcastPlace at)
      : place(std::move(at)),
        all_port(broadcast_by(place, kDimensionOrder, kAllPorts)),
        farthest(broadcast_by(place, kDimensionOrder, 1)),
        literal(broadcast_by(place, kDimensionOrder, 1, "rule: seed")) {}

  std::size_t faults() const {
    return all_port.verification.faults + farthest.verification.faults +
           literal.verification.faults;
  }
  std::size_t bound(const VerifiedCollective& verified) const {
    const auto& [demand, discipline, plan] = verified.collective;
    return lower_bound(*place.topology, demand, discipline).rounds;
  }
};

/// The cycles of the network for both port models; a run that is not as predicted is a fault.
void add_grid_cycles(const GridBroadcasts& all, ordered_json& figures, const Section* costs) {
  for (const unsigned ports : {kAllPorts, 1U}) {
    const VerifiedCollective& verified = ports == 1 ? all.farthest : all.all_port;
    ordered_json found{{"faults", 0}};
    add_broadcast_on_network(all.place, kDimensionOrder, ports, verified, found, costs);
    if (!found.contains("cycles")) continue;
    figures[ports == 1 ? "one_port_cycles" : "all_port_cycles"] = found["cycles"];
    figures["faults"] = figures["faults"].get<std::size_t>() + found["faults"].get<std::size_t>();
  }
}

Figures grid_broadcasts(const Section& parameters) {
  const GridBroadcasts all(place_of(parameters));
  Figures figures{{{"all_port", all.all_port.verification.rounds},
                   {"one_port", all.farthest.verification.rounds},
                   {"literal", all.literal.verification.rounds},
                   {"all_port_bound", all.bound(all.all_port)},
                   {"one_port_bound", all.bound(all.farthest)},
                   {"faults", all.faults()},
                   {"ecc", eccentricity(*all.place.topology, all.place.source)},
                   {"diameter", measure(*all.place.topology).diameter},
                   {"new", all.farthest.verification.new_per_round}}};
  add_reach(all.place, figures.values);
  add_grid_cycles(all, figures.values, nullptr);
  if (all.place.topology->node_count() <= kMostNodesDrawn) {
    for (const VerifiedCollective* one : {&all.all_port, &all.farthest}) {
      const Schedule& schedule = one->collective.plan.schedule;
      figures.drawings.push_back(drawing_of(*all.place.topology, schedule));
    }
  }
  return figures;
}

/// The fewest rounds with one port, as far as they are known, beside those of the trees.
Figures one_port_optimum_figures(const Section& parameters) {
  const BroadcastPlace place = place_of(parameters);
  const Topology& topology = *place.topology;
  const VerifiedCollective all =
      broadcast_by(place, place.is_grid() ? kDimensionOrder : "flooding", kAllPorts);
  const VerifiedCollective one = broadcast_by(place, place.algorithm(), 1);
  const auto& [demand, discipline, plan] = one.collective;
  const std::size_t ecc = eccentricity(topology, place.source);
  const OnePortOptimum found = one_port_optimum(
      topology, place.source, lower_bound(topology, demand, discipline).rounds, plan.schedule);
  const Verification best = verify(topology, found.best, demand, discipline);
  Figures figures{{{"ecc", ecc},
                   {"bound", std::max(ecc, ceil_log(2, topology.node_count()))},
                   {"all_port", all.verification.rounds},
                   {"one_port", one.verification.rounds},
                   {"at_least", found.at_least},
                   {"found", best.rounds},
                   {"known", found.is_known()},
                   {"optimum", found.is_known() ? ordered_json(best.rounds) : "not known"},
                   {"new", best.new_per_round},
                   {"faults", all.verification.faults + one.verification.faults + best.faults}}};
  add_reach(place, figures.values);
  if (topology.node_count() <= kMostNodesDrawn) {
    figures.drawings.push_back(drawing_of(topology, found.best));
  }
  return figures;
}

/// The times of the same broadcasts by the cost model, and on the network.
Figures grid_times(const Section& parameters) {
  const GridBroadcasts all(place_of(parameters));
  const CostModel cost{parameters.count("ts"), parameters.count("td"), parameters.count("tm"),
                       parameters.count("m")};
  const auto time_of = [&](const VerifiedCollective& one) {
    return analytic_cycles(cost, Switching::kStoreAndForward, one.verification);
  };
  Figures figures{{{"all_port", time_of(all.all_port)},
                   {"one_port", time_of(all.farthest)},
                   {"literal", time_of(all.literal)},
                   {"step", message_cycles(cost, Switching::kStoreAndForward, 1)},
                   {"diameter", measure(*all.place.topology).diameter},
                   {"faults", all.faults()}}};
  add_grid_cycles(all, figures.values, &parameters);
  return figures;
}

/// The channels that copies cross where routers pass the packet on and stop it by a rule.
std::size_t crossings_by_routers(const BroadcastPlace& place, const char* stop) {
  constexpr std::size_t kLength = 4;
  const ordered_json result = run_on_network({{"topology", place.section},
                                              {"router", {{"kind", "store_and_forward"}}},
                                              {"routing", {{"kind", kDimensionOrder}}},
                                              {"node", {{"ports", "all"}}},
                                              {"workload",
                                               {{"kind", "collective"},
                                                {"operation", "broadcast"},
                                                {"algorithm", kDimensionOrder},
                                                {"forwarding", "routers"},
                                                {"stop", stop},
                                                {"length", kLength},
                                                {"source", index(place.source)}}}});
  const std::size_t passages = result.at("flits").at("hops").get<std::size_t>() / kLength;
  return passages - result.at("packets").at("copies").get<std::size_t>();  // Ejections.
}

/// The duplicates on a torus, and the copies of the packet in the network with either remedy.
Figures torus_duplicates(const Section& parameters) {
  const BroadcastPlace place = place_of(parameters);
  Figures figures;
  std::vector<std::size_t> transmissions;
  std::size_t faults = 0;
  for (const char* stop : {"never", "hop_counter", "source_address"}) {
    const VerifiedCollective one =
        broadcast_by(place, kDimensionOrder, kAllPorts, fmt::format("stop: {}", stop));
    const bool without = std::string(stop) == "never";
    figures.values[without ? "without" : stop] = one.verification.duplicates;
    transmissions.push_back(one.verification.transmissions);
    faults += one.verification.faults;
    if (without) continue;
    const bool alone = place.topology->node_count() == 1;
    figures.values[fmt::format("{}_crossings", stop)] =
        alone ? 0 : crossings_by_routers(place, stop);
  }
  figures.values["transmissions"] = transmissions;
  figures.values["faults"] = faults;
  return figures;
}

// The four operations of the lemma on lower bounds.

struct CubeOperation {
  const char* name;
  Operation operation;
  const char* algorithm;
};
constexpr CubeOperation kCubeOperations[] = {
    {"one_to_all_broadcast", Operation::kBroadcast, "binomial_tree"},
    {"all_to_all_broadcast", Operation::kGossip, "cube_classes"},
    {"one_to_all_scatter", Operation::kScatter, "cube_classes"},
    {"all_to_all_scatter", Operation::kAllToAllScatter, "cube_colouring"}};

VerifiedCollective cube_operation_by(const CubeOperation& one, const Hypercube& cube) {
  return on_step_machine({cube, NodeId{}, kAllPorts, one.operation}, one.algorithm);
}

Figures cube_operation(const Section& parameters) {
  const Hypercube cube(parameters.count("n"));
  Figures figures;
  for (const CubeOperation& one : kCubeOperations) {
    if (parameters.text("operation") != one.name) continue;
    const VerifiedCollective verified = cube_operation_by(one, cube);
    const Schedule& schedule = verified.collective.plan.schedule;
    add_figures(cube, verified, figures.values);
    std::vector<std::size_t> hops;
    for (std::size_t r = 0; r < schedule.rounds(); ++r) hops.push_back(schedule.messages(r).size());
    figures.values["hops"] = verified.verification.transmissions;
    figures.values["hops_per_round"] = hops;
    figures.values["capacity"] = cube.channels().size();
  }
  return figures;
}

/// Rounds and transmissions of all four operations.
Figures cube_operations(const Section& parameters) {
  const Hypercube cube(parameters.count("n"));
  Figures figures;
  std::vector<std::size_t> rounds;
  std::vector<std::size_t> transmissions;
  std::vector<std::size_t> bounds;
  std::size_t faults = 0;
  for (const CubeOperation& one : kCubeOperations) {
    const VerifiedCollective verified = cube_operation_by(one, cube);
    ordered_json found;
    add_figures(cube, verified, found);
    rounds.push_back(verified.verification.rounds);
    transmissions.push_back(verified.verification.transmissions);
    bounds.push_back(found.at("lower_bound"));
    faults += verified.verification.faults;
  }
  figures.values = {{"rounds", rounds},
                    {"transmissions", transmissions},
                    {"lower_bounds", bounds},
                    {"faults", faults}};
  return figures;
}

/// By round: the messages for which `counts` is true.
template <class Condition>
std::vector<std::size_t> per_round(const Schedule& schedule, const Condition& counts) {
  std::vector<std::size_t> found;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    const Messages messages = schedule.messages(round);
    found.push_back(
        static_cast<std::size_t>(std::count_if(messages.begin(), messages.end(), counts)));
  }
  return found;
}

/// What nodes receive in broadcasts, and the source sends in a scatter of its own chunks, by round.
Figures cube_delivery(const Section& parameters) {
  const Hypercube cube(parameters.count("n"));
  const auto schedule_of = [&](std::size_t operation) {
    return cube_operation_by(kCubeOperations[operation], cube).collective.plan.schedule;
  };
  const Schedule broadcast = schedule_of(0);
  const Schedule gossip = schedule_of(1);
  const Schedule scatter = schedule_of(2);
  const auto received_by = [&](NodeId node) {
    return per_round(gossip, [node](const Message& one) { return one.to == node; });
  };
  const std::vector<std::size_t> receipts = received_by(NodeId{});
  std::size_t alike = 0;
  for (const NodeId node : cube.nodes()) alike += received_by(node) == receipts;
  const auto injections =
      per_round(scatter, [](const Message& one) { return one.from == NodeId{}; });
  const auto full =
      static_cast<std::size_t>(std::count(receipts.begin(), receipts.end(), cube.dimension()));
  const std::size_t packets = std::accumulate(receipts.begin(), receipts.end(), std::size_t{0});
  return {{{"packets", packets},
           {"broadcast_receipts", broadcast.size()},
           {"receipts", receipts},
           {"nodes_alike", alike},
           {"injections", injections},
           {"full_rounds", full},
           {"rest", packets - full * cube.dimension()}}};
}

Figures cube_distances(const Section& parameters) {
  const BroadcastPlace place = cube_place(parameters);
  const std::vector<std::size_t> distances = distances_in(place);
  return {{{"counts", counts_by_depth(distances)},
           {"sum", std::accumulate(distances.begin(), distances.end(), std::size_t{0})}}};
}

// Ports.

/// A broadcast on a complete network in which every informed node sends to k others in a round.
Schedule growing_k_plus_1_fold(std::size_t nodes, NodeId source, std::size_t k) {
  Schedule schedule;
  const auto node = [&](std::size_t rank) { return to_id<NodeId>((index(source) + rank) % nodes); };
  for (std::size_t informed = 1; informed < nodes; informed *= k + 1) {
    schedule.begin_round();
    for (std::size_t to = informed; to < std::min(nodes, informed * (k + 1)); ++to) {
      const PortId output{static_cast<std::uint16_t>(to - to % informed - 1)};
      schedule.add(node(to % informed), node(to), ChunkId{0}, output);
    }
  }
  return schedule;
}

/// The rounds of a broadcast on nodes with k ports: on complete networks by (k+1)-fold growth, on
/// others by flooding if k are all ports, and otherwise by the one-port algorithm of the page.
Verification with_ports(const BroadcastPlace& place, std::size_t k) {
  const std::size_t nodes = place.topology->node_count();
  const auto ports = static_cast<unsigned>(k);
  VerifiedCollective found =
      k >= degree(*place.topology) && topology_as<Complete>(*place.topology) == nullptr
          ? broadcast_by(place, "flooding", kAllPorts)
          : broadcast_by(place, place.algorithm(), 1);
  Schedule& schedule = found.collective.plan.schedule;
  if (topology_as<Complete>(*place.topology) != nullptr) {
    schedule = growing_k_plus_1_fold(nodes, place.source, k);
  }
  return verify(*place.topology, schedule, found.collective.demand,
                {Switching::kStoreAndForward, ports});
}

/// A single number instead of a list of one.
ordered_json one_or_list(const std::vector<std::size_t>& values) {
  return values.size() == 1 ? ordered_json(values[0]) : ordered_json(values);
}

/// The numbers of ports that are tried: those given, or 1, 2, 3 and all.
std::set<std::size_t> port_counts(const Section& parameters, const Topology& topology) {
  const std::vector<std::size_t> given = counts_of(parameters, "k");
  if (!given.empty()) return {given.begin(), given.end()};
  std::set<std::size_t> counts;
  const std::size_t all = degree(topology);
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}, std::size_t{3}, all}) {
    counts.insert(std::min(k, all));
  }
  return counts;
}

Figures k_port_bounds(const Section& parameters) {
  const BroadcastPlace place = place_of(parameters);
  const std::size_t ecc = eccentricity(*place.topology, place.source);
  std::vector<std::size_t> terms;
  std::vector<std::size_t> bounds;
  std::vector<std::size_t> rounds;
  std::size_t faults = 0;
  double growth = 0;  // The growth in a round, in relation to k + 1.
  for (const std::size_t k : port_counts(parameters, *place.topology)) {
    const Verification found = with_ports(place, k);
    ordered_json grown;
    add_growth(found, grown);
    growth = std::max(growth, grown["growth"].get<double>() / static_cast<double>(k + 1));
    terms.push_back(ceil_log(k + 1, place.topology->node_count()));
    bounds.push_back(std::max(ecc, terms.back()));
    rounds.push_back(found.rounds);
    faults += found.faults;
  }
  std::size_t late = 0;
  std::size_t early = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    late += rounds[i] - std::min(rounds[i], bounds[i]);
    early += bounds[i] - std::min(rounds[i], bounds[i]);
  }
  return {{{"ecc", ecc},
           {"log_term", one_or_list(terms)},
           {"bound", one_or_list(bounds)},
           {"rounds", one_or_list(rounds)},
           {"rounds_above", late},
           {"rounds_below", early},
           {"growth_by_ports", growth},
           {"faults", faults}}};
}

// The PRAM.

Figures pram(const Section& parameters) {
  const std::size_t p = parameters.count("p");
  const PramProgram program = pram_broadcast(p, parameters.count("source"));
  const PramOutcome outcome = run_erew(program, p);
  std::vector<std::size_t> fresh;
  std::vector<std::string> accesses;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> reads;  // By step and cell.
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> writes;
  std::size_t all_reads = 0;
  std::size_t most_reads = 0;
  std::size_t most_writes = 0;
  for (std::size_t step = 0; step < program.size(); ++step) {
    if (step > 0) fresh.push_back(program[step].size());
    for (const PramAccess& one : program[step]) {
      if (one.reads) {
        ++all_reads;
        most_reads = std::max(most_reads, ++reads[{step, *one.reads}]);
      }
      most_writes = std::max(most_writes, ++writes[{step, one.writes}]);
      accesses.push_back(fmt::format("{}:P{}:{}>{}", step, one.processor,
                                     one.reads ? std::to_string(*one.reads) : "", one.writes));
    }
  }
  std::vector<std::size_t> copies{1};
  for (const std::size_t found : fresh) copies.push_back(copies.back() + found);
  return {{{"steps", outcome.steps - 1},
           {"steps_with_write", outcome.steps},
           {"new", fresh},
           {"copies", copies},
           {"written", std::count(outcome.written.begin(), outcome.written.end(), true)},
           {"reads", all_reads},
           {"writes", accesses.size()},
           {"largest_reads", most_reads},
           {"largest_writes", most_writes},
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
    std::vector<PortId> outputs;
    for (; first != order.end(); ++first) outputs.push_back(to_id<PortId>(*first));
    return outputs;
  });
}

/// The depths below the root of those nodes whose coordinate in a dimension is, or is not, the
/// root's.
std::vector<std::size_t> half_of(const std::vector<std::size_t>& depths, NodeId root,
                                 std::size_t dimension, bool with_root) {
  std::vector<std::size_t> found;
  for (std::size_t node = 0; node < depths.size(); ++node) {
    const bool beside_root = ((node ^ index(root)) >> dimension & 1U) == 0;
    if (beside_root == with_root) found.push_back(depths[node] - (with_root ? 0 : 1));
  }
  return counts_by_depth(found);
}

/// The roots and the orders that are tried: all for n <= 4, otherwise the given root with
/// ascending and descending dimensions.
Figures binomial_structure(const Section& parameters) {
  const BroadcastPlace place = cube_place(parameters);
  const auto& cube = family_of<Hypercube>({*place.topology});
  const std::size_t n = cube.dimension();
  constexpr std::size_t kMostDimensionsExhausted = 4;
  const bool all = n <= kMostDimensionsExhausted;
  const VerifiedCollective own = broadcast_by(place, "binomial_tree", kAllPorts);
  const Schedule& schedule = own.collective.plan.schedule;
  const auto depths = depths_in(tree_in(cube, place.source, schedule));
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t trees = 0;
  std::size_t spanning = 0;
  do {
    for (const NodeId root : cube.nodes()) {
      if (!all && root != place.source) continue;
      const Schedule tree = binomial_in_order(cube, root, order);
      Demand demand = own.collective.demand;
      demand.source = root;
      const Verification found = verify(cube, tree, demand, own.collective.discipline);
      const auto other = depths_in(tree_in(cube, root, tree));
      bool is_one = found.legal() && found.duplicates == 0;
      is_one &= counts_by_depth(other) == counts_by_depth(depths);
      if (n > 0)
        is_one &= half_of(other, root, order[0], true) == half_of(other, root, order[0], false);
      ++trees;
      if (is_one) ++spanning;
    }
    if (!all) std::reverse(order.begin(), order.end());
  } while (all ? std::next_permutation(order.begin(), order.end()) : trees < 2);
  Figures figures{{{"nodes", cube.node_count()},
                   {"depths", counts_by_depth(depths)},
                   {"height", *std::max_element(depths.begin(), depths.end())},
                   {"degree", schedule.rounds() == 0 ? 0 : schedule.messages(0).size()},
                   {"trees", trees},
                   {"spanning", spanning}}};
  if (n > 0) {
    figures.values["half"] = half_of(depths, place.source, 0, true);
    figures.values["other_half"] = half_of(depths, place.source, 0, false);
  }
  if (cube.node_count() <= kMostNodesDrawn) figures.drawings.push_back(drawing_of(cube, schedule));
  return figures;
}

/// The receipts per round of both port models.
Figures binomial_sums(const Section& parameters) {
  const BroadcastPlace place = cube_place(parameters);
  const Verification one = broadcast_by(place, "binomial_tree", 1).verification;
  const Verification all = broadcast_by(place, "binomial_tree", kAllPorts).verification;
  return {{{"one_port_new", one.new_per_round},
           {"all_port_new", all.new_per_round},
           {"transmissions", {one.transmissions, all.transmissions}}}};
}

}  // namespace

std::vector<Machine> broadcast_machines() {
  const auto cycles = [](const char* key, double least) {
    return Param::integer(key, "", "Of the cost model: ts, td, tm, and m flits.", least, 4000);
  };
  const Param network = Param::text("network", "T(4,5), M(3,3,4), Q5 or K8.");
  const Param source =
      Param::integers("source", "", "The source: a node, or its coordinates.", 0).defaults_to(0);
  const Param from = Param::choice("from", "Where it starts.", {"given", "centre"});
  const Param ports = Param::choice("ports", "Ports of a node.", {"all_port", "1_port"});
  const Param algorithm =
      Param::choice("algorithm", "The algorithm.",
                    {"by_network", "flooding", "binomial_tree", "dimension_order", "doubling"});
  const Param n = Param::integer("n", "", "Dimensions of the hypercube.", 0, 12);
  const Param p = Param::integer("p", "", "Processors, or nodes.", 1, 128);
  const Param operation = Param::choice("operation", "The operation.",
                                        {kCubeOperations[0].name, kCubeOperations[1].name,
                                         kCubeOperations[2].name, kCubeOperations[3].name});
  const Param dimensions = Param::integer("n", "", "Dimensions of the hypercube.", 1, 9);
  return {
      {"broadcast",
       "A store-and-forward broadcast along a tree.",
       {network, source, from, ports, algorithm},
       broadcast},
      {"grid_broadcasts",
       "Dimension-order trees with all ports and with one.",
       {network, source, from},
       grid_broadcasts},
      {"one_port_optimum",
       "The fewest rounds with one port.",
       {network, source, from},
       one_port_optimum_figures},
      {"grid_times",
       "The times of dimension-order trees.",
       {network, source, from, cycles("ts", 0), cycles("td", 0), cycles("tm", 1), cycles("m", 1)},
       grid_times},
      {"torus_duplicates",
       "Copies that meet on a torus.",
       {network, source, from},
       torus_duplicates},
      {"flooding", "Flooding, from every source.", {network, source, from}, flooding},
      {"cube_broadcast", "A broadcast on a hypercube.", {n, source, ports}, cube_broadcast},
      {"complete_broadcast", "Doubling on a complete network.", {p, source}, complete_broadcast},
      {"cube_operation", "An operation on a hypercube.", {dimensions, operation}, cube_operation},
      {"cube_operations", "Four operations on a hypercube.", {dimensions}, cube_operations},
      {"cube_delivery", "Receipts and injections by round.", {dimensions}, cube_delivery},
      {"cube_distances", "Nodes by distance.", {n, source}, cube_distances},
      {"k_port_bounds",
       "Broadcasts on nodes with k ports.",
       {network, source, from,
        Param::integers("k", "", "Ports of a node; none: 1, 2, 3 and all.", 1)
            .defaults_to(ordered_json::array())},
       k_port_bounds},
      {"pram",
       "Doubling on a PRAM.",
       {Param::integer("p", "", "Processors.", 1, 4096),
        Param::integer("source", "", "The processor that writes first.", 0).defaults_to(0)},
       pram},
      {"binomial_structure", "Spanning binomial trees.", {n, source}, binomial_structure},
      {"binomial_sums", "Spanning binomial trees for both ports.", {n, source}, binomial_sums},
  };
}

}  // namespace flitcast::claims
