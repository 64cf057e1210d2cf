// SPDX-License-Identifier: Apache-2.0
// Machines for document 003: permutation routing on meshes, greedy and randomized. Those for
// sorting and off-line routing are in sorting.cpp and off_line.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/sequences.h"
#include "collective/demand.h"
#include "permutation/experiment.h"
#include "sim/claims/statement.h"
#include "sim/claims/step_trial.h"
#include "sim/results/drawing.h"
#include "topology/adjacency.h"
#include "topology/grid.h"

namespace flitcast::claims {
namespace {

// The line.

/// The finishing time of farthest-first on a line, in closed form: the c packets that sources up to
/// i send to nodes d and beyond cross the link before d one by one, the last of them d - 1 - i
/// steps after it could at the earliest.
std::size_t closed_time_on_line(std::size_t nodes, const Instance& packets) {
  std::size_t time = 0;
  for (const bool mirrored : {false, true}) {
    const auto place = [&](NodeId node) {
      return mirrored ? nodes - 1 - index(node) : index(node);
    };
    for (std::size_t d = 1; d < nodes; ++d) {
      std::vector<std::size_t> crossing(d);  // By source.
      for (const Transfer& packet : packets) {
        if (place(packet.from) < d && d <= place(packet.to)) ++crossing[place(packet.from)];
      }
      std::size_t count = 0;
      for (std::size_t i = 0; i < d; ++i) {
        count += crossing[i];
        if (count > 0) time = std::max(time, count + d - 1 - i);
      }
    }
  }
  return time;
}

/// @param sources  By destination: the source of its packet; from `sources.size()` on: none.
Instance packets_from(const std::vector<std::size_t>& sources) {
  Instance packets;
  for (std::size_t to = 0; to < sources.size(); ++to) {
    if (sources[to] < sources.size()) {
      packets.push_back({to_id<NodeId>(sources[to]), to_id<NodeId>(to)});
    }
  }
  return packets;
}

/// All instances in which every destination has one packet of some source, or none.
void for_each_line_instance(std::size_t nodes, const InstanceVisitor& visit) {
  std::vector<std::size_t> sources(nodes);
  for (std::size_t digit = 0; digit < nodes;) {
    visit(packets_from(sources));
    for (digit = 0; digit < nodes && ++sources[digit] > nodes; ++digit) sources[digit] = 0;
  }
}

/// Visits the packets given as pairs; or all packets from node 0; or all instances of a short line;
/// otherwise the instance of node 0 and those with a random source, or none, for every destination.
void for_line_instances(const Section& parameters, const Topology& line,
                        const InstanceVisitor& visit) {
  constexpr std::size_t kMostNodesOfAll = 6;
  const std::size_t nodes = line.node_count();
  const std::vector<std::int64_t> pairs = parameters.integers("pairs");
  if (!pairs.empty()) {
    const Instance packets = instance_on(line, {{"pairs", pairs}});
    if (one_per_destination(packets)) return visit(packets);
    parameters.fail("pairs", "a destination gets several packets", "name every destination once");
  }
  const bool only_from_0 = parameters.text("instance") == "from_0";
  if (!only_from_0 && nodes <= kMostNodesOfAll) return for_each_line_instance(nodes, visit);
  std::vector<std::size_t> sources(nodes);
  sources[0] = nodes;
  visit(packets_from(sources));
  Random random(parameters.count("seed"));
  for (std::size_t run = 1; !only_from_0 && run < parameters.count("runs"); ++run) {
    for (std::size_t& source : sources) source = random.below(nodes + 1);
    visit(packets_from(sources));
  }
}

/// The destinations of packets of one source in the order in which they leave it: the delay of such
/// a packet is its time in the queue there.
ordered_json order_of_departure(const Instance& packets, const std::vector<std::uint32_t>& delays) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> left;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    if (packets[p].from != packets[0].from) return ordered_json::array();
    if (packets[p].to != packets[p].from) left.emplace_back(delays[p], index(packets[p].to));
  }
  std::sort(left.begin(), left.end());
  return mapped(left, [](const auto& departure) { return departure.second; });
}

