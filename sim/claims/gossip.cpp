// SPDX-License-Identifier: Apache-2.0
// Machines for document 001: U. Meyer and J. F. Sibeyn, "Gossiping Large Packets on Full-Port Tori"
// (1998). Tori have the sizes n1, n2, ..: n1 rows along dimension 0, n2 columns along dimension 1.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

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

Param sizes() { return Param::integers("sizes", "", "Sizes n1, n2, ... of the torus.", 3, 4096); }

Figures bisection(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const TopologyMetrics of_mesh = measure(mesh({n, n}));
  const TopologyMetrics of_torus = measure(torus({n, n}));
  return {{{"bisection", {*of_mesh.bisection_channels / 2, *of_torus.bisection_channels / 2}},
           {"diameter", {of_mesh.diameter, of_torus.diameter}}}};
}

// Schedules.

/// By node: the messages that it receives, which a table of a time-dependent schedule lists.
std::vector<std::size_t> table_entries(const Grid& torus, const Schedule& schedule) {
  std::vector<std::size_t> entries(torus.node_count());
  for (std::size_t m = 0; m < schedule.size(); ++m) ++entries[index(schedule.message(m).to)];
  return entries;
}

std::size_t largest_load(const Grid& torus, const Schedule& schedule) {
  const std::size_t ports = 2 * torus.dimensions();
  Tally tally(torus.node_count() * ports);
  std::uint32_t largest = 0;
  for (std::uint32_t round = 0; round < schedule.rounds(); ++round) {
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      const std::size_t node = index(schedule.message(m).from);
      largest = std::max(largest, tally.add(node * ports + index(schedule.path(m)[0]), round));
    }
  }
  return largest;
}

/// Adds the most pairs (input, output) by which packets that go on pass a node, and the number of
/// nodes where every output has one input only. Outputs whose packets do not go on behind the next
/// node feed nodes beside a trail and do not count.
void add_forwarding(const Grid& torus, const Schedule& schedule, ordered_json& figures) {
  const std::size_t ports = 2 * torus.dimensions();
  std::map<std::pair<NodeId, ChunkId>, PortId> arrivals;
  std::vector<std::set<PortId>> inputs(torus.node_count() * ports);  // By node and output.
  std::vector<bool> goes_on(torus.node_count() * ports);
  for (std::size_t m = 0; m < schedule.size(); ++m) {
    const Message& message = schedule.message(m);
    const PortId output = schedule.path(m)[0];
    const auto arrival = arrivals.find({message.from, message.chunk});
    if (arrival != arrivals.end()) {
      const NodeId before = neighbour(torus, message.from, arrival->second);
      inputs[index(message.from) * ports + index(output)].insert(arrival->second);
      goes_on[index(before) * ports + index(opposite(arrival->second))] = true;
    }
    arrivals.emplace(std::pair{message.to, message.chunk}, opposite(output));
  }
  std::size_t most = 0;
  std::size_t constant = 0;
  for (std::size_t node = 0; node < torus.node_count(); ++node) {
    std::size_t pairs = 0;
    std::size_t most_inputs = 0;
    for (std::size_t at = node * ports; at < (node + 1) * ports; ++at) {
      if (!goes_on[at]) continue;
      pairs += inputs[at].size();
      most_inputs = std::max(most_inputs, inputs[at].size());
    }
    most = std::max(most, pairs);
    if (most_inputs <= 1) ++constant;
  }
  figures["rules"] = most;
  figures["constant_nodes"] = constant;
}

/// The algorithm of a theorem; 0 is the earlier algorithm by broadcast trees.
std::string algorithm_of(std::size_t theorem, const Grid& torus) {
  if (theorem == 0) return "disjoint_trees";
  if (theorem > 1) return "zigzag_trails";
  const bool even = torus.size(0) % 2 == 0 || torus.size(1) % 2 == 0;
  return even && torus.dimensions() == 2 ? "zigzag_cycles" : "hamiltonian_cycles";
}

VerifiedCollective gossip_by(const std::string& algorithm, const Grid& torus) {
  return on_step_machine({torus, NodeId{}, kAllPorts, Operation::kGossip}, algorithm);
}

