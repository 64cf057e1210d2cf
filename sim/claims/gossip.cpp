// SPDX-License-Identifier: Apache-2.0
// Machines for document 001: U. Meyer and J. F. Sibeyn, "Gossiping Large Packets on Full-Port Tori"
// (1998). Tori have the sizes n1, n2, ..: n1 rows along dimension 0, n2 columns along dimension 1.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "collective/gossip/trail_gossip.h"
#include "collective/hamiltonian_cycles.h"
#include "collective/paths.h"
#include "sim/claims/statement.h"
#include "sim/claims/trials.h"
#include "sim/results/drawing.h"
#include "topology/adjacency.h"
#include "topology/catalog.h"

namespace flitcast::claims {
namespace {

Grid torus_of(const Section& parameters) { return torus(counts_of(parameters, "sizes")); }

Figures bisection(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const TopologyMetrics of_mesh = measure(mesh({n, n}));
  const TopologyMetrics of_torus = measure(torus({n, n}));
  return {{{"bisection", {*of_mesh.bisection_channels / 2, *of_torus.bisection_channels / 2}},
           {"diameter", {of_mesh.diameter, of_torus.diameter}}}};
}

// Schedules.

CollectiveTrial gossip_by(const std::string& algorithm, const Section& parameters) {
  return {fmt::format("T({})", fmt::join(counts_of(parameters, "sizes"), ",")),
          NodeId{},
          {algorithm, kAllPorts, "", Operation::kGossip}};
}

/// Adds the most messages that a node receives, which a table of a time-dependent schedule lists,
/// and the most messages on a directed link in a round.
void add_loads(const Schedule& schedule, Figures& figures) {
  std::map<NodeId, std::size_t> entries;
  std::map<std::array<std::size_t, 3>, std::size_t> loads;  // By round, node and output.
  std::size_t most_entries = 0;
  std::size_t largest = 0;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      const Message& message = schedule.message(m);
      const std::size_t output = index(schedule.path(m)[0]);
      most_entries = std::max(most_entries, ++entries[message.to]);
      largest = std::max(largest, ++loads[{round, index(message.from), output}]);
    }
  }
  figures["entries"] = most_entries;
  figures["largest"] = largest;
}

/// Adds the most pairs (input, output) by which packets that go on pass a node, and the number of
/// nodes where every output has one input only. Outputs whose packets do not go on behind the next
/// node feed nodes beside a trail and do not count.
void add_forwarding(const Grid& torus, const Schedule& schedule, Figures& figures) {
  using Output = std::pair<NodeId, PortId>;
  std::map<std::pair<NodeId, ChunkId>, PortId> arrivals;
  std::map<Output, std::set<PortId>> inputs;
  std::set<Output> going_on;
  for (std::size_t m = 0; m < schedule.size(); ++m) {
    const Message& message = schedule.message(m);
    const PortId output = schedule.path(m)[0];
    const auto arrival = arrivals.find({message.from, message.chunk});
    if (arrival != arrivals.end()) {
      inputs[{message.from, output}].insert(arrival->second);
      going_on.insert({neighbour(torus, message.from, arrival->second), opposite(arrival->second)});
    }
    arrivals.emplace(std::pair{message.to, message.chunk}, opposite(output));
  }
  std::map<NodeId, std::size_t> pairs;
  std::set<NodeId> varying;
  std::size_t most = 0;
  for (const Output& output : going_on) {
    const std::size_t ways = inputs[output].size();
    most = std::max(most, pairs[output.first] += ways);
    if (ways > 1) varying.insert(output.first);
  }
  figures["rules"] = most;
  figures["constant_nodes"] = torus.node_count() - varying.size();
}

