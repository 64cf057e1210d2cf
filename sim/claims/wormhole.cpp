// SPDX-License-Identifier: Apache-2.0
// Machines for the second half of document 000: wormhole broadcast. Dimension 0 of a grid counts
// columns, dimension 1 rows; the node (x, y) has the number x + n1 y.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "collective/broadcast/builders.h"
#include "collective/broadcast/dilated_diagonal.h"
#include "collective/broadcast/double_tree.h"
#include "collective/broadcast/extended_dominating_nodes.h"
#include "collective/cost.h"
#include "collective/paths.h"
#include "sim/claims/statement.h"
#include "sim/claims/trials.h"
#include "sim/results/drawing.h"
#include "topology/adjacency.h"
#include "topology/catalog.h"
#include "topology/hypercube.h"

namespace flitcast::claims {
namespace {

/// The most messages of a wormhole broadcast that is run on the network.
constexpr std::size_t kMostWormsRun = 4200;

/// A broadcast from a node of a network, as the step machine has verified it.
struct WormBroadcast {
  ordered_json section;  ///< The section `topology` of experiments.
  std::unique_ptr<Topology> topology;
  NodeId source{};
  unsigned ports = kAllPorts;
  std::string algorithm;
  VerifiedCollective verified;

  const Grid& grid() const { return dynamic_cast<const Grid&>(*topology); }
  const Schedule& schedule() const { return verified.collective.plan.schedule; }
  const Verification& found() const { return verified.verification; }
};

bool is_grid(const Topology& topology) { return dynamic_cast<const Grid*>(&topology) != nullptr; }

/// The network of the parameters: `network`, or the torus of 5^k x 5^k or the mesh of 4^k x 4^k, or
/// the hypercube of n dimensions. Three-way splitting of T(9) is that of the narrow torus T(9,1).
std::string worm_network(const Section& parameters, const std::string& algorithm) {
  if (parameters.has("n")) return fmt::format("Q{}", parameters.count("n"));
  std::string name = parameters.text("network");
  if (!is_grid(*network_named(name, "network"))) {
    parameters.fail("network", "is no grid", "take a mesh or a torus, M(4,8) or T(5,5)");
  }
  if (algorithm == "three_way" && name.find(',') == std::string::npos) {
    return name.replace(name.size() - 1, 1, ",1)");
  }
  const std::size_t k = parameters.has("k") ? parameters.count("k") : 0;
  if (k == 0) return name;
  const bool tiles = algorithm != "extended_dominating_nodes";
  std::size_t side = 1;
  for (std::size_t i = 0; i < k; ++i) side *= tiles ? 5 : 4;
  return fmt::format("{}({},{})", tiles ? 'T' : 'M', side, side);
}

WormBroadcast broadcast_on(const std::string& name, NodeId source, const std::string& algorithm,
                           unsigned ports) {
  std::unique_ptr<Topology> topology = network_named(name, "network");
  const std::string used = algorithm == "three_way" ? "dilated_diagonal"
                           : algorithm == "tiling"  ? "recursive_tiling"
                                                    : algorithm;
  VerifiedCollective verified = on_step_machine({*topology, source, ports}, used);
  return {topology_section(name, "network"),
          std::move(topology),
          source,
          ports,
          used,
          std::move(verified)};
}

WormBroadcast worm_broadcast(const Section& parameters, const std::string& algorithm) {
  const std::string name = worm_network(parameters, algorithm);
  const NodeId source = source_in(parameters, *network_named(name, "network"));
  return broadcast_on(name, source, algorithm,
                      parameters.text("ports") == "1_port" ? 1 : kAllPorts);
}

/// The time by the cost model of the parameters.
std::uint64_t worm_time(const Section& costs, Switching switching, const Verification& found) {
  return analytic_cycles(
      {costs.count("ts"), costs.count("td"), costs.count("tm"), costs.count("m")}, switching,
      found);
}

/// Adds the time on the network with the costs of the parameters, as a figure with this name. Long
/// broadcasts, and hops below 2 cycles, get none. Where the time is not that of the cost model
/// there is a fault more.
void add_run(const Section& costs, const WormBroadcast& broadcast, const std::string& router,
             const std::string& name, ordered_json& figures) {
  const std::size_t td = costs.count("td");
  if (broadcast.schedule().size() > kMostWormsRun || td < 2) return;
  const bool tiles = broadcast.algorithm == "recursive_tiling";
  const bool grid = is_grid(*broadcast.topology);
  ordered_json run{{"faults", figures["faults"]}};
  add_network_figures(
      broadcast.section,
      {{"kind", "collective"},
       {"operation", "broadcast"},
       {"algorithm", broadcast.algorithm},
       {"source", index(broadcast.source)},
       {"length", costs.count("m")}},
      broadcast.verified, run,
      {{"router",
        {{"kind", router},
         {"virtual_channels", grid ? 4 : 1},
         {"buffer_depth", router == "wormhole" ? 2 * td + 16 : 4},
         {"pipeline",
          {{"route", 0}, {"vc_allocation", 0}, {"switch_allocation", 1}, {"traversal", 0}}}}},
       {"link", {{"latency", td - 1}, {"cycles_per_flit", costs.count("tm")}}},
       {"routing",
        {{"kind", !grid   ? "e_cube"
                  : tiles ? "o1turn"
                          : "dimension_order"}}},
       {"node",
        {{"ports", broadcast.ports == 1 ? "one" : "all"}, {"startup", costs.count("ts")}}}});
  figures[name] = run["cycles"];
  figures["faults"] = run["faults"];
}

/// By round: the messages as "from->to", with all nodes shifted upwards round a ring.
ordered_json sends_of(const WormBroadcast& broadcast, std::size_t shift = 0) {
  ordered_json sends = ordered_json::array();
  const std::size_t nodes = broadcast.topology->node_count();
  for (std::size_t round = 0; round < broadcast.schedule().rounds(); ++round) {
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (const Message& message : broadcast.schedule().messages(round)) {
      pairs.insert({(index(message.from) + shift) % nodes, (index(message.to) + shift) % nodes});
    }
    sends.push_back(ordered_json::array());
    for (const auto& [from, to] : pairs) sends.back().push_back(fmt::format("{}->{}", from, to));
  }
  return sends;
}

/// The figures of the step machine, the informed nodes before round 1 and after every round, and
/// two bounds: by counting informed nodes, and also the nodes that dimension order can reach.
Figures worm_figures(const WormBroadcast& broadcast) {
  const VerifiedCollective& verified = broadcast.verified;
  Figures figures;
  add_figures(*broadcast.topology, verified, figures.values);
  std::vector<std::size_t> informed{1};
  for (const std::size_t news : broadcast.found().new_per_round) {
    informed.push_back(informed.back() + news);
  }
  figures.values["informed"] = informed;
  figures.values["nodes"] = broadcast.topology->node_count();
  figures.values["bound"] = figures.values["lower_bound"];
  figures.values["bound_in_order"] = lower_bound(*broadcast.topology, verified.collective.demand,
                                                 verified.collective.discipline, true)
                                         .rounds;
  if (informed.back() <= 64) figures.values["sends"] = sends_of(broadcast);
  if (informed.back() <= kMostNodesDrawn) {
    figures.drawings.push_back(drawing_of(*broadcast.topology, broadcast.schedule()));
  }
  return figures;
}

std::set<NodeId> senders_of(const Schedule& schedule, std::size_t round) {
  std::set<NodeId> senders;
  for (const Message& message : schedule.messages(round)) senders.insert(message.from);
  return senders;
}

/// Adds the phases of a broadcast that goes one dimension after the other: rounds, informed nodes
/// and senders of each, and the nodes informed outside of the submesh that the phase should inform.
void add_dimension_phases(const WormBroadcast& broadcast, ordered_json& figures) {
  const Grid& grid = broadcast.grid();
  const Schedule& schedule = broadcast.schedule();
  std::vector<std::size_t> rounds(grid.dimensions());
  std::vector<std::size_t> informed(grid.dimensions(), 1);
  std::vector<std::size_t> sources(grid.dimensions());
  std::size_t outside = 0;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    const std::size_t dimension = index(schedule.path(schedule.begin(round))[0]) / 2;
    if (rounds[dimension]++ == 0) sources[dimension] = senders_of(schedule, round).size();
    for (std::size_t d = dimension; d < grid.dimensions(); ++d) {
      informed[d] = 1 + schedule.end(round);
    }
    for (const Message& message : schedule.messages(round)) {
      for (std::size_t d = dimension + 1; d < grid.dimensions(); ++d) {
        if (grid.coordinate(message.to, d) != grid.coordinate(broadcast.source, d)) ++outside;
      }
    }
  }
  figures["phase_rounds"] = rounds;
  figures["phase_informed"] = informed;
  figures["phase_sources"] = sources;
  figures["outside"] = outside;
}

/// A broadcast on the step machine and on the network, with its time with wormhole routers and, as
/// `time_sf`, with routers that store messages.
Figures wormhole_broadcast(const Section& parameters) {
  const WormBroadcast broadcast = worm_broadcast(parameters, parameters.text("algorithm"));
  Figures figures = worm_figures(broadcast);
  figures.values["time"] = worm_time(parameters, Switching::kWormhole, broadcast.found());
  figures.values["time_sf"] = worm_time(parameters, Switching::kStoreAndForward, broadcast.found());
  add_run(parameters, broadcast, "wormhole", "cycles", figures.values);
  if (broadcast.algorithm == "binomial_tree") {
    add_run(parameters, broadcast, "store_and_forward", "cycles_sf", figures.values);
  }
  if (is_grid(*broadcast.topology)) figures.values["z"] = broadcast.topology->node_grid();
  if (broadcast.algorithm == "recursive_doubling") add_dimension_phases(broadcast, figures.values);
  return figures;
}

/// Both one-port algorithms for meshes. Chain halving uses the links of a mesh, which tori have,
/// too.
Figures halvings(const Section& parameters) {
  const WormBroadcast lines = worm_broadcast(parameters, "recursive_doubling");
  std::string mesh_name = worm_network(parameters, "");
  mesh_name[0] = 'M';
  const WormBroadcast chains = broadcast_on(mesh_name, lines.source, "chain_halving", 1);
  Figures figures = worm_figures(lines);
  figures.values["z"] = lines.topology->node_grid();
  figures.values["diameter"] = measure(*lines.topology).diameter;
  figures.values["dimension_by_dimension"] = lines.found().rounds;
  figures.values["chain_halving"] = chains.found().rounds;
  figures.values["faults"] = lines.found().faults + chains.found().faults;
  add_run(parameters, lines, "wormhole", "cycles", figures.values);
  add_run(parameters, chains, "wormhole", "cycles_of_chains", figures.values);
  return figures;
}

// Hypercubes.

/// The rounds of both algorithms for all ports, on the step machine up to 12 dimensions and by the
/// recursion beyond, and the two bounds of worm_figures().
Figures cube_bounds(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const Hypercube cube(n);
  const Demand demand{Operation::kBroadcast, cube.node_count()};
  const Discipline worms{Switching::kWormhole, kAllPorts};
  const std::size_t in_order = lower_bound(cube, demand, worms, true).rounds;
  std::size_t faults = 0;
  const auto rounds = [&](const char* algorithm, std::size_t by_recursion) {
    if (n > 12) return by_recursion;
    const Verification found = on_step_machine({cube}, algorithm).verification;
    faults += found.faults;
    return found.rounds;
  };
  const std::size_t dta = rounds("double_tree", double_tree_rounds(n));
  const std::size_t ho_kao = rounds("ho_kao", ho_kao_rounds(n));
  Figures figures{{{"faults", faults},
                   {"DTA", dta},
                   {"Ho_Kao", ho_kao},
                   {"bound", lower_bound(cube, demand, worms).rounds},
                   {"bound_in_order", in_order},
                   {"optimum", "open"}}};
  if (std::min(dta, ho_kao) == in_order) figures.values["optimum"] = in_order;
  for (std::size_t m = 7; m <= 20; ++m) figures.values["table"].push_back(ho_kao_rounds(m));
  return figures;
}

/// The ascending path from a node: the e-cube paths to its nodes, the nodes that these share, and
/// the parts of the cube along it.
Figures ascending_path(const Section& parameters) {
  const Hypercube cube(parameters.count("n"));
  const NodeId source = source_in(parameters, cube);
  const auto all = static_cast<std::uint32_t>(cube.node_count() - 1);
  const std::vector<Subcube> parts = parts_along_path({source, all});
  std::vector<std::size_t> passed(cube.node_count());  // By node: the paths through it.
  std::vector<std::size_t> part_of(cube.node_count(), parts.size());
  std::vector<std::size_t> hops;
  std::vector<std::size_t> sizes(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto [root, dimensions] = parts[p];
    const std::vector<PortId> path = e_cube_path(cube, source, root);
    if (p > 0) hops.push_back(path.size());
    std::size_t at = index(source);
    for (const PortId port : path) ++passed[at ^= std::size_t{1} << index(port)];
    for (std::uint32_t node = 0; node <= all; ++node) {
      if (((node ^ index(root)) & ~dimensions) != 0) continue;
      part_of[node] = p;
      ++sizes[p];
    }
  }
  const auto alone = [](std::size_t paths) { return paths <= 1; };
  const auto left = std::count(part_of.begin(), part_of.end(), parts.size());
  Figures figures{{{"messages", hops.size()}, {"hops", hops}}};
  figures.values["shared"] = passed.size() - std::count_if(passed.begin(), passed.end(), alone);
  figures.values["part_sizes"] = sizes;
  figures.values["covered"] = part_of.size() - left;
  if (part_of.size() > kMostNodesDrawn) return figures;
  Drawing drawing;
  const Layout layout = cube.layout();
  for (std::uint32_t node = 0; node <= all; ++node) {
    drawing.node(layout[node], std::to_string(part_of[node]), part_of[node]);
  }
  figures.drawings.push_back(drawing.svg("Parts of " + cube.name()));
  return figures;
}

/// The binomial tree with routers that store messages, and the double tree with wormhole routers.
Figures double_tree_speedup(const Section& parameters) {
  const WormBroadcast one = worm_broadcast(parameters, "binomial_tree");
  const WormBroadcast two = worm_broadcast(parameters, "double_tree");
  Figures figures{{{"faults", one.found().faults + two.found().faults}}};
  figures.values["time_sbt"] = worm_time(parameters, Switching::kStoreAndForward, one.found());
  figures.values["time_dta"] = worm_time(parameters, Switching::kWormhole, two.found());
  add_run(parameters, one, "store_and_forward", "cycles_sbt", figures.values);
  add_run(parameters, two, "wormhole", "cycles_dta", figures.values);
  return figures;
}

// Rings.

/// Broadcasts on a ring: with wormhole routers, beside that on a line from its end, and with
/// routers that store messages.
Figures ring_broadcasts(const Section& parameters) {
  const WormBroadcast ring = worm_broadcast(parameters, "recursive_doubling");
  const std::string size = fmt::format("({})", ring.topology->node_count());
  const WormBroadcast line = broadcast_on("M" + size, NodeId{}, "recursive_doubling", 1);
  Figures figures = worm_figures(ring);
  const ordered_json ring_sends = sends_of(ring);
  const ordered_json line_sends = sends_of(line, index(ring.source));
  std::size_t differing = 0;
  for (std::size_t round = 0; round < ring_sends.size(); ++round) {
    if (ring_sends[round] != line_sends[round]) ++differing;
  }
  figures.values["ring_sends"] = ring_sends;
  figures.values["line_sends"] = line_sends;
  figures.values["differing"] = differing;
  figures.values["time_wh"] = worm_time(parameters, Switching::kWormhole, ring.found());
  for (const std::string ports : {"all_port", "one_port"}) {
    const WormBroadcast stored = broadcast_on("T" + size, ring.source, "dimension_order",
                                              ports == "one_port" ? 1 : kAllPorts);
    figures.values["rounds_" + ports] = stored.found().rounds;
    figures.values[ports] = worm_time(parameters, Switching::kStoreAndForward, stored.found());
    add_run(parameters, stored, "store_and_forward", "cycles_" + ports, figures.values);
  }
  return figures;
}

// All ports.

/// The bound of the page, and that for the ports that nodes have: none leads out of a mesh, or
/// along a dimension of size 1.
Figures grid_bounds(const Section& parameters) {
  const auto topology = network_named(worm_network(parameters, ""), "network");
  const std::size_t nodes = topology->node_count();
  const std::size_t bound = ceil_log(2 * topology->node_grid().size() + 1, nodes);
  const Demand demand{Operation::kBroadcast, nodes};
  return {{{"bound", bound},
           {"lower_bound", lower_bound(*topology, demand, {Switching::kWormhole}).rounds}}};
}

/// Adds to `found` all sets of `left` more nodes that dominate the nodes `missing`. The lowest of
/// these needs a member in its neighbourhood.
/// @param sets  By node: the node itself and its neighbours, as bits.
void find_dominating(const std::vector<std::uint64_t>& sets, std::uint64_t missing,
                     std::uint64_t members, std::size_t left, std::set<std::uint64_t>& found) {
  if (missing == 0) found.insert(members);
  if (missing == 0 || left == 0) return;
  std::size_t lowest = 0;
  while ((missing >> lowest & 1) == 0) ++lowest;
  for (std::size_t node = 0; node < sets.size(); ++node) {
    if ((sets[lowest] >> node & 1) == 0) continue;
    find_dominating(sets, missing & ~sets[node], members | std::uint64_t{1} << node, left - 1,
                    found);
  }
}

/// The largest grid on which the smallest dominating sets are searched for.
constexpr std::size_t kMostNodesSearched = 36;

/// All smallest dominating sets, as bits.
std::set<std::uint64_t> smallest_dominating_sets(const Grid& grid) {
  std::vector<std::uint64_t> sets;
  const std::uint64_t first = 1;
  for (std::size_t node = 0; node < grid.node_count(); ++node) sets.push_back(first << node);
  for (const Channel& channel : grid.channels()) {
    sets[index(channel.from.router)] |= first << index(channel.to.router);
  }
  std::set<std::uint64_t> found;
  for (std::size_t size = 1; found.empty(); ++size) {
    find_dominating(sets, (first << grid.node_count()) - 1, 0, size, found);
  }
  return found;
}

/// The nodes of a dominating set by a pattern, where one is known: (x, 2x mod 5) on tori, the heads
/// of all 4 x 4 blocks on meshes.
std::vector<NodeId> dominating_pattern(const Grid& grid) {
  const std::vector<std::size_t> sizes = grid.node_grid();
  const std::size_t period = sizes.size() == 2 ? (grid.wraps(0) ? 5 : 4) : 0;
  if (period == 0 || sizes[0] % period != 0 || sizes[1] % period != 0) return {};
  if (period == 4) return heads(whole_mesh(grid), block_pattern());
  std::vector<NodeId> nodes;
  for (const NodeId node : grid.nodes()) {
    if (grid.coordinate(node, 1) % 5 == 2 * grid.coordinate(node, 0) % 5) nodes.push_back(node);
  }
  return nodes;
}

/// A dominating set by a pattern, and of small grids all smallest ones, one of which serves where
/// there is no pattern; and how many members the other nodes have beside them.
Figures dominating_set(const Section& parameters) {
  const auto topology = network_named(worm_network(parameters, ""), "network");
  const auto& grid = dynamic_cast<const Grid&>(*topology);
  const std::size_t nodes = grid.node_count();
  std::vector<NodeId> members = dominating_pattern(grid);
  std::vector<std::size_t> degrees(nodes);
  for (const Channel& channel : grid.channels()) ++degrees[index(channel.from.router)];
  const std::size_t degree = *std::max_element(degrees.begin(), degrees.end());
  Figures figures{{{"nodes", nodes}, {"bound", (nodes + degree) / (degree + 1)}}};
  if (nodes <= kMostNodesSearched) {
    const std::set<std::uint64_t> found = smallest_dominating_sets(grid);
    std::vector<NodeId> smallest;
    for (const NodeId node : grid.nodes()) {
      if ((*found.begin() >> index(node) & 1) != 0) smallest.push_back(node);
    }
    if (members.empty()) members = smallest;
    figures.values["smallest"] = smallest.size();
    figures.values["sets"] = found.size();
  }
  if (members.empty()) {
    parameters.fail("network", "has no known pattern and too many nodes for a search",
                    fmt::format("take at most {} nodes, T(5a,5b) or M(4a,4b)", kMostNodesSearched));
  }
  std::vector<bool> chosen(nodes);
  std::vector<std::size_t> beside(nodes);
  for (const NodeId member : members) {
    std::vector<std::size_t> place;
    for (std::size_t d = 0; d < grid.dimensions(); ++d) place.push_back(grid.coordinate(member, d));
    figures.values["members"].push_back(fmt::format("({})", fmt::join(place, ",")));
    chosen[index(member)] = true;
  }
  for (const Channel& channel : grid.channels()) {
    if (chosen[index(channel.from.router)]) ++beside[index(channel.to.router)];
  }
  const Layout layout = grid.layout();
  std::set<std::size_t> next_to;
  Drawing drawing;
  for (std::size_t node = 0; node < nodes; ++node) {
    if (!chosen[node]) next_to.insert(beside[node]);
    drawing.node(layout[node], "", chosen[node] ? 1 : Drawing::kInk);
  }
  figures.values["size"] = members.size();
  figures.values["next_to"] = next_to;
  if (nodes <= kMostNodesDrawn) {
    figures.drawings.push_back(drawing.svg("A dominating set of " + grid.name()));
  }
  return figures;
}

/// The first round of extended dominating nodes in which a pattern informs a level.
std::size_t first_stage(const WormBroadcast& broadcast) {
  const std::size_t k = ceil_log(4, broadcast.grid().size(0));
  return broadcast.schedule().rounds() - (k == 1 ? 1 : k + 1);
}

/// A round of tiling on a torus, or of extended dominating nodes on a mesh, in which one set
/// informs the next: the last round, or that after the round with `step` new nodes. On a mesh the
/// source is of the highest level; otherwise messages to it would be left out later.
Figures dominating_round(const Section& parameters) {
  const bool tiles = parameters.text("network")[0] == 'T';
  WormBroadcast broadcast =
      worm_broadcast(parameters, tiles ? "tiling" : "extended_dominating_nodes");
  if (!tiles) {
    const NodeId top = *senders_of(broadcast.schedule(), first_stage(broadcast)).begin();
    broadcast = broadcast_on(parameters.text("network"), top, broadcast.algorithm, kAllPorts);
  }
  const std::vector<std::size_t>& news = broadcast.found().new_per_round;
  const std::size_t step = parameters.count("step");
  std::size_t round = news.size() - 1;
  if (step != 0) {
    round = static_cast<std::size_t>(std::find(news.begin(), news.end(), step) - news.begin()) + 1;
  }
  if (round >= news.size()) {
    parameters.fail("step", "is no number of new nodes before the last round",
                    fmt::format("choose one of {}", fmt::join(news, ", ")));
  }
  Figures figures = worm_figures(broadcast);
  figures.values["dominating"] = senders_of(broadcast.schedule(), round).size();
  figures.values["reached"] = news[round];
  figures.values["paths"] = broadcast.schedule().messages(round).size();
  return figures;
}

/// By node: its level in a broadcast by extended dominating nodes. The highest one sends in all
/// stages, level 0 never.
std::vector<std::size_t> levels_of_nodes(const WormBroadcast& broadcast) {
  const std::size_t rounds = broadcast.schedule().rounds();
  std::vector<std::size_t> level(broadcast.topology->node_count());
  for (std::size_t round = rounds; round-- > first_stage(broadcast);) {
    for (const NodeId sender : senders_of(broadcast.schedule(), round)) {
      level[index(sender)] = rounds - round;
    }
  }
  return level;
}

/// Adds the nodes without packet before the last round, and those among them without a neighbour
/// that has it.
void add_domination(const WormBroadcast& broadcast, ordered_json& figures) {
  const Schedule& schedule = broadcast.schedule();
  std::vector<bool> informed(broadcast.topology->node_count(), true);
  for (const Message& message : schedule.messages(schedule.rounds() - 1)) {
    informed[index(message.to)] = false;
  }
  std::vector<bool> covered = informed;
  for (const Channel& channel : broadcast.topology->channels()) {
    if (informed[index(channel.from.router)]) covered[index(channel.to.router)] = true;
  }
  figures["left"] = std::count(informed.begin(), informed.end(), false);
  figures["uncovered"] = std::count(covered.begin(), covered.end(), false);
}

/// Extended dominating nodes: the sizes of the levels, the highest one first; by stage the senders,
/// and those of them that are of higher-numbered and of lower-numbered levels than the level that
/// they inform; messages to nodes of other levels are `strays`.
Figures level_broadcast(const Section& parameters) {
  const WormBroadcast broadcast = worm_broadcast(parameters, "extended_dominating_nodes");
  const Schedule& schedule = broadcast.schedule();
  const std::vector<std::size_t> level = levels_of_nodes(broadcast);
  const std::size_t first = first_stage(broadcast);
  Figures figures = worm_figures(broadcast);
  figures.values["k"] = ceil_log(4, broadcast.grid().size(0));
  std::size_t strays = 0;
  for (std::size_t round = first; round < schedule.rounds(); ++round) {
    const std::size_t target = schedule.rounds() - round - 1;
    std::size_t higher = 0;
    std::size_t lower = 0;
    for (const NodeId sender : senders_of(schedule, round)) {
      ++(level[index(sender)] > target ? higher : lower);
    }
    for (const Message& message : schedule.messages(round)) {
      if (level[index(message.to)] != target) ++strays;
    }
    figures.values["senders"].push_back(higher + lower);
    figures.values["higher"].push_back(higher);
    figures.values["lower"].push_back(lower);
  }
  figures.values["strays"] = strays;
  for (std::size_t l = schedule.rounds() - first + 1; l-- > 0;) {
    figures.values["levels"].push_back(std::count(level.begin(), level.end(), l));
  }
  add_domination(broadcast, figures.values);
  add_run(parameters, broadcast, "wormhole", "cycles", figures.values);
  if (level.size() > kMostNodesDrawn) return figures;
  Drawing drawing;
  const Layout layout = broadcast.topology->layout();
  for (std::size_t node = 0; node < level.size(); ++node) {
    drawing.node(layout[node], std::to_string(level[node]), level[node]);
  }
  figures.drawings.push_back(drawing.svg("Levels of " + broadcast.topology->name()));
  return figures;
}

// Dilated diagonals.

/// The largest number of rounds above the bound on all tori with sides up to a limit.
std::size_t largest_excess(std::size_t limit) {
  std::size_t largest = 0;
  for (std::size_t columns = 1; columns <= limit; ++columns) {
    for (std::size_t rows = 1; rows <= limit; ++rows) {
      const Grid grid = torus({columns, rows});
      const Verification found = on_step_machine({grid}, "dilated_diagonal").verification;
      if (!found.legal()) throw std::logic_error("an illegal schedule on " + grid.name());
      largest = std::max(largest, found.rounds - ceil_log(5, columns * rows));
    }
  }
  return largest;
}

/// Adds the phases on a square: phase 1 ends when every row has a copy, phase 2 when the diagonal
/// has one everywhere. `rounds`, `new` and `sends` (of the first round) become those of a phase if
/// the parameter `phase` names it.
void add_diagonal_phases(const WormBroadcast& broadcast, std::size_t shown, ordered_json& figures) {
  const Grid& grid = broadcast.grid();
  const DilatedTorus dilated(grid, broadcast.source);
  const auto n = static_cast<std::int64_t>(grid.size(0));
  std::vector<std::size_t> copies(grid.size(0));  // By row.
  std::set<NodeId> left;                          // The places of the diagonal without a copy.
  for (std::int64_t i = 0; i < n; ++i) left.insert(dilated.node(i, i));
  const auto inform = [&](NodeId node) {
    ++copies[grid.coordinate(node, 1)];
    left.erase(node);
  };
  inform(broadcast.source);
  std::vector<std::vector<std::size_t>> news(3);
  for (std::size_t round = 0, phase = 0; round < broadcast.schedule().rounds(); ++round) {
    for (const Message& message : broadcast.schedule().messages(round)) inform(message.to);
    news[phase].push_back(broadcast.schedule().messages(round).size());
    if (phase == 0 && std::count(copies.begin(), copies.end(), 0) == 0) {
      figures["rows"] = copies.size();
      figures["most_copies"] = *std::max_element(copies.begin(), copies.end());
      phase = 1;
    } else if (phase == 1 && left.empty()) {
      phase = 2;
    }
  }
  figures["diagonal"] = copies.size() - left.size();
  figures["phases"] = {news[0].size(), news[1].size(), news[2].size()};
  figures["new_by_phase"] = news;
  if (shown == 0 || news[shown - 1].empty()) return;
  figures["rounds"] = news[shown - 1].size();
  figures["new"] = news[shown - 1];
  figures["sends"] = news[shown - 1][0];
}

Figures dilated_diagonals(const Section& parameters) {
  const WormBroadcast broadcast = worm_broadcast(parameters, "dilated_diagonal");
  Figures figures = worm_figures(broadcast);
  figures.values["largest_excess"] = largest_excess(parameters.count("up_to"));
  const std::vector<std::size_t> sizes = broadcast.topology->node_grid();
  if (sizes[0] == sizes[1] && sizes[0] > 1) {
    add_diagonal_phases(broadcast, parameters.count("phase"), figures.values);
  }
  return figures;
}

}  // namespace

