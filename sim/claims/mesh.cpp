// SPDX-License-Identifier: Apache-2.0
// Machines for document 003: permutation routing on meshes, greedy and randomized. Those for
// sorting and off-line routing are in sorting.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "collective/demand.h"
#include "permutation/experiment.h"
#include "sim/claims/mesh_trial.h"
#include "sim/claims/statement.h"
#include "sim/results/drawing.h"
#include "topology/adjacency.h"

namespace flitcast::claims {
namespace {

using MeshSizes = std::vector<std::size_t>;
using InstanceVisitor = std::function<void(const Instance&)>;

// The line.

/// The finishing time of farthest-first on a line, in closed form: the c packets that sources up to
/// i send to nodes d and beyond cross the link before d one by one, the last of them d - 1 - i
/// steps after it could at the earliest.
std::size_t closed_time_on_line(std::size_t nodes, const Instance& packets) {
  std::size_t time = 0;
  for (const bool mirrored : {false, true}) {
    // By source and destination: counts of packets with at most this source, at least this
    // destination.
    std::vector<std::vector<std::size_t>> count(nodes, std::vector<std::size_t>(nodes));
    for (const Transfer& packet : packets) {
      const std::size_t from = mirrored ? nodes - 1 - index(packet.from) : index(packet.from);
      const std::size_t to = mirrored ? nodes - 1 - index(packet.to) : index(packet.to);
      for (std::size_t i = from; i < to; ++i) {
        for (std::size_t d = i + 1; d <= to; ++d) ++count[i][d];
      }
    }
    for (std::size_t d = 1; d < nodes; ++d) {
      for (std::size_t i = 0; i < d; ++i) {
        if (count[i][d] > 0) time = std::max(time, count[i][d] + d - 1 - i);
      }
    }
  }
  return time;
}

/// All instances in which every destination has one packet of some source, or none.
void for_each_line_instance(std::size_t nodes, const InstanceVisitor& visit) {
  std::vector<std::size_t> source(nodes);  // By destination; `nodes`: none.
  for (std::size_t digit = 0; digit < nodes;) {
    Instance packets;
    for (std::size_t to = 0; to < nodes; ++to) {
      if (source[to] < nodes) packets.push_back({to_id<NodeId>(source[to]), to_id<NodeId>(to)});
    }
    visit(packets);
    for (digit = 0; digit < nodes && ++source[digit] > nodes; ++digit) source[digit] = 0;
  }
}

Instance all_from_first(std::size_t nodes) {
  Instance packets;
  for (std::size_t to = 1; to < nodes; ++to) packets.push_back({NodeId{0}, to_id<NodeId>(to)});
  return packets;
}

/// Random sources for every destination, or none; and the instance in which node 0 sends all.
void for_random_line_instances(const Section& parameters, const InstanceVisitor& visit) {
  const std::size_t nodes = parameters.count("n");
  visit(all_from_first(nodes));
  Random random(parameters.count("seed"));
  for (std::size_t run = 1; run < parameters.count("runs"); ++run) {
    Instance packets;
    for (std::size_t to = 0; to < nodes; ++to) {
      const std::size_t from = random.below(nodes + 1);
      if (from < nodes) packets.push_back({to_id<NodeId>(from), to_id<NodeId>(to)});
    }
    visit(packets);
  }
}

Instance line_pairs(const Section& parameters) {
  Instance packets;
  const std::vector<std::int64_t> pairs = parameters.integers("pairs");
  bool inside = pairs.size() % 2 == 0;
  for (std::size_t at = 0; inside && at < pairs.size(); at += 2) {
    for (const std::size_t end : {at, at + 1}) {
      inside = inside && pairs[end] < parameters.integer("n");
    }
    packets.push_back({to_id<NodeId>(static_cast<std::size_t>(pairs[at])),
                       to_id<NodeId>(static_cast<std::size_t>(pairs[at + 1]))});
  }
  if (inside && one_per_destination(packets)) return packets;
  parameters.fail("pairs", "these are no packets with one for a destination at most",
                  "write source, destination, source, destination, ... below n");
}

constexpr std::size_t kMostNodesOfAllLines = 6;

void for_line_instances(const Section& parameters, const InstanceVisitor& visit) {
  const std::size_t nodes = parameters.count("n");
  const std::string& name = parameters.text("instance");
  if (!parameters.integers("pairs").empty()) return visit(line_pairs(parameters));
  if (name == "from_0") return visit(all_from_first(nodes));
  if (nodes <= kMostNodesOfAllLines) return for_each_line_instance(nodes, visit);
  for_random_line_instances(parameters, visit);
}

/// The destinations of packets of one source in the order in which they leave it: the delay of such
/// a packet is its time in the queue there.
ordered_json order_of_departure(const Instance& packets, const MeshRun& run) {
  std::vector<std::pair<std::uint32_t, NodeId>> left;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    if (packets[p].from != packets[0].from) return ordered_json::array();
    if (packets[p].to != packets[p].from) left.emplace_back(run.delays[p], packets[p].to);
  }
  std::sort(left.begin(), left.end());
  ordered_json order = ordered_json::array();
  for (const auto& [delay, to] : left) order.push_back(index(to));
  return order;
}

Figures line_farthest(const Section& parameters) {
  const std::size_t nodes = parameters.count("n");
  MeshTrial farthest({nodes});
  MeshTrial fifo({nodes}, "dimension_order", "", "fifo");
  MeshTrial nearest({nodes}, "dimension_order", "", "nearest_first");
  MeshRun worst;
  std::size_t instances = 0;
  std::size_t closed = 0;
  std::size_t mismatches = 0;
  std::size_t by_fifo = 0;
  std::size_t by_nearest = 0;
  ordered_json order;
  for_line_instances(parameters, [&](const Instance& packets) {
    const MeshRun run = farthest.play(packets);
    const std::size_t time = closed_time_on_line(nodes, packets);
    if (run.steps != time) ++mismatches;
    worst.raise_to(run);
    closed = std::max(closed, time);
    by_fifo = std::max(by_fifo, fifo.play(packets).steps);
    by_nearest = std::max(by_nearest, nearest.play(packets).steps);
    if (++instances == 1) order = order_of_departure(packets, run);
  });
  Figures figures;
  figures.values = {{"instances", instances},   {"T", worst.steps}, {"closed_form", closed},
                    {"mismatches", mismatches}, {"FIFO", by_fifo},  {"nearest_first", by_nearest}};
  if (instances == 1) figures.values["order_of_departure"] = order;
  return figures;
}

// Dimension order.

/// The way of every packet of a line, one step down the picture for each step of time, if no packet
/// waits.
std::string drawing_of_line(const Instance& packets, std::size_t nodes) {
  Drawing drawing;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const double from = static_cast<double>(index(packets[p].from));
    const double to = static_cast<double>(index(packets[p].to));
    drawing.line({from, 0}, {to, std::fabs(to - from)}, p);
  }
  for (std::size_t x = 0; x < nodes; ++x) {
    drawing.node({static_cast<double>(x), 0}, std::to_string(x));
  }
  return drawing.svg(fmt::format("{} packets on a line; time goes down", packets.size()));
}