/// The algorithm that the parameters name; by default that of the theorem.
std::string gossip_algorithm(const Section& parameters, const Grid& torus) {
  const std::string& named = parameters.text("algorithm");
  if (named != "by_theorem") return named;
  if (parameters.count("theorem") > 1) return "zigzag_trails";
  const bool even = torus.size(0) % 2 == 0 || torus.size(1) % 2 == 0;
  return even && torus.dimensions() == 2 ? "zigzag_cycles" : "hamiltonian_cycles";
}

Figures gossip(const Section& parameters) {
  const Grid torus = torus_of(parameters);
  const CollectiveTrial trial = gossip_by(gossip_algorithm(parameters, torus), parameters);
  Figures figures{trial.figures().values};
  figures["packets"] = trial.collective().demand.chunks_per_node;
  add_loads(trial.schedule(), figures);
  add_forwarding(torus, trial.schedule(), figures);
  trial.add_run(parameters, figures);
  return figures;
}

/// The table entries of a gossip along broadcast trees, and the fixed rules of one along
/// Hamiltonian cycles.
Figures two_gossips(const Section& parameters) {
  Figures figures;
  add_forwarding(torus_of(parameters), gossip_by("hamiltonian_cycles", parameters).schedule(),
                 figures);
  add_loads(gossip_by("disjoint_trees", parameters).schedule(), figures);
  return figures;
}

// Trails.

/// All trails on which a rule leads packets that move along the rows of a 2-D torus.
std::vector<Trail> trails_by(const Grid& torus, const CouplingOfColumn& coupling) {
  const std::size_t ports = 2 * torus.dimensions();
  const ForwardingRule rule = rule_by_columns(torus, 0, coupling);
  std::vector<bool> used(torus.node_count() * ports);
  std::vector<Trail> trails;
  for (const NodeId node : torus.nodes()) {
    if (used[index(node) * ports + index(Grid::plus(1))]) continue;
    trails.push_back(follow(torus, {node, Grid::plus(1)}, rule));
    for (const TrailPosition& position : trails.back()) {
      const NodeId next = neighbour(torus, position.node, position.output);
      used[index(position.node) * ports + index(position.output)] = true;
      used[index(next) * ports + index(opposite(position.output))] = true;
    }
  }
  return trails;
}

CouplingOfColumn one_packet_rule(Coupling of_column_1) {
  return [of_column_1](std::size_t column) {
    if (column == 0) return Coupling::kTopRight;
    return column == 1 ? of_column_1 : Coupling::kStraight;
  };
}

/// Axis 1 of the laps, along which most moves go: columns in the plane, dimension 0 in space.
std::size_t axis_1(const Grid& torus) { return torus.dimensions() == 2 ? 1 : 0; }

std::vector<Trail> laps(const Grid& torus) {
  require(with_zigzag_sizes(torus));
  std::vector<std::size_t> axes = numbers(torus.dimensions());
  if (axes.size() == 2) std::swap(axes[0], axes[1]);
  return zigzag_laps(torus, axes);
}

/// The trails that the key `trails` names.
std::vector<Trail> trails_of(const Section& parameters, const Grid& torus) {
  const std::string& name = parameters.text("trails");
  const bool by_theorem_1 = name == "by_theorem" && parameters.count("theorem") == 1;
  return name == "cycles" || by_theorem_1 ? zigzag_cycles(torus) : laps(torus);
}

std::vector<LoadedTrail> with_an_entry_at_every_position(const std::vector<Trail>& trails) {
  std::vector<LoadedTrail> all(trails.size());
  for (std::size_t t = 0; t < trails.size(); ++t) {
    for (const TrailPosition& position : trails[t]) all[t].append(position, {ChunkId{}});
  }
  return all;
}

std::vector<std::size_t> lengths_of(const std::vector<Trail>& trails) {
  return mapped(trails, [](const Trail& trail) { return trail.size(); });
}

