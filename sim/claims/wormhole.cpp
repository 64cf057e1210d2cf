// SPDX-License-Identifier: Apache-2.0
// Machines for the second half of document 000: wormhole broadcast. Dimension 0 of a grid counts
// columns, dimension 1 rows; the node (x, y) has the number x + n1 y.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/sequences.h"
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

/// The network of the parameters: `network`, or the torus of 5^k x 5^k or the mesh of 4^k x 4^k, or
/// the hypercube of n dimensions. Three-way splitting of T(9) is that of the narrow torus T(9,1).
std::string worm_network(const Section& parameters, const std::string& algorithm) {
  if (parameters.has("n")) return fmt::format("Q{}", parameters.count("n"));
  const std::string& name = parameters.text("network");
  if (algorithm == "three_way" && name.find(',') == std::string::npos) {
    return name.substr(0, name.size() - 1) + ",1)";
  }
  const std::size_t k = parameters.has("k") ? parameters.count("k") : 0;
  if (k == 0) return name;
  const bool tiles = algorithm != "extended_dominating_nodes";
  const auto side = static_cast<std::size_t>(std::pow(tiles ? 5 : 4, k));
  return fmt::format("{0}({1},{1})", tiles ? 'T' : 'M', side);
}

CollectiveTrial worm_trial(const Section& parameters, const std::string& algorithm) {
  const std::string network = worm_network(parameters, algorithm);
  const std::string used = algorithm == "three_way" ? "dilated_diagonal"
                           : algorithm == "tiling"  ? "recursive_tiling"
                                                    : algorithm;
  const NodeId source = source_in(parameters, *network_named(network, "network"));
  return {network, source, {used, ports_of(parameters)}};
}

/// Adds the dimension of the first hops of every round, from 1, and the messages that turn into
/// another one.
void add_dimensions(const Schedule& schedule, Figures& figures) {
  std::size_t turns = 0;
  figures["dimensions"] = ordered_json::array();
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    const std::size_t dimension = index(schedule.path(schedule.begin(round))[0]) / 2;
    figures["dimensions"].push_back(dimension + 1);
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      const Path path = schedule.path(m);
      turns += any_of(path, [&](PortId port) { return index(port) / 2 != dimension; });
    }
  }
  figures["turns"] = turns;
}

/// A broadcast on the step machine and on the network; the binomial tree also with routers that
/// store messages.
Figures wormhole_broadcast(const Section& parameters) {
  const std::string& algorithm = parameters.text("algorithm");
  const CollectiveTrial trial = worm_trial(parameters, algorithm);
  Figures figures = trial.figures();
  trial.add_run(parameters, Switching::kWormhole, figures);
  if (algorithm == "binomial_tree") {
    trial.add_run(parameters, Switching::kStoreAndForward, figures, "_sf");
  }
  if (algorithm == "recursive_doubling") add_dimensions(trial.schedule(), figures);
  return figures;
}

Figures halvings(const Section& parameters) {
  return compared(parameters, parameters.text("network"),
                  {{"recursive_doubling", 1, "lines"}, {"chain_halving", 1, "chains"}});
}

/// The binomial tree with routers that store messages, and the double tree with wormhole routers.
Figures tree_times(const Section& parameters) {
  const unsigned ports = ports_of(parameters);
  return compared(parameters, worm_network(parameters, ""),
                  {{"binomial_tree", ports, "sbt"}, {"double_tree", ports, "dta"}});
}

/// Broadcasts on a ring with wormhole routers and with routers that store messages.
Figures ring_times(const Section& parameters) {
  return compared(parameters, parameters.text("network"),
                  {{"recursive_doubling", 1, "wh"},
                   {"dimension_order", kAllPorts, "all_port"},
                   {"dimension_order", 1, "one_port"}});
}

/// The broadcast on a ring, and that on a line from its end.
Figures ring_and_line(const Section& parameters) {
  const CollectiveTrial ring = worm_trial(parameters, "recursive_doubling");
  const CollectiveTrial line(fmt::format("M({})", ring.nodes()), NodeId{},
                             {"recursive_doubling", 1});
  Figures figures = ring.figures();
  figures["ring_sends"] = ring.sends();
  figures["line_sends"] = line.sends(index(ring.source()));
  return figures;
}

// Hypercubes.