/// Every packet from its source, by the corner where it turns, to its destination.
std::string drawing_of_plane(const Grid& plane, const Instance& packets) {
  const Layout layout = plane.layout();
  Drawing drawing;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const Position from = layout[index(packets[p].from)];
    const Position to = layout[index(packets[p].to)];
    const Position corner{to.x, from.y};
    drawing.line(from, corner, p);
    drawing.line(corner, to, p);
  }
  for (const NodeId node : plane.nodes()) drawing.node(layout[index(node)], "");
  return drawing.svg(fmt::format("{} packets on {}", packets.size(), plane.name()));
}

/// The chosen permutations by dimension order with farthest-first queues.
Figures greedy_on(const Section& parameters, const MeshSizes& sizes) {
  MeshTrial trial(sizes);
  Instance last;
  Figures figures = play_instances(trial, parameters, last);
  if (sizes.size() == 2) {
    figures.values["most_queued"] = most_queued_under_xy(sizes[0], sizes[1]);
  }
  if (figures.values["instances"] > 1 || trial.mesh().node_count() > kMostNodesDrawn) {
    return figures;
  }
  figures.drawings.push_back(sizes.size() == 1 ? drawing_of_line(last, sizes[0])
                                               : drawing_of_plane(trial.mesh(), last));
  return figures;
}