Figures gossip(const Section& parameters) {
  const Grid torus = torus_of(parameters);
  const std::string given = parameters.text("algorithm");
  const std::string algorithm =
      given == "by_theorem" ? algorithm_of(parameters.count("theorem"), torus) : given;
  const VerifiedCollective verified = gossip_by(algorithm, torus);
  const Schedule& schedule = verified.collective.plan.schedule;
  const std::vector<std::size_t> entries = table_entries(torus, schedule);
  Figures figures;
  add_figures(torus, verified, figures.values);
  figures.values["packets"] = verified.collective.demand.chunks_per_node;
  figures.values["entries"] = *std::max_element(entries.begin(), entries.end());
  figures.values["largest"] = largest_load(torus, schedule);
  add_forwarding(torus, schedule, figures.values);
  add_network_figures({{"kind", "torus"}, {"sizes", torus.node_grid()}},
                      {{"kind", "collective"}, {"operation", "gossip"}, {"algorithm", algorithm}},
                      verified, figures.values);
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
  std::vector<std::size_t> axes(torus.dimensions());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  if (axes.size() == 2) std::swap(axes[0], axes[1]);
  return zigzag_laps(torus, axes);
}

/// The trails that the key `trails` names.
std::vector<Trail> trails_of(const Section& parameters, const Grid& torus) {
  const std::string& name = parameters.text("trails");
  const bool by_theorem_1 = name == "by_theorem" && parameters.count("theorem") == 1;
  if (name == "cycles" || by_theorem_1) return zigzag_cycles(torus);
  if (name != "printed_rule") return laps(torus);
  require(in_two_dimensions(torus, "a rule by columns"));
  const std::size_t columns = torus.size(1);
  return trails_by(torus, [=](std::size_t column) { return zigzag_coupling(column, columns); });
}

std::vector<LoadedTrail> with_an_entry_at_every_position(const std::vector<Trail>& trails) {
  std::vector<LoadedTrail> all(trails.size());
  for (std::size_t t = 0; t < trails.size(); ++t) {
    for (const TrailPosition& position : trails[t]) all[t].append(position, {ChunkId{}});
  }
  return all;
}

std::vector<std::size_t> lengths_of(const std::vector<Trail>& trails) {
  std::vector<std::size_t> lengths;
  for (const Trail& trail : trails) lengths.push_back(trail.size());
  return lengths;
}

/// By node: the trails that visit it.
std::vector<std::set<std::size_t>> trails_at(const Grid& torus, const std::vector<Trail>& trails) {
  std::vector<std::set<std::size_t>> at(torus.node_count());
  for (std::size_t t = 0; t < trails.size(); ++t) {
    for (const TrailPosition& position : trails[t]) at[index(position.node)].insert(t);
  }
  return at;
}

/// Adds the nodes that are on one of several trails only, and the columns of the plane where they
/// are.
void add_single_nodes(const Grid& torus, const std::vector<std::set<std::size_t>>& at,
                      ordered_json& figures) {
  std::set<std::size_t> columns;
  std::size_t nodes = 0;
  for (const NodeId node : torus.nodes()) {
    if (at[index(node)].size() != 1) continue;
    ++nodes;
    columns.insert(torus.coordinate(node, 1));
  }
  figures["single_nodes"] = nodes;
  figures["columns"] = columns;
}

/// Adds the laps of the first trail, which end where axis 1 returns to coordinate 0, their first
/// length and the zigzag of every lap, which its highest axis tells.
void add_laps(const Grid& torus, const Trail& trail, ordered_json& figures) {
  const std::size_t first = axis_1(torus);
  std::vector<std::size_t> lengths{0};
  std::vector<std::size_t> zigzags{0};
  for (const TrailPosition& position : trail) {
    const std::size_t dimension = index(position.output) / 2;
    const std::size_t axis = first == 1 ? 2 - dimension : dimension + 1;
    ++lengths.back();
    zigzags.back() = std::max(zigzags.back(), axis - 1);
    const NodeId next = neighbour(torus, position.node, position.output);
    if (dimension != first || torus.coordinate(next, first) != 0) continue;
    lengths.push_back(0);
    zigzags.push_back(0);
  }
  lengths.pop_back();
  zigzags.pop_back();
  figures["laps"] = lengths.size();
  figures["lap_length"] = lengths[0];
  figures["zigzags"] = zigzags;
  const auto next_plane = std::find(zigzags.begin(), zigzags.end(), std::size_t{2});
  figures["laps_per_plane"] =
      std::min<std::size_t>(next_plane - zigzags.begin() + 1, zigzags.size());
}