/// The rounds of both algorithms for all ports, on the step machine up to 12 dimensions and by the
/// recursion beyond, and bounds, also for paths that take the dimensions in order.
Figures cube_bounds(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const Hypercube cube(n);
  const Demand demand{Operation::kBroadcast, cube.node_count()};
  std::size_t faults = 0;
  const auto rounds = [&](const char* algorithm, std::size_t by_recursion) {
    if (n > 12) return by_recursion;
    const Verification found = on_step_machine({cube}, algorithm).verification;
    faults += found.faults;
    return found.rounds;
  };
  Figures figures{
      {{"DTA", rounds("double_tree", double_tree_rounds(n))},
       {"Ho_Kao", rounds("ho_kao", ho_kao_rounds(n))},
       {"faults", faults},
       {"bound", lower_bound(cube, demand, {Switching::kWormhole}).rounds},
       {"bound_in_order", lower_bound(cube, demand, {Switching::kWormhole}, true).rounds}}};
  for (std::size_t m = 7; m <= 20; ++m) figures["table"].push_back(ho_kao_rounds(m));
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
  const Layout layout = cube.layout();
  Drawing drawing;
  Figures figures;
  std::set<NodeId> covered;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto [root, dimensions] = parts[p];
    const std::vector<PortId> path = e_cube_path(cube, source, root);
    if (p > 0) figures["hops"].push_back(path.size());
    std::size_t at = index(source);
    for (const PortId port : path) ++passed[at ^= std::size_t{1} << index(port)];
    std::size_t size = 0;
    for (const NodeId node : cube.nodes()) {
      if (((index(node) ^ index(root)) & ~std::size_t{dimensions}) != 0) continue;
      ++size;
      covered.insert(node);
      drawing.node(layout[index(node)], std::to_string(p), p);
    }
    figures["part_sizes"].push_back(size);
  }
  figures["shared"] = count_if(passed, [](std::size_t paths) { return paths > 1; });
  figures["covered"] = covered.size();
  if (all < kMostNodesDrawn) figures.drawings = {drawing.svg("Parts of " + cube.name())};
  return figures;
}

// All ports.

/// The bound of the page, and that for the ports that nodes have: none leads out of a mesh, or
/// along a dimension of size 1.
Figures grid_bounds(const Section& parameters) {
  const auto topology = network_named(parameters.text("network"), "network");
  const std::size_t nodes = topology->node_count();
  const Demand demand{Operation::kBroadcast, nodes};
  return {{{"bound", ceil_log(2 * topology->node_grid().size() + 1, nodes)},
           {"lower_bound", lower_bound(*topology, demand, {Switching::kWormhole}).rounds}}};
}

/// Finds the sets of a given number of members that dominate a small network.
struct DominatingSets {
  static constexpr std::size_t kMostNodes = 36;

  std::vector<std::uint64_t> beside{};  ///< By node: the node itself and its neighbours, as bits.
  std::set<std::uint64_t> found{};

  /// Adds `left` more members in all ways in which they dominate the nodes `missing`. The lowest of
  /// these needs a member in its neighbourhood.
  void find(std::uint64_t missing, std::uint64_t members, std::size_t left) {
    if (missing == 0) found.insert(members);
    if (missing == 0 || left == 0) return;
    const auto lowest = static_cast<std::size_t>(__builtin_ctzll(missing));
    for (std::size_t node = 0; node < beside.size(); ++node) {
      if ((beside[lowest] >> node & 1) == 0) continue;
      find(missing & ~beside[node], members | std::uint64_t{1} << node, left - 1);
    }
  }
};

/// All smallest dominating sets of a small network, as bits.
std::set<std::uint64_t> smallest_dominating_sets(const Topology& topology) {
  DominatingSets search;
  for (const NodeId node : topology.nodes())
    search.beside.push_back(std::uint64_t{1} << index(node));
  for (const Channel& channel : topology.channels()) {
    search.beside[index(channel.from.router)] |= std::uint64_t{1} << index(channel.to.router);
  }
  for (std::size_t size = 1; search.found.empty(); ++size) {
    search.find((std::uint64_t{1} << topology.node_count()) - 1, 0, size);
  }
  return search.found;
}

/// The nodes of a dominating set by a pattern, where one is known: (x, 2x mod 5) on tori, the heads
/// of all 4 x 4 blocks on meshes.
std::vector<NodeId> dominating_pattern(const Grid& grid) {
  const std::vector<std::size_t> sizes = grid.node_grid();
  const std::size_t period = sizes.size() == 2 ? (grid.wraps(0) ? 5 : 4) : 0;
  if (period == 0 || sizes[0] % period != 0 || sizes[1] % period != 0) return {};
  if (period == 4) return heads(whole_mesh(grid), block_pattern());
  return filtered(grid.nodes(), [&](const NodeId node) {
    return grid.coordinate(node, 1) % 5 == 2 * grid.coordinate(node, 0) % 5;
  });
}