/// Adds the lengths of the laps of the first trail, which end where axis 1 returns to coordinate 0,
/// and the zigzag of every lap, which is the highest axis of its moves.
void add_laps(const Grid& torus, const Trail& trail, Figures& figures) {
  const std::size_t first = axis_1(torus);
  std::size_t length = 0;
  std::size_t zigzag = 0;
  for (const TrailPosition& position : trail) {
    const std::size_t dimension = index(position.output) / 2;
    ++length;
    zigzag = std::max(zigzag, first == 1 ? 1 - dimension : dimension);
    const NodeId next = neighbour(torus, position.node, position.output);
    if (dimension != first || torus.coordinate(next, first) != 0) continue;
    figures["lap_lengths"].push_back(std::exchange(length, 0));
    figures["zigzags"].push_back(std::exchange(zigzag, 0));
  }
}

/// A node that is not on a trail, and its suppliers on the trail.
struct NodeBeside {
  NodeId node{};
  std::size_t trail = 0;
  std::vector<Supplier> suppliers;
  std::uint32_t separation = 0;  ///< The number of nodes between two suppliers along the trail.
};

std::vector<NodeBeside> nodes_beside(const Grid& torus, const std::vector<Trail>& trails) {
  const std::vector<LoadedTrail> all = with_an_entry_at_every_position(trails);
  const LinksInUse used = links_in_use(torus, all);
  std::vector<NodeBeside> beside;
  for (std::size_t t = 0; t < trails.size(); ++t) {
    const std::vector<std::uint32_t> position = positions_of(all[t], torus.node_count());
    for (const NodeId node : torus.nodes()) {
      if (position[index(node)] != kOffTrail) continue;
      beside.push_back({node, t, suppliers_of(node, torus, used, position)});
      NodeBeside& one = beside.back();
      if (one.suppliers.size() != 2) continue;
      one.separation = entries_between(all[t], one.suppliers[0], one.suppliers[1]);
    }
  }
  return beside;
}

/// Adds the pairs (node, trail) beside trails, their numbers of suppliers, and the separations of
/// the suppliers: all, and those of the lower (x >= d) and the upper part of a space.
void add_suppliers(const Grid& torus, const std::vector<NodeBeside>& beside, Figures& figures) {
  std::set<std::size_t> suppliers;
  std::set<std::uint32_t> separations[3];  // All, lower, upper.
  for (const NodeBeside& one : beside) {
    suppliers.insert(one.suppliers.size());
    separations[0].insert(one.separation);
    const bool is_low = torus.coordinate(one.node, axis_1(torus)) >= torus.dimensions();
    separations[is_low ? 1 : 2].insert(one.separation);
  }
  figures["pairs"] = beside.size();
  figures["suppliers"] = suppliers;
  figures["separations"] = separations[0];
  figures["lower_separations"] = separations[1];
  figures["upper_separations"] = separations[2];
}

/// Adds the nodes that are on one of the trails only, and the columns of the plane where they are;
/// of a 3-D torus the nodes with x >= 3, and those among them whose neighbours at y + 1 and z + 1
/// are on the next trail, and those at y - 1 and z - 1 on the one before.
void add_nodes(const Grid& torus, const std::vector<Trail>& trails, Figures& figures) {
  std::map<NodeId, std::set<std::size_t>> at;
  for (std::size_t t = 0; t < trails.size(); ++t) {
    for (const TrailPosition& position : trails[t]) at[position.node].insert(t);
  }
  std::set<std::size_t> columns;
  std::size_t single = 0;
  std::size_t lower = 0;
  std::size_t as_stated = 0;
  for (const auto& [node, here] : at) {
    if (here.size() == 1) ++single;
    if (here.size() == 1) columns.insert(torus.coordinate(node, 1));
    if (torus.dimensions() != 3 || torus.coordinate(node, 0) < 3) continue;
    ++lower;
    bool holds = here.size() == 1;
    for (const std::size_t axis : {1, 2}) {
      holds &= at[shifted(torus, node, axis, 1)].count((*here.begin() + 1) % 3) == 1;
      holds &= at[shifted(torus, node, axis, -1)].count((*here.begin() + 2) % 3) == 1;
    }
    if (holds) ++as_stated;
  }
  figures["single_nodes"] = single;
  figures["columns"] = columns;
  figures["nodes"] = lower;
  figures["as_stated"] = as_stated;
}