/// A node that is not on a trail, and its suppliers there.
struct NodeBeside {
  NodeId node{};
  std::size_t trail = 0;
  std::vector<Supplier> suppliers;
  std::uint32_t separation = 0;  ///< The nodes between two suppliers along the trail.
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
void add_suppliers(const Grid& torus, const std::vector<NodeBeside>& beside,
                   ordered_json& figures) {
  std::set<std::size_t> suppliers;
  std::set<std::uint32_t> all;
  std::set<std::uint32_t> lower;
  std::set<std::uint32_t> upper;
  for (const NodeBeside& one : beside) {
    suppliers.insert(one.suppliers.size());
    all.insert(one.separation);
    const bool is_low = torus.coordinate(one.node, axis_1(torus)) >= torus.dimensions();
    (is_low ? lower : upper).insert(one.separation);
  }
  figures["pairs"] = beside.size();
  figures["suppliers"] = suppliers;
  figures["separations"] = all;
  figures["lower_separations"] = lower;
  figures["upper_separations"] = upper;
}

/// Adds the nodes with x >= 3 of a 3-D torus, and those among them whose neighbours at y + 1 and
/// z + 1 are on the next trail, and those at y - 1 and z - 1 on the one before.
void add_neighbours(const Grid& torus, const std::vector<std::set<std::size_t>>& at,
                    ordered_json& figures) {
  std::size_t lower = 0;
  std::size_t as_stated = 0;
  for (const NodeId node : torus.nodes()) {
    if (torus.coordinate(node, 0) < 3) continue;
    ++lower;
    const std::size_t own = *at[index(node)].begin();
    bool holds = at[index(node)].size() == 1;
    for (const std::size_t axis : {1, 2}) {
      holds &= at[index(shifted(torus, node, axis, 1))].count((own + 1) % 3) == 1;
      holds &= at[index(shifted(torus, node, axis, -1))].count((own + 2) % 3) == 1;
    }
    if (holds) ++as_stated;
  }
  figures["nodes"] = lower;
  figures["as_stated"] = as_stated;
}

std::size_t links_of(const Grid& torus, const std::vector<LoadedTrail>& trails) {
  std::size_t ends = 0;
  for (const std::vector<bool>& ports : links_in_use(torus, trails)) {
    ends += static_cast<std::size_t>(std::count(ports.begin(), ports.end(), true));
  }
  return ends / 2;
}

Figures trails(const Section& parameters) {
  const Grid torus = torus_of(parameters);
  const std::vector<Trail> found = trails_of(parameters, torus);
  const std::vector<std::size_t> lengths = lengths_of(found);
  const std::size_t steps = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  const auto at = trails_at(torus, found);
  Figures figures;
  figures.values = {{"trails", lengths}, {"length", lengths[0]}};
  // A link that is used twice is missing among the links in use.
  figures.values["shared"] = steps - links_of(torus, with_an_entry_at_every_position(found));
  add_single_nodes(torus, at, figures.values);
  if (parameters.text("trails") == "laps") add_laps(torus, found[0], figures.values);
  add_suppliers(torus, nodes_beside(torus, found), figures.values);
  if (torus.dimensions() == 3) add_neighbours(torus, at, figures.values);
  if (torus.dimensions() < 4 && torus.node_count() <= kMostNodesDrawn) {
    figures.drawings.push_back(drawing_of(torus, found));
  }
  return figures;
}

/// The entries of a table for broadcast trees, and the fixed rules of cycles.
Figures two_gossips(const Section& parameters) {
  const Grid torus = torus_of(parameters);
  const VerifiedCollective trees = gossip_by("disjoint_trees", torus);
  const VerifiedCollective cycles = gossip_by("hamiltonian_cycles", torus);
  const auto entries = table_entries(torus, trees.collective.plan.schedule);
  Figures figures;
  figures.values["entries"] = *std::max_element(entries.begin(), entries.end());
  add_forwarding(torus, cycles.collective.plan.schedule, figures.values);
  return figures;
}

/// The trails by the rules of columns 0 and 1, as printed and with the rule of even columns in
/// both.
Figures one_packet_rules(const Section& parameters) {
  const Grid torus = torus_of(parameters);
  require(in_two_dimensions(torus, "a rule by columns"));
  return {{{"printed_trails", lengths_of(trails_by(torus, one_packet_rule(Coupling::kTopLeft)))},
           {"trails", lengths_of(trails_by(torus, one_packet_rule(Coupling::kTopRight)))}}};
}

/// The trails by the rule of section 2 as printed, and by that rule with rows and columns exchanged
/// where only n2 is even.
Figures printed_rule(const Section& parameters) {
  const Grid torus = torus_of(parameters);
  require(in_two_dimensions(torus, "a rule by columns"));
  const std::size_t columns = torus.size(1);
  Figures figures;
  figures.values["trails"] = lengths_of(
      trails_by(torus, [=](std::size_t column) { return zigzag_coupling(column, columns); }));
  figures.values["refused"] = false;
  figures.values["exchanged"] = ordered_json::array();
  try {
    figures.values["exchanged"] = lengths_of(zigzag_cycles(torus));
  } catch (const PreconditionError& error) {
    figures.values["refused"] = true;
    figures.values["reason"] = error.what();
  }
  return figures;
}

/// The packets of a trail that a node beside it does not receive, and further receipts of packets.
struct Receipts {
  std::size_t missing = 0;
  std::size_t multiple = 0;
};

/// Receipts in `steps` steps if one supplier sends the forward packets in the first `change` steps
/// and the backward packets afterwards, the other one the opposite. In step t = 0, 1, .. the
/// forward packet at position p is that of position p - t, the backward packet that of p + t.
Receipts receipts(std::uint32_t length, const NodeBeside& beside, bool swapped,
                  std::uint32_t change, std::uint32_t steps) {
  const std::uint32_t one = beside.suppliers[swapped ? 1 : 0].position;
  const std::uint32_t other = beside.suppliers[swapped ? 0 : 1].position;
  std::vector<std::size_t> received(length);
  for (std::uint32_t t = 0; t < steps; ++t) {
    const std::uint32_t ahead = t % length;
    const std::uint32_t behind = length - ahead;
    ++received[(one + (t < change ? behind : ahead)) % length];
    ++received[(other + (t < change ? ahead : behind)) % length];
  }
  Receipts receipts;
  for (const std::size_t count : received) {
    if (count == 0) ++receipts.missing;
    if (count > 1) receipts.multiple += count - 1;
  }
  return receipts;
}

/// The least number of steps in which streams that never change bring all packets of a trail.
std::uint32_t steps_without_change(std::uint32_t length, const NodeBeside& beside) {
  const auto suffice = [&](std::uint32_t steps) {
    return receipts(length, beside, false, steps, steps).missing == 0 ||
           receipts(length, beside, true, steps, steps).missing == 0;
  };
  std::uint32_t least = (length + 1) / 2;
  for (std::uint32_t most = length; least < most;) {
    const std::uint32_t middle = (least + most) / 2;
    (suffice(middle) ? most : least) = suffice(middle) ? middle : middle + 1;
  }
  return least;
}

/// The gossip of a theorem, and two ways to feed the nodes beside its trails from streams alone:
/// with one change of direction as printed, and with none.
Figures feeding_streams(const Section& parameters) {
  Figures figures = gossip(parameters);
  const Grid torus = torus_of(parameters);
  const std::vector<Trail> found = trails_of(parameters, torus);
  Receipts printed;
  std::uint32_t extra = 0;
  std::uint32_t largest = 0;
  for (const NodeBeside& one : nodes_beside(torus, found)) {
    if (one.suppliers.size() != 2) continue;
    const auto length = static_cast<std::uint32_t>(found[one.trail].size());
    const std::uint32_t half = (length + 1) / 2;
    const Receipts here = receipts(length, one, false, one.separation, half);
    printed.missing = std::max(printed.missing, here.missing);
    printed.multiple = std::max(printed.multiple, here.multiple);
    extra = std::max(extra, steps_without_change(length, one) - half);
    largest = std::max(largest, one.separation);
  }
  figures.values["length"] = found[0].size();
  figures.values["missing_as_printed"] = printed.missing;
  figures.values["multiple_as_printed"] = printed.multiple;
  figures.values["largest_separation"] = largest;
  figures.values["extra"] = extra;
  return figures;
}

/// The steps until packets that circulate both ways on all of the cycles have reached every node:
/// the largest distance over pairs of nodes, on the cycle where they are closer.
std::size_t steps_round_cycles(const std::vector<std::vector<NodeId>>& cycles) {
  const std::size_t nodes = cycles[0].size();
  std::vector<std::vector<std::size_t>> places(cycles.size(), std::vector<std::size_t>(nodes));
  for (std::size_t c = 0; c < cycles.size(); ++c) {
    for (std::size_t at = 0; at < nodes; ++at) places[c][index(cycles[c][at])] = at;
  }
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
  return steps;
}

Figures two_cycles(const Section& parameters) {
  const Grid torus = torus_of(parameters);
  require(in_two_dimensions(torus, "the remark on two cycles"));
  std::vector<std::vector<NodeId>> cycles;
  if (parameters.text("cycles") == "zigzag") {
    for (const Trail& trail : zigzag_cycles(torus)) {
      cycles.emplace_back();
      for (const TrailPosition& position : trail) cycles.back().push_back(position.node);
    }
  } else {
    for (const HamiltonianCycle& cycle : hamiltonian_cycles(torus)) cycles.push_back(cycle.nodes);
  }
  return {{{"steps", steps_round_cycles(cycles)}}};
}

/// The length of a trail on a growing torus: its size n2 (2-D) or n1 (3-D) doubles.
Figures growing_trails(const Section& parameters) {
  std::vector<std::size_t> sizes = counts_of(parameters, "sizes");
  ordered_json lengths = ordered_json::array();
  ordered_json nodes = ordered_json::array();
  ordered_json growing = ordered_json::array();
  for (std::size_t step = 0; step < parameters.count("steps"); ++step) {
    const Grid grown = torus(sizes);
    lengths.push_back(laps(grown)[0].size());
    nodes.push_back(grown.node_count());
    growing.push_back(sizes[axis_1(grown)]);
    sizes[axis_1(grown)] *= 2;
  }
  return {{{"lengths", lengths}, {"nodes", nodes}, {"growing", growing}}};
}

Figures zigzag_table(const Section& parameters) {
  const std::size_t i = parameters.count("i");
  const std::size_t only = parameters.count("j");
  ordered_json moves = ordered_json::array();
  for (std::size_t j = 1; j < i; ++j) {
    if (only == 0 || only == j) moves.push_back(zigzag_moves(i, j));
  }
  return {{{"moves", moves}}};
}

}  // namespace