/// By node: the number of members among its neighbours.
std::vector<std::size_t> members_beside(const Topology& topology, const std::set<NodeId>& members) {
  std::vector<std::size_t> beside(topology.node_count());
  for (const Channel& channel : topology.channels()) {
    beside[index(channel.to.router)] += members.count(NodeId(index(channel.from.router)));
  }
  return beside;
}

/// A dominating set by a pattern, and of small grids all smallest ones, one of which serves where
/// there is no pattern; and how many members the other nodes have beside them.
Figures dominating_set(const Section& parameters) {
  const auto topology = network_named(parameters.text("network"), "network");
  const auto& grid = family_of<Grid>({*topology});
  const std::size_t ports = degree(grid);
  std::vector<NodeId> members = dominating_pattern(grid);
  Figures figures{{{"bound", (grid.node_count() + ports) / (ports + 1)}}};
  if (grid.node_count() <= DominatingSets::kMostNodes) {
    const auto sets = smallest_dominating_sets(grid);
    const std::vector<NodeId> smallest = filtered(
        grid.nodes(), [&](const NodeId node) { return (*sets.begin() >> index(node) & 1) != 0; });
    if (members.empty()) members = smallest;
    figures["smallest"] = smallest.size();
    figures["sets"] = sets.size();
  }
  if (members.empty()) {
    parameters.fail(
        "network", "has no known pattern and too many nodes for a search",
        fmt::format("take at most {} nodes, T(5a,5b) or M(4a,4b)", DominatingSets::kMostNodes));
  }
  const std::set<NodeId> set(members.begin(), members.end());
  const std::vector<std::size_t> beside = members_beside(grid, set);
  const Layout layout = grid.layout();
  std::set<std::size_t> next_to;
  Drawing drawing;
  for (const NodeId node : grid.nodes()) {
    const bool is_member = set.count(node) != 0;
    if (!is_member) next_to.insert(beside[index(node)]);
    drawing.node(layout[index(node)], "", is_member ? 1 : Drawing::kInk);
  }
  for (const NodeId member : members) {
    const auto place =
        tabulated(grid.dimensions(), [&](std::size_t d) { return grid.coordinate(member, d); });
    figures["members"].push_back(fmt::format("({})", fmt::join(place, ",")));
  }
  figures["size"] = members.size();
  figures["next_to"] = next_to;
  if (grid.node_count() <= kMostNodesDrawn) {
    figures.drawings = {drawing.svg("A dominating set of " + grid.name())};
  }
  return figures;
}

/// The first round of extended dominating nodes in which a pattern informs a level.
std::size_t first_stage(const CollectiveTrial& trial) {
  const std::size_t k = ceil_log(4, trial.grid().size(0));
  return trial.schedule().rounds() - (k == 1 ? 1 : k + 1);
}

/// A round of tiling on a torus, or of extended dominating nodes on a mesh, in which one set
/// informs the next: the last round, or that after the round with `step` new nodes. On a mesh the
/// source is of the highest level; otherwise messages to it would be left out later.
Figures dominating_round(const Section& parameters) {
  const bool tiles = parameters.text("network")[0] == 'T';
  CollectiveTrial trial = worm_trial(parameters, tiles ? "tiling" : "extended_dominating_nodes");
  if (!tiles) {
    const NodeId top = trial.schedule().messages(first_stage(trial))[0].from;
    trial = {parameters.text("network"), top, {"extended_dominating_nodes"}};
  }
  const std::vector<std::size_t>& news = trial.found().new_per_round;
  const std::size_t step = parameters.count("step");
  const auto before = std::find(news.begin(), news.end(), step);
  const auto round = step == 0 ? news.end() - 1 : before + (before == news.end() ? 0 : 1);
  if (round == news.end()) {
    parameters.fail("step", "is no number of new nodes before the last round",
                    fmt::format("choose one of {}", fmt::join(news, ", ")));
  }
  Figures figures = trial.figures();
  figures["round"] = 1 + (round - news.begin());
  figures["shared"] = count_if(trial.found().violations, [](const Violation& violation) {
    return violation.fault == Fault::kLinkShared;
  });
  return figures;
}

/// By node: its level in a broadcast by extended dominating nodes. The highest one sends in all
/// stages, level 0 never.
std::vector<std::size_t> levels_of_nodes(const CollectiveTrial& trial) {
  const std::size_t rounds = trial.schedule().rounds();
  std::vector<std::size_t> level(trial.nodes());
  for (std::size_t round = rounds; round-- > first_stage(trial);) {
    for (const Message& message : trial.schedule().messages(round)) {
      level[index(message.from)] = rounds - round;
    }
  }
  return level;
}