Figures greedy_line(const Section& parameters) {
  return greedy_on(parameters, {parameters.count("n")});
}

Figures greedy_plane(const Section& parameters) {
  return greedy_on(parameters, plane_of(parameters));
}

/// The lengths of the queue where the packets of worst_buffer() turn, after every step: a packet
/// enters it after as many steps as it has hops up to there, and stays as long as it is delayed.
std::vector<std::size_t> crowd_by_step(const Grid& plane, const Instance& packets,
                                       const MeshRun& run) {
  std::size_t row = plane.size(1);
  for (const Transfer& packet : packets) row = std::min(row, plane.coordinate(packet.to, 1) - 1);
  std::vector<std::size_t> lengths(run.steps);
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const std::size_t x = plane.coordinate(packets[p].from, 0);
    const std::size_t column = plane.coordinate(packets[p].to, 0);
    const std::size_t enters =
        (x > column ? x - column : column - x) + row - plane.coordinate(packets[p].from, 1);
    for (std::size_t t = enters; t <= enters + run.delays[p]; ++t) ++lengths[t];
  }
  return lengths;
}

/// The worst instance for the queues of an n x n mesh beside random permutations, the counted
/// bound, the mesh of twice the side, and the sides below.
Figures worst_buffers(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  MeshTrial trial({n, n});
  const Instance packets = worst_buffer(n, n);
  const MeshRun run = trial.play(packets);
  MeshRun random;
  for (std::size_t r = 0; r < parameters.count("runs"); ++r) {
    random.raise_to(trial.play(instance_of(random_permutation(r + 1, n * n))));
  }
  const auto queue_of = [](std::size_t side) {
    return MeshTrial({side, side}).play(worst_buffer(side, side)).queue;
  };
  ordered_json growth = ordered_json::array();
  for (std::size_t side = 4; side <= n; ++side) {
    growth.push_back(static_cast<double>(queue_of(side) + 1) / static_cast<double>(side));
  }
  Figures figures;
  add_mesh_figures(trial, run, figures.values);
  figures.values["beside"] = run.held;
  figures.values["most_queued"] = most_queued_under_xy(n, n);
  figures.values["random_queue"] = random.queue;
  figures.values["doubled"] = queue_of(2 * n);
  figures.values["growth"] = growth;
  figures.values["queue_by_step"] = crowd_by_step(trial.mesh(), packets, run);
  figures.drawings.push_back(drawing_of_plane(trial.mesh(), packets));
  return figures;
}

// Meshes of more dimensions.

/// The sizes of a k-ary n-dimensional mesh.
MeshSizes kary_sizes(const Section& parameters, std::size_t most_nodes) {
  const MeshSizes sizes(parameters.count("n"), parameters.count("k"));
  std::size_t nodes = 1;
  for (const std::size_t size : sizes) nodes = std::min(nodes * size, most_nodes + 1);
  if (nodes <= most_nodes) return sizes;
  parameters.fail("k", "there are too many nodes", fmt::format("take k^n <= {}", most_nodes));
}