std::vector<Machine> gossip_machines() {
  const Param theorem =
      Param::integer("theorem", "", "Theorem of document 001.", 1, 4).defaults_to(1);
  const Param algorithm = Param::choice(
      "algorithm", "The algorithm.",
      {"by_theorem", "disjoint_trees", "hamiltonian_cycles", "zigzag_cycles", "zigzag_trails"});
  const Param trail_names =
      Param::choice("trails", "The trails.", {"by_theorem", "cycles", "laps", "printed_rule"});
  return {
      {"bisection",
       "Bisection and diameter of an n x n mesh and torus.",
       {Param::integer("n", "", "Nodes of a side.", 3, 64)},
       bisection},
      {"gossip", "A gossip on a torus.", {sizes(), theorem, algorithm}, gossip},
      {"trails",
       "Trails on a torus, and nodes beside them.",
       {sizes(), theorem, trail_names},
       trails},
      {"printed_rule", "The trails by the rule as printed.", {sizes()}, printed_rule},
      {"one_packet_rules", "The trails by two rules for one packet.", {sizes()}, one_packet_rules},
      {"two_gossips", "Tables and rules of two gossips.", {sizes()}, two_gossips},
      {"feeding_streams",
       "A gossip along trails, and other ways to feed nodes beside them.",
       {sizes(), theorem, algorithm, trail_names},
       feeding_streams},
      {"two_cycles",
       "Packets that circulate on two Hamiltonian cycles.",
       {sizes(), Param::choice("cycles", "The construction.", {"hamiltonian", "zigzag"})},
       two_cycles},
      {"growing_trails",
       "Trails on growing tori.",
       {sizes(), Param::integer("steps", "", "Tori tried.", 1, 8).defaults_to(4)},
       growing_trails},
      {"zigzag_table",
       "The moves of zigzags.",
       {Param::integer("i", "", "Dimensions.", 2, 16),
        Param::integer("j", "", "The zigzag; 0: all.", 0, 15).defaults_to(0)},
       zigzag_table},
  };
}

}  // namespace flitcast::claims