/// The number of nodes without the packet before the last round that have no neighbour with the
/// packet.
std::size_t uncovered_nodes(const CollectiveTrial& trial) {
  const std::vector<NodeId> nodes = trial.topology().nodes();
  std::set<NodeId> informed(nodes.begin(), nodes.end());
  std::set<NodeId> left;
  for (const Message& message : trial.schedule().messages(trial.schedule().rounds() - 1)) {
    left.insert(message.to);
    informed.erase(message.to);
  }
  const std::vector<std::size_t> beside = members_beside(trial.topology(), informed);
  return static_cast<std::size_t>(
      count_if(left, [&](NodeId node) { return beside[index(node)] == 0; }));
}

/// Extended dominating nodes: the sizes of the levels, the highest one first; by stage the senders
/// that are of higher-numbered levels than the level that they inform; messages to nodes of other
/// levels are `strays`.
Figures level_broadcast(const Section& parameters) {
  const CollectiveTrial trial = worm_trial(parameters, "extended_dominating_nodes");
  const std::vector<std::size_t> level = levels_of_nodes(trial);
  const std::size_t rounds = trial.schedule().rounds();
  Figures figures = trial.figures();
  std::size_t strays = 0;
  for (std::size_t round = first_stage(trial); round < rounds; ++round) {
    const std::size_t target = rounds - round - 1;
    std::set<NodeId> higher;
    for (const Message& message : trial.schedule().messages(round)) {
      if (level[index(message.from)] > target) higher.insert(message.from);
      if (level[index(message.to)] != target) ++strays;
    }
    figures["higher"].push_back(higher.size());
  }
  figures["strays"] = strays;
  figures["uncovered"] = uncovered_nodes(trial);
  for (std::size_t l = rounds - first_stage(trial) + 1; l-- > 0;) {
    figures["levels"].push_back(std::count(level.begin(), level.end(), l));
  }
  trial.add_run(parameters, figures);
  if (level.size() > kMostNodesDrawn) return figures;
  const Layout layout = trial.topology().layout();
  Drawing drawing;
  for (std::size_t node = 0; node < level.size(); ++node) {
    drawing.node(layout[node], std::to_string(level[node]), level[node]);
  }
  figures.drawings.push_back(drawing.svg("Levels of " + trial.topology().name()));
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

/// Adds by round, on a square torus: the number of rows with a copy, the most copies in a row, and
/// the number of nodes of the dilated diagonal with a copy.
void add_rows_and_diagonal(const CollectiveTrial& trial, Figures& figures) {
  const DilatedTorus dilated(trial.grid(), trial.source());
  std::set<NodeId> diagonal;
  for (std::int64_t i = 0; i < dilated.shorter_size(); ++i) diagonal.insert(dilated.node(i, i));
  std::vector<std::size_t> copies(trial.grid().size(1));
  std::size_t on_diagonal = 0;
  const auto inform = [&](NodeId node) {
    ++copies[trial.grid().coordinate(node, 1)];
    on_diagonal += diagonal.count(node);
  };
  inform(trial.source());
  for (std::size_t round = 0; round < trial.schedule().rounds(); ++round) {
    for (const Message& message : trial.schedule().messages(round)) inform(message.to);
    figures["rows_by_round"].push_back(copies.size() - std::count(copies.begin(), copies.end(), 0));
    figures["copies_by_round"].push_back(*std::max_element(copies.begin(), copies.end()));
    figures["diagonal_by_round"].push_back(on_diagonal);
  }
}

Figures dilated_diagonals(const Section& parameters) {
  const CollectiveTrial trial = worm_trial(parameters, "dilated_diagonal");
  Figures figures = trial.figures();
  figures["largest_excess"] = largest_excess(parameters.count("up_to"));
  if (trial.grid().size(0) == trial.grid().size(1)) add_rows_and_diagonal(trial, figures);
  return figures;
}

}  // namespace

FigureMakers wormhole_makers() {
  return {{"wormhole_broadcast", wormhole_broadcast},
          {"halvings", halvings},
          {"tree_times", tree_times},
          {"ring_times", ring_times},
          {"ring_and_line", ring_and_line},
          {"cube_bounds", cube_bounds},
          {"ascending_path", ascending_path},
          {"grid_bounds", grid_bounds},
          {"dominating_set", dominating_set},
          {"dominating_round", dominating_round},
          {"level_broadcast", level_broadcast},
          {"dilated_diagonals", dilated_diagonals}};
}

}  // namespace flitcast::claims