/// Packets that share the link of dimension `d` from h - 1 to h: they start where that coordinate
/// is below h and the later ones are 0, and go to nodes where it is at least h and the earlier ones
/// are h. Those that reach the link first go farthest behind it, and the last one has the longest
/// way in the later dimensions.
/// @param late  Of the possible sources, those farthest from the link.
Instance over_one_link(const Grid& grid, std::size_t d, std::size_t h, bool late) {
  std::vector<std::pair<std::size_t, NodeId>> sources;  // With the hops up to the link.
  std::vector<std::pair<std::pair<std::size_t, std::size_t>, NodeId>> destinations;
  for (const NodeId node : grid.nodes()) {
    std::size_t before = 0;
    std::size_t after = 0;
    bool earlier_are_h = true;
    for (std::size_t e = 0; e < grid.dimensions(); ++e) {
      const std::size_t x = grid.coordinate(node, e);
      if (e < d) before += x > h ? x - h : h - x;
      if (e < d) earlier_are_h = earlier_are_h && x == h;
      if (e > d) after += x;
    }
    const std::size_t at = grid.coordinate(node, d);
    if (at < h && after == 0) sources.push_back({before + h - 1 - at, node});
    if (at >= h && earlier_are_h) destinations.push_back({{grid.size(d) - at, after}, node});
  }
  std::sort(sources.begin(), sources.end());
  std::sort(destinations.begin(), destinations.end());
  const std::size_t count = std::min(sources.size(), destinations.size());
  const std::size_t first = late ? sources.size() - count : 0;
  Instance packets;
  for (std::size_t p = 0; p < count; ++p) {
    packets.push_back(
        {sources[first + p].second, destinations[destinations.size() - count + p].second});
  }
  return packets;
}

constexpr std::size_t kMostCubesSearched = 100000;

/// Instances that may exceed n (k - 1) steps: all permutations of eight nodes; B3(k) in three
/// dimensions, and random ones of 3 x 3 x 3; crowds at one link otherwise.
void for_hard_cubes(const Grid& grid, const std::function<bool(const Instance&)>& tried) {
  const std::size_t n = grid.dimensions();
  const std::size_t k = grid.size(0);
  const std::size_t nodes = grid.node_count();
  if (nodes <= 8) {
    DestinationTable table = all_nodes(nodes);
    do {
      tried(instance_of(table));
    } while (std::next_permutation(table.begin(), table.end()));
    return;
  }
  if (n == 3) tried(worst_dimension_order(k));
  if (k == 2 && n % 2 == 1) tried(instance_of(transpose_midflip(nodes)));
  for (std::size_t d = 1; n > 3 && d + 1 < n; ++d) {
    for (std::size_t h = 1; h < k; ++h) {
      for (const bool late : {false, true}) tried(over_one_link(grid, d, h, late));
    }
  }
  if (nodes > 27) return;
  for (std::size_t seed = 1; seed <= kMostCubesSearched; ++seed) {
    if (tried(instance_of(random_permutation(seed, nodes)))) return;
  }
}

Figures kary_greedy(const Section& parameters) {
  const MeshSizes sizes = kary_sizes(parameters, 20000);
  const std::size_t k = parameters.count("k");
  const std::size_t n = parameters.count("n");
  MeshTrial trial(sizes);
  MeshRun worst;
  std::string link;
  std::size_t instances = 0;
  const auto try_it = [&](const Instance& packets) {
    const MeshRun run = trial.play(packets);
    if (run.congestion > worst.congestion) link = trial.most_loaded();
    worst.raise_to(run);
    ++instances;
    return worst.steps > n * (k - 1);
  };
  if (parameters.text("instance") == "hard" && parameters.integers("destinations").empty()) {
    for_hard_cubes(trial.mesh(), try_it);
  } else {
    for_each_instance(parameters, sizes, [&](const Instance& packets) { try_it(packets); });
  }
  Figures figures;
  add_mesh_figures(trial, worst, figures.values);
  figures.values["instances"] = instances;
  figures.values["most_loaded_link"] = link;
  return figures;
}

Figures kary_diameter(const Section& parameters) {
  return {{{"diameter", measure(mesh(kary_sizes(parameters, 5000))).diameter}}};
}