Figures line_farthest(const Section& parameters) {
  const std::string line = mesh_name({parameters.count("n")});
  StepTrial farthest(line);
  StepTrial fifo(line, "algorithm: dimension_order, discipline: fifo");
  StepTrial nearest(line, "algorithm: dimension_order, discipline: nearest_first");
  RunFigures runs;
  std::size_t mismatches = 0;
  ordered_json order;
  for_line_instances(parameters, farthest.network(), [&](const Instance& packets) {
    const std::size_t time = farthest.play(packets).steps;
    const std::size_t closed = closed_time_on_line(farthest.network().node_count(), packets);
    if (time != closed) ++mismatches;
    order =
        runs.has("T") ? ordered_json::array() : order_of_departure(packets, farthest.last().delays);
    runs.add("T", {time});
    runs.add("closed_form", {closed});
    runs.add("FIFO", {fifo.play(packets).steps});
    runs.add("nearest_first", {nearest.play(packets).steps});
  });
  Figures figures{{{"instances", runs.runs("T")}, {"mismatches", mismatches}}};
  for (const char* name : {"T", "closed_form", "FIFO", "nearest_first"}) {
    figures[name] = runs.largest(name);
  }
  if (runs.runs("T") == 1) figures["order_of_departure"] = order;
  return figures;
}

// Dimension order.

/// Every packet from its source, by the corner where it turns, to its destination; on a line, one
/// step down the picture for each step of time, if no packet waits.
std::string drawing_of_packets(const Topology& mesh, const Instance& packets) {
  const Layout layout = mesh.layout();
  const bool is_line = mesh.node_grid().size() == 1;
  Drawing drawing;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const Position from = layout[index(packets[p].from)];
    const Position to = layout[index(packets[p].to)];
    const Position corner{to.x, is_line ? std::fabs(to.x - from.x) : from.y};
    drawing.line(from, corner, p);
    if (!is_line) drawing.line(corner, to, p);
  }
  for (const NodeId node : mesh.nodes()) drawing.node(layout[index(node)], "");
  return drawing.svg(fmt::format("{} packets on {}", packets.size(), mesh.name()));
}

/// The chosen permutations by dimension order with farthest-first queues.
Figures greedy_on(const Section& parameters, const std::vector<std::size_t>& sizes) {
  StepTrial trial(mesh_name(sizes));
  Figures figures = play_instances(trial, parameters);
  if (sizes.size() == 2) {
    figures["most_queued"] = most_queued_under_xy(sizes[0], sizes[1]);
  }
  if (figures["instances"] == 1 && trial.network().node_count() <= kMostNodesDrawn) {
    figures.drawings.push_back(drawing_of_packets(trial.network(), trial.packets()));
  }
  return figures;
}

/// The lengths of the queue where the packets of worst_buffer() turn, after every step: a packet
/// enters it after as many steps as it has hops up to there, and stays as long as it is delayed.
std::vector<std::size_t> queue_by_step(const StepTrial& trial, const Instance& packets) {
  const MeshShape mesh = mesh_shape(trial.network());
  std::size_t row = mesh.rows;
  for (const Transfer& packet : packets) row = std::min(row, mesh.row(packet.to) - 1);
  std::vector<std::size_t> lengths(trial.last().steps);
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const auto [from, to] = std::minmax({mesh.column(packets[p].from), mesh.column(packets[p].to)});
    const std::size_t enters = to - from + row - mesh.row(packets[p].from);
    for (std::size_t t = enters; t <= enters + trial.last().delays[p]; ++t) ++lengths[t];
  }
  return lengths;
}

/// The worst instance for the queues of an n x n mesh beside random permutations, the counted
/// bound, the mesh of twice the side, and the sides from 4 on.
Figures worst_buffers(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const auto queue_of = [](std::size_t side) {
    return StepTrial(mesh_name({side, side})).play(worst_buffer(side, side)).max_queue;
  };
  StepTrial trial(mesh_name({n, n}));
  RunFigures random;
  for (std::size_t r = 0; r < parameters.count("runs"); ++r) {
    random.add(trial.play(instance_of(random_permutation(r + 1, n * n))));
  }
  const Instance packets = worst_buffer(n, n);
  const StepFigures run = trial.play(packets);
  const std::vector<std::size_t> queues = mapped(numbers(4, n + 1), queue_of);
  return {{{"T", run.steps},
           {"queue", run.max_queue},
           {"beside", run.max_held},
           {"most_queued", most_queued_under_xy(n, n)},
           {"random_queue", random.largest("queue")},
           {"doubled", queue_of(2 * n)},
           {"queues", queues},
           {"queue_by_step", queue_by_step(trial, packets)}},
          {drawing_of_packets(trial.network(), packets)}};
}