Figures trails(const Section& parameters) {
  const Grid torus = torus_of(parameters);
  const std::vector<Trail> found = trails_of(parameters, torus);
  const std::vector<std::size_t> lengths = lengths_of(found);
  const auto links = sum_of<std::size_t>(
      links_in_use(torus, with_an_entry_at_every_position(found)),
      [](const auto& ports) { return std::count(ports.begin(), ports.end(), true); });
  Figures figures{{{"trails", lengths}, {"length", lengths[0]}}};
  // A link that is used twice is missing among the links in use, each of which has two ends.
  figures["shared"] = sum_of<std::size_t>(lengths) - links / 2;
  add_nodes(torus, found, figures);
  if (parameters.text("trails") == "laps") add_laps(torus, found[0], figures);
  add_suppliers(torus, nodes_beside(torus, found), figures);
  if (torus.dimensions() < 4 && torus.node_count() <= kMostNodesDrawn) {
    figures.drawings = {drawing_of(torus, found)};
  }
  return figures;
}

/// The trails by the rules for columns: those of section 2 as printed, and with rows and columns
/// exchanged where only n2 is even; those for one packet as printed, and with the rule of even
/// columns in column 1, too.
Figures column_rules(const Section& parameters) {
  const Grid torus = torus_of(parameters);
  require(in_two_dimensions(torus, "a rule by columns"));
  const std::size_t columns = torus.size(1);
  const auto two_packets = [=](std::size_t column) { return zigzag_coupling(column, columns); };
  Figures figures{
      {{"trails", lengths_of(trails_by(torus, two_packets))},
       {"one_packet_printed", lengths_of(trails_by(torus, one_packet_rule(Coupling::kTopLeft)))},
       {"one_packet", lengths_of(trails_by(torus, one_packet_rule(Coupling::kTopRight)))},
       {"refused", false},
       {"exchanged", ordered_json::array()}}};
  try {
    figures["exchanged"] = lengths_of(zigzag_cycles(torus));
  } catch (const PreconditionError& error) {
    figures["refused"] = true;
    figures["reason"] = error.what();
  }
  return figures;
}

/// For a node beside a trail: the number of packets of the trail that it does not receive, and of
/// repeated receipts.
struct Receipts {
  std::size_t missing = 0;
  std::size_t multiple = 0;
};

/// Receipts in `steps` steps if the supplier at position `one` sends the forward packets in the
/// first `change` steps and the backward packets afterwards, and the supplier at position `other`
/// does the opposite. In step t = 0, 1, .. the forward packet at position p is that of position
/// p - t, the backward packet that of p + t.
Receipts receipts(std::size_t length, std::size_t one, std::size_t other, std::size_t change,
                  std::size_t steps) {
  std::vector<std::size_t> received(length);
  for (std::size_t t = 0; t < steps; ++t) {
    const std::size_t ahead = t % length;
    const std::size_t behind = length - ahead;
    ++received[(one + (t < change ? behind : ahead)) % length];
    ++received[(other + (t < change ? ahead : behind)) % length];
  }
  const auto missing =
      static_cast<std::size_t>(std::count(received.begin(), received.end(), std::size_t{0}));
  return {missing, 2 * steps - (length - missing)};
}