// Random destinations and random stops.

/// The delays and queues of packets with independent random destinations, in many runs.
Figures random_destinations(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t runs = parameters.count("runs");
  MeshTrial trial({n, n});
  std::vector<std::size_t> delays;
  std::size_t above = 0;
  std::size_t queues = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const MeshRun one =
        trial.play(instance_of(random_function(parameters.count("seed") + run, n * n)));
    queues += one.queue;
    if (one.queue > 4) ++above;
    delays.resize(std::max<std::size_t>({delays.size(), one.delay + 1, 9}));
    for (const std::uint32_t delay : one.delays) ++delays[delay];
  }
  const auto packets = static_cast<double>(runs * n * n);
  const auto share_from = [&](std::size_t least) {
    const auto first = delays.begin() + static_cast<std::ptrdiff_t>(std::min(least, delays.size()));
    return static_cast<double>(std::accumulate(first, delays.end(), std::size_t{0})) / packets;
  };
  std::vector<double> tail;
  for (std::size_t z = 1; z < delays.size(); ++z) tail.push_back(share_from(z));
  const double logarithm = std::log2(static_cast<double>(n));
  std::size_t largest = delays.size() - 1;
  while (largest > 0 && delays[largest] == 0) --largest;
  Figures figures;
  figures.values = {{"above_4", above},
                    {"limit", clopper_pearson_limit(above, runs)},
                    {"lower_limit", 1 - clopper_pearson_limit(runs - above, runs)},
                    {"mean_queue", static_cast<double>(queues) / static_cast<double>(runs)},
                    {"log2_n", logarithm},
                    {"tail", tail},
                    {"z1", tail[0]},
                    {"z4", tail[3]},
                    {"z8", tail[7]},
                    {"largest_delay", largest},
                    {"share_beyond", share_from(static_cast<std::size_t>(5 * logarithm) + 1)}};
  return figures;
}

Instance first_mesh_instance(const Section& parameters, const MeshSizes& sizes) {
  Instance packets;
  for_each_instance(parameters, sizes, [&](const Instance& one) {
    if (packets.empty()) packets = one;
  });
  return packets;
}

/// A permutation over random stops: by XY to a random node and on (two_phase), or in three phases
/// over random rows.
Figures random_stops(const Section& parameters, const std::string& algorithm) {
  const std::size_t n = parameters.count("n");
  const std::size_t runs = parameters.count("runs");
  const Instance packets = completed(first_mesh_instance(parameters, {n, n}), n * n);
  MeshTrial trial({n, n}, algorithm);
  MeshRun worst;
  std::vector<double> phases;
  double steps = 0;
  std::size_t exceeded = 0;
  const double size = static_cast<double>(n);
  const double most = 2 * size + 4 * size / std::log2(size);
  for (std::size_t run = 0; run < runs; ++run) {
    const MeshRun one = trial.play(packets, parameters.count("seed") + run);
    worst.raise_to(one);
    steps += static_cast<double>(one.steps) / static_cast<double>(runs);
    phases.resize(one.phases.size());
    for (std::size_t p = 0; p < phases.size(); ++p) {
      phases[p] += static_cast<double>(one.phases[p]) / static_cast<double>(runs);
    }
    const bool late = static_cast<double>(one.steps) > most;
    if (late || static_cast<double>(one.queue) > 3 * std::log2(size)) ++exceeded;
  }
  Figures figures;
  figures.values = {{"T", steps},
                    {"phases", phases},
                    {"largest_T", worst.steps},
                    {"largest_queue", worst.queue},
                    {"log2_n", std::log2(size)},
                    {"exceeded", exceeded},
                    {"lower_limit", 1 - clopper_pearson_limit(runs - exceeded, runs)},
                    {"greedy_T", MeshTrial({n, n}).play(packets).steps}};
  return figures;
}

Figures two_random_steps(const Section& parameters) {
  return random_stops(parameters, "two_phase");
}