// Meshes of more dimensions.

/// Packets that share the link of dimension `d` from h - 1 to h: they start where that coordinate
/// is below h and the later ones are 0, and go to nodes where it is at least h and the earlier ones
/// are h. Those that reach the link first go farthest behind it, and the last one has the longest
/// path in the later dimensions.
/// @param late  True for the possible sources farthest from the link.
Instance over_one_link(const Grid& grid, std::size_t d, std::size_t h, bool late) {
  using Ranked = std::pair<std::pair<std::size_t, std::size_t>, NodeId>;
  std::vector<Ranked> sources;  // By the hops up to the link.
  std::vector<Ranked> destinations;
  for (const NodeId node : grid.nodes()) {
    std::size_t before = 0;
    std::size_t after = 0;
    for (std::size_t e = 0; e < grid.dimensions(); ++e) {
      const std::size_t x = grid.coordinate(node, e);
      if (e < d) before += x > h ? x - h : h - x;
      if (e > d) after += x;
    }
    const std::size_t at = grid.coordinate(node, d);
    if (at < h && after == 0) sources.push_back({{before + h - 1 - at, 0}, node});
    if (at >= h && before == 0) destinations.push_back({{grid.size(d) - at, after}, node});
  }
  std::sort(sources.begin(), sources.end());
  std::sort(destinations.begin(), destinations.end());
  const std::size_t count = std::min(sources.size(), destinations.size());
  const std::size_t first = late ? sources.size() - count : 0;
  return tabulated(count, [&](std::size_t p) {
    return Transfer{sources[first + p].second,
                    destinations[destinations.size() - count + p].second};
  });
}

/// Instances that may exceed n (k - 1) steps: all permutations of eight nodes; B3(k) in three
/// dimensions, and random ones of 3 x 3 x 3; crowds at one link otherwise.
/// @param tried  Returns true if an instance exceeds these steps.
void for_hard_cubes(const Section& parameters, const Grid& grid,
                    const std::function<bool(const Instance&)>& tried) {
  constexpr std::size_t kMostSearched = 100000;
  const std::size_t n = grid.dimensions();
  const std::size_t k = grid.size(0);
  const std::size_t nodes = grid.node_count();
  if (nodes <= 8) return for_all_permutations(parameters, "instance", nodes, tried);
  if (n == 3) tried(worst_dimension_order(k));
  if (k == 2 && n % 2 == 1) tried(instance_of(transpose_midflip(nodes)));
  for (std::size_t d = 1; n > 3 && d + 1 < n; ++d) {
    for (std::size_t h = 1; h < k; ++h) {
      for (const bool late : {false, true}) tried(over_one_link(grid, d, h, late));
    }
  }
  if (nodes > 27) return;
  for (std::size_t seed = 1; seed <= kMostSearched; ++seed) {
    if (tried(instance_of(random_permutation(seed, nodes)))) return;
  }
}

/// The first of the channels that most packets of the last phase share: "(1,1,0) to (1,2,0)".
std::string most_loaded(const StepTrial& trial, const Grid& grid) {
  const std::vector<std::size_t> loads = trial.loads();
  const auto most = std::max_element(loads.begin(), loads.end()) - loads.begin();
  const Channel& channel = grid.channels()[static_cast<std::size_t>(most)];
  const auto place = [&](RouterId router) {
    const auto at = tabulated(grid.dimensions(), [&](std::size_t dimension) {
      return grid.coordinate(to_id<NodeId>(index(router)), dimension);
    });
    return fmt::format("({})", fmt::join(at, ","));
  };
  return place(channel.from.router) + " to " + place(channel.to.router);
}