std::vector<Machine> wormhole_machines() {
  const Param source =
      Param::integers("source", "", "The source: its number or its coordinates.", 0)
          .defaults_to(nlohmann::json::array({0}));
  const Param n = Param::integer("n", "", "Dimensions of the hypercube.", 1, 20);
  const Param network = Param::text("network", "The network: T(5,5), M(4,8).");
  const auto number = [](const char* key, const char* unit, const char* help, double least,
                         double most, int usual) {
    return Param::integer(key, unit, help, least, most).defaults_to(usual);
  };
  const std::vector<Param> on_cube{
      Param::integer("n", "", "Dimensions of the hypercube.", 1, 14),
      Param::choice("algorithm", "The algorithm.", {"double_tree", "ho_kao", "binomial_tree"}),
      source,
      Param::choice("ports", "Ports of a node.", {"all_port", "1_port"}),
      number("ts", "cycles", "Start-up of a message.", 0, 1000000, 50),
      number("td", "cycles", "A hop of a head.", 0, 1000, 3),
      number("tm", "cycles", "A flit on a channel.", 1, 1000, 1),
      number("m", "flits", "Length of a message.", 1, 10000, 64)};
  std::vector<Param> on_grid = on_cube;
  on_grid[0] = network;
  on_grid[1] = number("k", "", "If not 0: the sides are 5^k or 4^k.", 0, 4, 0);
  std::vector<Param> with_algorithm = on_grid;
  with_algorithm.push_back(
      Param::choice("algorithm", "The algorithm.",
                    {"recursive_doubling", "tiling", "three_way", "dilated_diagonal"}));
  std::vector<Param> with_step = on_grid;
  with_step.push_back(number("step", "", "New nodes of the round before; 0: last.", 0, 1e9, 0));
  std::vector<Param> with_phase = on_grid;
  with_phase.push_back(number("phase", "", "The phase that is shown; 0: all.", 0, 3, 0));
  with_phase.push_back(number("up_to", "", "Also all tori with sides up to this.", 0, 64, 0));
  return {
      {"wormhole_on_cube", "A wormhole broadcast on a hypercube.", on_cube, wormhole_broadcast},
      {"wormhole_on_grid", "One on a mesh or torus.", with_algorithm, wormhole_broadcast},
      {"halvings", "Two broadcasts for one port.", on_grid, halvings},
      {"cube_bounds", "Rounds and bounds on a hypercube.", {n}, cube_bounds},
      {"ascending_path", "The path and the parts of Ho-Kao.", {on_cube[0], source}, ascending_path},
      {"double_tree_speedup", "Binomial and double tree.", on_cube, double_tree_speedup},
      {"ring_broadcasts", "Broadcasts on a ring.", on_grid, ring_broadcasts},
      {"grid_bounds", "The bound with all ports.", {network}, grid_bounds},
      {"dominating_set", "A small dominating set.", {network}, dominating_set},
      {"dominating_round", "A round from one set to the next.", with_step, dominating_round},
      {"level_broadcast", "Extended dominating nodes.", on_grid, level_broadcast},
      {"dilated_diagonals", "Dilated diagonals.", with_phase, dilated_diagonals},
  };
}

}  // namespace flitcast::claims