Figures three_random_phases(const Section& parameters) {
  return random_stops(parameters, "three_phase");
}

/// The intervals of rows, as the rows that packets of a row reach in the first of the three phases.
Figures row_intervals(const Section& parameters) {
  constexpr std::size_t kPacketsOfRow = 20000;
  const std::size_t n = parameters.count("n");
  const MeshTrial trial({n, n}, "three_phase");
  Instance packets;
  for (std::size_t node = 0; node < n * n; ++node) {
    packets.push_back({to_id<NodeId>(node), to_id<NodeId>(node)});
  }
  std::vector<std::set<std::size_t>> reached(n);
  for (std::size_t run = 0; run < 1 + kPacketsOfRow / n; ++run) {
    const MovePlan plan = trial.plan(packets, run);
    for (const Message& move : plan.phases.messages(0)) {
      reached[index(move.from) / n].insert(index(move.to) / n);
    }
  }
  const std::set<std::set<std::size_t>> different(reached.begin(), reached.end());
  std::vector<std::size_t> lengths;
  std::vector<std::size_t> first_rows;
  for (const std::set<std::size_t>& interval : different) {
    lengths.push_back(interval.size());
    first_rows.push_back(*interval.begin());
  }
  const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
  return {{{"intervals", lengths.size()},
           {"lengths", lengths},
           {"first_rows", first_rows},
           {"rows_covered", std::accumulate(lengths.begin(), lengths.end(), std::size_t{0})},
           {"difference", *most - *least}}};
}

}  // namespace

std::vector<Machine> mesh_machines() {
  const auto side = [](double least, double most) {
    return Param::integer("n", "", "Nodes of a side.", least, most);
  };
  const auto seed = [] { return Param::integer("seed", "", "Seed.", 0, 1e9).defaults_to(1); };
  const auto runs = [](std::size_t usual) {
    return Param::integer("runs", "", "Runs with random choices.", 1, 1e5).defaults_to(usual);
  };
  const std::vector<std::string> on_plane{"random", "all", "point_reflection", "transposition",
                                          "worst_buffer"};
  const std::vector<std::string> to_randomize{"transposition", "point_reflection", "worst_buffer",
                                              "random"};
  return {
      {"line_farthest",
       "Packets on a line by three orders of queues.",
       {side(1, 256), Param::choice("instance", "The instances.", {"all_or_random", "from_0"}),
        Param::integers("pairs", "", "Sources and destinations.", 0, 255)
            .defaults_to(ordered_json::array()),
        runs(1000), seed()},
       line_farthest},
      {"greedy_line", "Permutations of a line.",
       with_instances({side(1, 256)}, {"reversal", "random", "all"}), greedy_line},
      {"greedy_plane", "Permutations under XY.", with_instances(plane_keys(128), on_plane),
       greedy_plane},
      {"worst_buffers", "The worst instances for XY.", {side(2, 128), runs(20)}, worst_buffers},
      {"kary_greedy", "Permutations under dimension order.",
       with_instances({Param::integer("k", "", "Nodes of a side.", 2, 27),
                       Param::integer("n", "", "Dimensions.", 2, 14)},
                      {"hard", "B3", "midflip", "random", "all"}),
       kary_greedy},
      {"kary_diameter",
       "The diameter by search.",
       {Param::integer("k", "", "Nodes of a side.", 2, 128),
        Param::integer("n", "", "Dimensions.", 1, 12)},
       kary_diameter},
      {"random_destinations",
       "Random destinations under XY.",
       {side(2, 256), runs(400), seed()},
       random_destinations},
      {"two_random_steps", "A permutation over random nodes.",
       with_instances({side(2, 128)}, to_randomize, 200), two_random_steps},
      {"three_random_phases", "A permutation over random rows.",
       with_instances({side(2, 128)}, to_randomize, 200), three_random_phases},
      {"row_intervals", "The intervals of rows.", {side(1, 128)}, row_intervals},
  };
}

}  // namespace flitcast::claims