Figures kary_greedy(const Section& parameters) {
  const std::vector<std::size_t> sizes(parameters.count("n"), parameters.count("k"));
  const Grid grid = mesh(sizes);
  StepTrial trial(mesh_name(sizes));
  RunFigures runs;
  std::size_t most = 0;
  std::string link;
  const auto try_it = [&](const Instance& packets) {
    const StepFigures run = trial.play(packets);
    runs.add(run);
    if (run.congestion > most) link = most_loaded(trial, grid);
    most = std::max(most, run.congestion);
    return runs.largest("T") > parameters.count("n") * (parameters.count("k") - 1);
  };
  if (parameters.text("instance") == "hard" && parameters.integers("destinations").empty()) {
    for_hard_cubes(parameters, grid, try_it);
  } else {
    for_each_instance(parameters, grid, try_it);
  }
  Figures figures{{{"instances", runs.runs("T")}, {"most_loaded_link", link}}};
  add_largest(trial, runs, figures);
  return figures;
}

Figures kary_diameter(const Section& parameters) {
  const std::vector<std::size_t> sizes(parameters.count("n"), parameters.count("k"));
  return {{{"diameter", measure(mesh(sizes)).diameter}}};
}

// Random destinations and random stops.

/// The delays and queues of packets with independent random destinations, in many runs.
Figures random_destinations(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  StepTrial trial(mesh_name({n, n}));
  StepFigures all;
  RunFigures runs;
  std::size_t above = 0;
  for (std::size_t run = 0; run < parameters.count("runs"); ++run) {
    runs.add(trial.play(instance_of(random_function(parameters.count("seed") + run, n * n))));
    all.add(0, trial.last());
    if (trial.last().max_queue > 4) ++above;
  }
  const std::vector<double> tail = mapped(numbers(1, std::max<std::size_t>(8, all.max_delay) + 1),
                                          [&](std::size_t z) { return all.share_of_delays(z); });
  return {{{"above_4", above},
           {"mean_queue", runs.mean("queue")},
           {"tail", tail},
           {"largest_delay", all.max_delay}}};
}

/// A permutation over random stops: by XY to a random node and from there to the destination
/// (two_phase), or in three phases over random rows.
Figures random_stops(const Section& parameters, const std::string& algorithm) {
  const std::size_t n = parameters.count("n");
  const std::string plane = mesh_name({n, n});
  StepTrial trial(plane,
                  fmt::format("discipline: farthest_first, algorithm: {}, intermediate_seed: {}",
                              algorithm, parameters.count("seed")));
  Instance packets;
  for_each_instance(parameters, trial.network(), [&](const Instance& one) {
    if (packets.empty()) packets = completed(one, n * n);
  });
  Figures figures = play_runs(trial, parameters, packets);
  figures["greedy_T"] = StepTrial(plane).play(packets).steps;
  return figures;
}

/// The rows that packets of each row reach in the first of the three phases, without repetition.
Figures row_intervals(const Section& parameters) {
  constexpr std::size_t kPacketsOfRow = 20000;
  const std::size_t n = parameters.count("n");
  const StepTrial trial(mesh_name({n, n}), "algorithm: three_phase");
  const Instance packets = instance_of(all_nodes(n * n));
  std::vector<std::set<std::size_t>> reached(n);
  for (std::size_t run = 0; run < 1 + kPacketsOfRow / n; ++run) {
    const MovePlan plan = trial.plan(packets, run);
    for (const Message& move : plan.phases.messages(0)) {
      reached[index(move.from) / n].insert(index(move.to) / n);
    }
  }
  Figures figures;
  for (const auto& interval : std::set<std::set<std::size_t>>(reached.begin(), reached.end())) {
    figures["lengths"].push_back(interval.size());
    figures["first_rows"].push_back(*interval.begin());
  }
  return figures;
}

}  // namespace

FigureMakers mesh_makers() {
  return {
      {"line_farthest", line_farthest},
      {"greedy_line",
       [](const Section& parameters) { return greedy_on(parameters, {parameters.count("n")}); }},
      {"greedy_plane",
       [](const Section& parameters) { return greedy_on(parameters, plane_of(parameters)); }},
      {"worst_buffers", worst_buffers},
      {"kary_greedy", kary_greedy},
      {"kary_diameter", kary_diameter},
      {"random_destinations", random_destinations},
      {"two_random_steps",
       [](const Section& parameters) { return random_stops(parameters, "two_phase"); }},
      {"three_random_phases",
       [](const Section& parameters) { return random_stops(parameters, "three_phase"); }},
      {"row_intervals", row_intervals}};
}

}  // namespace flitcast::claims