/// The gossip of a theorem, and two ways to feed the nodes beside its trails from streams alone:
/// with one change of direction as printed, and with none, which takes `extra` steps more.
Figures feeding_streams(const Section& parameters) {
  Figures figures = gossip(parameters);
  const Grid torus = torus_of(parameters);
  const std::vector<Trail> found = trails_of(parameters, torus);
  Receipts printed;
  std::size_t extra = 0;
  std::uint32_t largest = 0;
  for (const NodeBeside& one : nodes_beside(torus, found)) {
    if (one.suppliers.size() != 2) continue;
    const std::size_t length = found[one.trail].size();
    const std::size_t half = (length + 1) / 2;
    const std::size_t first = one.suppliers[0].position;
    const std::size_t second = one.suppliers[1].position;
    const Receipts here = receipts(length, first, second, one.separation, half);
    printed = {std::max(printed.missing, here.missing), std::max(printed.multiple, here.multiple)};
    largest = std::max(largest, one.separation);
    std::size_t steps = half + extra;
    while (receipts(length, first, second, steps, steps).missing > 0 &&
           receipts(length, second, first, steps, steps).missing > 0) {
      ++steps;
    }
    extra = steps - half;
  }
  figures["length"] = found[0].size();
  figures["missing_as_printed"] = printed.missing;
  figures["multiple_as_printed"] = printed.multiple;
  figures["largest_separation"] = largest;
  figures["extra"] = extra;
  return figures;
}

/// By node: its position on a cycle of the construction that the key `cycles` names, for each of
/// the two cycles.
std::vector<std::vector<std::size_t>> places_on_cycles(const Section& parameters,
                                                       const Grid& torus) {
  std::vector<std::vector<std::size_t>> places(2, std::vector<std::size_t>(torus.node_count()));
  const bool zigzag = parameters.text("cycles") == "zigzag";
  const auto trails = zigzag ? zigzag_cycles(torus) : std::vector<Trail>{};
  const auto cycles = zigzag ? std::vector<HamiltonianCycle>{} : hamiltonian_cycles(torus);
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t at = 0; at < torus.node_count(); ++at) {
      places[c][index(zigzag ? trails[c][at].node : cycles[c].nodes[at])] = at;
    }
  }
  return places;
}

/// The steps until packets that circulate both ways on both cycles have reached every node: the
/// largest distance over pairs of nodes, on the cycle where they are closer.
Figures two_cycles(const Section& parameters) {
  const Grid torus = torus_of(parameters);
  require(in_two_dimensions(torus, "the remark on two cycles"));
  const auto places = places_on_cycles(parameters, torus);
  const std::size_t nodes = torus.node_count();
  std::size_t steps = 0;
  for (std::size_t u = 0; u < nodes; ++u) {
    for (std::size_t v = 0; v < u; ++v) {
      std::size_t nearest = nodes;
      for (const std::vector<std::size_t>& place : places) {
        const std::size_t apart = std::max(place[u], place[v]) - std::min(place[u], place[v]);
        nearest = std::min({nearest, apart, nodes - apart});
      }
      steps = std::max(steps, nearest);
    }
  }
  return {{{"steps", steps}}};
}

/// The length of a trail on a growing torus: its size n2 (2-D) or n1 (3-D) doubles.
Figures growing_trails(const Section& parameters) {
  std::vector<std::size_t> sizes = counts_of(parameters, "sizes");
  Figures figures;
  for (std::size_t step = 0; step < parameters.count("steps"); ++step) {
    const Grid grown = torus(sizes);
    figures["lengths"].push_back(laps(grown)[0].size());
    sizes[axis_1(grown)] *= 2;
  }
  return figures;
}

Figures zigzag_table(const Section& parameters) {
  const auto [i, only] = counts_in(parameters, "i", "j");
  Figures figures;
  for (std::size_t j = 1; j < i; ++j) {
    if (only == 0 || only == j) figures["moves"].push_back(zigzag_moves(i, j));
  }
  return figures;
}

}  // namespace

FigureMakers gossip_makers() {
  return {{"bisection", bisection},       {"gossip", gossip},
          {"two_gossips", two_gossips},   {"trails", trails},
          {"column_rules", column_rules}, {"feeding_streams", feeding_streams},
          {"two_cycles", two_cycles},     {"growing_trails", growing_trails},
          {"zigzag_table", zigzag_table}};
}

}  // namespace flitcast::claims
