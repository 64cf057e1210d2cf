// SPDX-License-Identifier: Apache-2.0
// Machines for document 003: permutation routing on meshes by sorting and off-line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "collective/cost.h"
#include "collective/edge_colouring.h"
#include "sim/claims/drawing.h"
#include "sim/claims/mesh_trial.h"
#include "sim/claims/statement.h"

namespace flitcast::claims {
namespace {

constexpr std::size_t kMostNodesRouted = 256;  // On the network.

// Sorting. The last three phases of a plan reverse columns, move along rows and along columns; all
// phases before them sort.

std::size_t sorting_steps(const MeshRun& run) {
  return std::accumulate(run.phases.begin(), run.phases.end() - 3, std::size_t{0});
}

/// The steps of shearsort on blocks of `rows` rows.
std::size_t block_steps(std::size_t rows, std::size_t columns) {
  return ceil_log(2, rows) * (rows + columns) + columns;
}

/// The steps of its parts on q^4 x q^4: sort blocks, unshuffle, sort blocks, sort columns, sort
/// pairs of blocks twice, sort rows, and 2 q^3 steps along the snake.
std::vector<std::size_t> schnorr_shamir_parts(std::size_t q) {
  const std::size_t b = q * q * q;
  return {block_steps(b, b),
          (q - 1) * (b - 1),
          block_steps(b, b),
          q * b,
          block_steps(2 * b, b),
          q < 3 ? 0 : block_steps(2 * b, b),
          q * b,
          2 * b};
}

std::size_t total_of(const std::vector<std::size_t>& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::size_t{0});
}

/// The steps of a sort: on a mesh with n columns and m rows, shearsort has n rows of m nodes.
std::size_t steps_by_formula(const std::string& algorithm, const MeshShape& mesh) {
  if (algorithm == "shearsort") return block_steps(mesh.columns, mesh.rows);
  std::size_t q = 1;
  while (q * q * q * q < mesh.rows) ++q;
  return total_of(schnorr_shamir_parts(q));
}

/// How packets stand between the phases of routing by sorting.
struct SortedOrder {
  std::vector<std::size_t> groups;  ///< By destination column: its packets.
  std::size_t scattered = 0;        ///< Groups that are not in consecutive cells of the snake.
  std::size_t in_rows = 0;     ///< Second packets for a destination column, in rows before phase 3.
  std::size_t in_columns = 0;  ///< Second packets for a row, in columns before phase 4.
};

/// The place of a node in the snake that goes down the first column, up the second, and so on.
std::size_t place_in_snake(const MeshShape& mesh, NodeId node) {
  const std::size_t x = mesh.column(node);
  return x * mesh.rows + (x % 2 == 0 ? mesh.row(node) : mesh.rows - 1 - mesh.row(node));
}

SortedOrder sorted_order(const MeshShape& mesh, const Instance& packets, const Schedule& phases) {
  SortedOrder order;
  std::map<std::size_t, std::vector<std::size_t>> places;  // By destination column, in the snake.
  std::set<std::pair<std::size_t, std::size_t>> seen;
  const std::size_t last = phases.rounds() - 1;
  for (const Message& move : phases.messages(last - 2)) {
    places[mesh.column(packets[packet_of(move)].to)].push_back(place_in_snake(mesh, move.from));
  }
  for (auto& [column, group] : places) {
    const auto [first, end] = std::minmax_element(group.begin(), group.end());
    if (*end - *first + 1 != group.size()) ++order.scattered;
    order.groups.push_back(group.size());
  }
  for (const Message& move : phases.messages(last - 1)) {
    const std::size_t column = mesh.column(packets[packet_of(move)].to);
    if (!seen.emplace(mesh.row(move.from), column).second) ++order.in_rows;
  }
  seen.clear();
  for (const Message& move : phases.messages(last)) {
    if (!seen.emplace(mesh.column(move.from), mesh.row(move.to)).second) ++order.in_columns;
  }
  return order;
}

/// The mesh at the start and after each phase of routing by sorting, side by side; every packet has
/// the colour of its destination's column and the number of its destination's row.
std::string drawing_of_phases(const MeshShape& mesh, const Instance& packets,
                              const Schedule& phases) {
  Drawing drawing;
  std::size_t grids = 0;
  const auto add = [&](NodeId at, const Transfer& packet) {
    const std::size_t x = grids * (mesh.columns + 1) + mesh.column(at);
    drawing.node({static_cast<double>(x), static_cast<double>(mesh.row(at))},
                 std::to_string(mesh.row(packet.to)), mesh.column(packet.to));
  };
  for (const Transfer& packet : packets) add(packet.from, packet);
  for (std::size_t phase = phases.rounds() - 3; phase < phases.rounds(); ++phase) {
    ++grids;
    for (const Message& move : phases.messages(phase)) add(move.from, packets[packet_of(move)]);
  }
  ++grids;
  for (const Transfer& packet : packets) add(packet.to, packet);
  return drawing.svg("packets at the start and after each of the four phases");
}

Figures sorted_route(const Section& parameters) {
  const std::vector<std::size_t> sizes = plane_of(parameters);
  const MeshShape shape{sizes[0], sizes[1]};
  const std::string& algorithm = parameters.text("algorithm");
  MeshTrial trial(sizes, algorithm);
  MeshRun worst;
  SortedOrder all;
  Instance last;
  MovePlan plan;
  std::size_t instances = 0;
  for_each_instance(parameters, sizes, [&](const Instance& packets) {
    plan = trial.plan(packets);
    worst.raise_to(trial.play(plan));
    const SortedOrder order = sorted_order(shape, packets, plan.phases);
    all.groups = order.groups;
    all.scattered += order.scattered;
    all.in_rows += order.in_rows;
    all.in_columns += order.in_columns;
    last = packets;
    ++instances;
  });
  const std::size_t sorted = sorting_steps(worst);
  const auto end = worst.phases.end();
  Figures figures;
  add_mesh_figures(worst, figures.values);
  figures.values.update({{"columns", sizes[0]},
                         {"rows", sizes[1]},
                         {"instances", instances},
                         {"s", sorted},
                         {"s_by_formula", steps_by_formula(algorithm, shape)},
                         {"rest", worst.steps - sorted},
                         {"phase_2", end[-3]},
                         {"phase_3", end[-2]},
                         {"phase_4", end[-1]},
                         {"groups", all.groups},
                         {"scattered", all.scattered},
                         {"violations", all.in_rows},
                         {"column_violations", all.in_columns}});
  if (sizes[0] == 16 && sizes[1] == 16) {
    const MeshRun other = MeshTrial(sizes, "schnorr_shamir").play(last);
    figures.values["schnorr_shamir_s"] = sorting_steps(other);
    figures.values["schnorr_shamir_T"] = other.steps;
  }
  if (instances == 1 && shape.columns * shape.rows <= kMostNodesRouted) {
    add_mesh_network(trial, last, algorithm, figures.values);
    figures.drawings.push_back(drawing_of_phases(shape, last, plan.phases));
  }
  return figures;
}

// The sort of Schnorr and Shamir.

/// The steps of the parts in a run: all have one step a round, but the unshuffle is one round.
std::vector<std::size_t> parts_of(const MeshRun& run, std::size_t q) {
  std::vector<std::size_t> parts;
  std::size_t round = 0;
  for (const std::size_t steps : schnorr_shamir_parts(q)) {
    const std::size_t end = parts.size() == 1 ? round + 1 : round + steps;
    std::size_t part = 0;
    for (; round < std::min(end, run.phases.size() - 3); ++round) part += run.phases[round];
    parts.push_back(part);
  }
  return parts;
}

/// A run of the sort for n = 16 and 81, the steps of its parts for other n = q^4, and how they grow
/// from q = 2 to 8.
Figures schnorr_shamir(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  std::size_t q = 2;
  while (q * q * q * q < n) ++q;
  if (q * q * q * q != n) {
    parameters.fail(
        "n", fmt::format("{} is no fourth power from 16 on", n),
        fmt::format(
            "take {} or {}",
            (q - 1) * (q - 1) * (q - 1) * (q - 1) > 15 ? (q - 1) * (q - 1) * (q - 1) * (q - 1) : 16,
            q * q * q * q));
  }
  constexpr std::size_t kMostSideRun = 81;
  std::vector<std::size_t> parts = schnorr_shamir_parts(q);
  std::size_t steps = total_of(parts) + 3 * (n - 1);
  if (n <= kMostSideRun) {
    const MeshRun run = MeshTrial({n, n}, "schnorr_shamir")
                            .play(instance_of(random_permutation(parameters.count("seed"), n * n)));
    parts = parts_of(run, q);
    steps = run.steps;
  }
  ordered_json sides = ordered_json::array();
  ordered_json growth = ordered_json::array();
  ordered_json shearsort = ordered_json::array();
  for (std::size_t root = 2; root <= 8; ++root) {
    const std::size_t side = root * root * root * root;
    sides.push_back(side);
    growth.push_back(total_of(schnorr_shamir_parts(root)));
    shearsort.push_back(block_steps(side, side));
  }
  return {{{"s", total_of(parts)},
           {"parts", parts},
           {"by_formula", schnorr_shamir_parts(q)},
           {"T", steps},
           {"ran", n <= kMostSideRun},
           {"sides", sides},
           {"s_of_sides", growth},
           {"shearsort", shearsort}}};
}

// Off-line routing.

Figures off_line_route(const Section& parameters) {
  const std::vector<std::size_t> sizes = plane_of(parameters);
  MeshTrial trial(sizes, "off_line", "colouring: " + parameters.text("colouring"));
  MeshRun worst;
  Instance last;
  std::size_t instances = 0;
  for_each_instance(parameters, sizes, [&](const Instance& packets) {
    worst.raise_to(trial.play(packets));
    last = packets;
    ++instances;
  });
  Figures figures;
  add_mesh_figures(worst, figures.values);
  figures.values["columns"] = sizes[0];
  figures.values["rows"] = sizes[1];
  figures.values["instances"] = instances;
  figures.values["phases"] = worst.phases;
  if (instances == 1 && sizes[0] * sizes[1] <= kMostNodesRouted) {
    add_mesh_network(trial, last, "off_line", figures.values);
  }
  return figures;
}

/// The edges of the routing graph, from source columns to destination columns; those of dummy
/// packets, which complete a partial permutation, are the last.
std::vector<BipartiteEdge> routing_edges(const MeshShape& mesh, const Instance& packets) {
  std::vector<BipartiteEdge> edges;
  for (const Transfer& packet : completed(packets, mesh.columns * mesh.rows)) {
    edges.push_back({static_cast<std::uint32_t>(mesh.column(packet.from)),
                     static_cast<std::uint32_t>(mesh.column(packet.to))});
  }
  return edges;
}

/// The degree of all vertices that the edges from a colour on leave; absent if they differ.
ordered_json degree_from(const std::vector<BipartiteEdge>& edges, std::size_t vertices,
                         const std::vector<std::uint32_t>& colours, std::uint32_t first) {
  std::vector<std::size_t> degrees(2 * vertices);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (colours[e] < first) continue;
    ++degrees[edges[e].left];
    ++degrees[vertices + edges[e].right];
  }
  const auto [least, most] = std::minmax_element(degrees.begin(), degrees.end());
  return *least == *most ? ordered_json(*least) : ordered_json(nullptr);
}

std::string drawing_of_colours(const std::vector<BipartiteEdge>& edges, std::size_t vertices,
                               const std::vector<std::uint32_t>& colours) {
  Drawing drawing;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const double aside = 0.06 * colours[e];  // Keeps edges between the same vertices apart.
    drawing.line({2.0 * edges[e].left + aside, 0}, {2.0 * edges[e].right + aside, 4}, colours[e]);
  }
  for (std::size_t v = 0; v < vertices; ++v) {
    drawing.node({2.0 * static_cast<double>(v), 0}, "s" + std::to_string(v));
    drawing.node({2.0 * static_cast<double>(v), 4}, "d" + std::to_string(v));
  }
  return drawing.svg("source columns, destination columns and coloured packets");
}

/// The routing graph of every instance, its colouring by matchings that are removed one after the
/// other, and the routing by colours as rows.
Figures routing_graph(const Section& parameters) {
  const std::vector<std::size_t> sizes = plane_of(parameters);
  const MeshShape mesh{sizes[0], sizes[1]};
  MeshTrial trial(sizes);
  MeshRun worst;
  Figures figures;
  ordered_json& values = figures.values;
  std::size_t conflicts = 0;
  std::size_t violations = 0;
  for_each_instance(parameters, sizes, [&](const Instance& packets) {
    const std::vector<BipartiteEdge> edges = routing_edges(mesh, packets);
    const std::vector<std::uint32_t> colours =
        colour_by_alternating_paths(mesh.columns, mesh.rows, edges);
    std::set<std::pair<std::size_t, std::size_t>> ends;  // Vertices of both sides, with a colour.
    std::vector<std::size_t> colour_sizes(*std::max_element(colours.begin(), colours.end()) + 1);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      ++colour_sizes[colours[e]];
      if (!ends.emplace(edges[e].left, colours[e]).second) ++conflicts;
      if (!ends.emplace(mesh.columns + edges[e].right, colours[e]).second) ++conflicts;
    }
    std::vector<std::vector<NodeId>> stops(2);
    for (std::size_t p = 0; p < packets.size(); ++p) {
      stops[0].push_back(mesh.node(edges[p].left, colours[p]));
      stops[1].push_back(mesh.node(edges[p].right, colours[p]));
    }
    for (const std::vector<NodeId>& nodes : stops) {
      violations += nodes.size() - std::set<NodeId>(nodes.begin(), nodes.end()).size();
    }
    worst.raise_to(trial.play(phases_over(packets, stops)));
    ordered_json degrees = ordered_json::array();
    for (std::uint32_t t = 0; t < colour_sizes.size(); ++t) {
      degrees.push_back(degree_from(edges, mesh.columns, colours, t));
    }
    values = {{"columns", mesh.columns},
              {"rows", mesh.rows},
              {"vertices", 2 * mesh.columns},
              {"edges", edges.size()},
              {"dummies", edges.size() - packets.size()},
              {"degree", degrees[0]},
              {"colours", colour_sizes.size()},
              {"colour_sizes", colour_sizes},
              {"degrees", degrees},
              {"rows_of_packets", colours}};
    if (edges.size() > 64) return;
    figures.drawings = {drawing_of_colours(edges, mesh.columns, colours)};
  });
  values["conflicts"] = conflicts;
  values["violations"] = violations;
  add_mesh_figures(worst, values);
  return figures;
}

// Matchings by alternating paths, as the page constructs them.

/// A matching in a bipartite graph that grows by the steps of the page.
class PageMatching {
 public:
  /// @param edges  By source and destination: the number of edges.
  explicit PageMatching(std::vector<std::vector<std::size_t>> edges)
      : edges_(std::move(edges)),
        of_source_(edges_.size(), kNone),
        of_destination_(edges_.empty() ? 0 : edges_[0].size(), kNone) {}

  /// Adds an edge by a path from the first free source; false if the search gets stuck.
  bool augment() {
    path_.clear();
    neighbours_.clear();
    const auto free = std::find(of_source_.begin(), of_source_.end(), kNone);
    std::vector<std::size_t> sources{static_cast<std::size_t>(free - of_source_.begin())};
    std::vector<std::size_t> found;    // d_0, d_1, ...
    std::vector<std::size_t> parents;  // By place in `found`: the place of its source.
    for (;;) {
      neighbours_.push_back(neighbours_of(sources));
      if (!find_next(sources, found, parents)) return false;
      const std::size_t source = of_destination_[found.back()];
      if (source == kNone) break;
      sources.push_back(source);
    }
    switch_edges(sources, found, parents);
    return true;
  }

  std::size_t size() const {
    return of_source_.size() -
           static_cast<std::size_t>(std::count(of_source_.begin(), of_source_.end(), kNone));
  }
  /// The vertices of the last path, from the free destination to the free source.
  const std::vector<std::size_t>& path() const { return path_; }
  /// For k = 0, 1, ..: the destinations beside s_0 .. s_k in the last search.
  const std::vector<std::size_t>& neighbours() const { return neighbours_; }
  const std::vector<std::vector<std::size_t>>& edges() const { return edges_; }

  std::string text() const {
    std::vector<std::string> texts;
    for (std::size_t s = 0; s < of_source_.size(); ++s) {
      if (of_source_[s] != kNone) texts.push_back(fmt::format("s{}-d{}", s, of_source_[s]));
    }
    return fmt::format("{}", fmt::join(texts, " "));
  }
  std::string path_text() const {
    std::vector<std::string> texts;
    for (std::size_t at = path_.size(); at-- > 0;) {
      texts.push_back(fmt::format("{}{}", at % 2 == 0 ? 'd' : 's', path_[at]));
    }
    return fmt::format("{}", fmt::join(texts, " "));
  }

  /// The edges that the matching leaves.
  std::vector<std::vector<std::size_t>> rest() const {
    std::vector<std::vector<std::size_t>> rest = edges_;
    for (std::size_t s = 0; s < rest.size(); ++s) --rest[s][of_source_[s]];
    return rest;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::size_t neighbours_of(const std::vector<std::size_t>& sources) const {
    std::size_t count = 0;
    for (std::size_t d = 0; d < of_destination_.size(); ++d) {
      count += std::any_of(sources.begin(), sources.end(),
                           [&](std::size_t s) { return edges_[s][d] > 0; })
                   ? 1
                   : 0;
    }
    return count;
  }

  /// Finds a destination that is not found yet beside one of the sources.
  bool find_next(const std::vector<std::size_t>& sources, std::vector<std::size_t>& found,
                 std::vector<std::size_t>& parents) const {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      for (std::size_t d = 0; d < of_destination_.size(); ++d) {
        if (edges_[sources[i]][d] == 0) continue;
        if (std::count(found.begin(), found.end(), d) != 0) continue;
        found.push_back(d);
        parents.push_back(i);
        return true;
      }
    }
    return false;
  }

  /// Follows the path back to s_0: its blue edges become red, and its red edges blue.
  void switch_edges(const std::vector<std::size_t>& sources, const std::vector<std::size_t>& found,
                    const std::vector<std::size_t>& parents) {
    for (std::size_t at = found.size() - 1;;) {
      const std::size_t i = parents[at];
      of_destination_[found[at]] = sources[i];
      of_source_[sources[i]] = found[at];
      path_.push_back(found[at]);
      path_.push_back(sources[i]);
      if (i == 0) return;
      at = i - 1;
    }
  }

  std::vector<std::vector<std::size_t>> edges_;
  std::vector<std::size_t> of_source_;
  std::vector<std::size_t> of_destination_;
  std::vector<std::size_t> path_;
  std::vector<std::size_t> neighbours_;
};

/// What the searches of all matchings found.
struct PathTally {
  std::size_t paths = 0;
  std::size_t even = 0;
  std::size_t stuck = 0;
  std::size_t violations = 0;  ///< Places k of a search with fewer than k + 1 neighbours.
  std::size_t longest = 0;
  std::set<std::size_t> augmentations;  ///< Of a matching.
  ordered_json shown = ordered_json::object();
};

/// Grows one matching; shows the path by which `k` edges become k + 1, for k = 0 the longest.
void grow_matching(PageMatching& matching, std::size_t k, PathTally& tally) {
  const std::size_t vertices = matching.edges().size();
  std::size_t augmentations = 0;
  while (matching.size() < vertices) {
    const std::string before = matching.text();
    const std::size_t size = matching.size();
    if (!matching.augment()) {
      ++tally.stuck;
      return;
    }
    const std::size_t length = matching.path().size() - 1;
    const std::vector<std::size_t>& beside = matching.neighbours();
    for (std::size_t at = 0; at < beside.size(); ++at) {
      if (beside[at] < at + 1) ++tally.violations;
    }
    if (length % 2 == 0) ++tally.even;
    ++tally.paths;
    ++augmentations;
    const bool longer = length > tally.longest;
    tally.longest = std::max(tally.longest, length);
    if (k == 0 ? !longer : size != k || tally.shown.contains("path")) continue;
    tally.shown = {{"path", matching.path_text()},      {"length", length},
                   {"red", (length - 1) / 2},           {"before", size},
                   {"after", matching.size()},          {"matching_before", before},
                   {"matching_after", matching.text()}, {"neighbours", beside}};
  }
  tally.augmentations.insert(augmentations);
}

Figures augmenting_paths(const Section& parameters) {
  const std::vector<std::size_t> sizes = plane_of(parameters);
  const MeshShape mesh{sizes[0], sizes[1]};
  const std::size_t k = parameters.count("k");
  if (k >= mesh.columns) {
    parameters.fail("k", "a matching of so many edges is perfect",
                    fmt::format("take k from 1 to {}; 0: the longest path", mesh.columns - 1));
  }
  PathTally tally;
  std::size_t matchings = 0;
  for_each_instance(parameters, sizes, [&](const Instance& packets) {
    std::vector<std::vector<std::size_t>> edges(mesh.columns,
                                                std::vector<std::size_t>(mesh.columns));
    for (const BipartiteEdge& edge : routing_edges(mesh, packets)) ++edges[edge.left][edge.right];
    for (std::size_t t = 0; t < mesh.rows && tally.stuck == 0; ++t, ++matchings) {
      PageMatching matching(edges);
      grow_matching(matching, k, tally);
      if (tally.stuck == 0) edges = matching.rest();
    }
  });
  Figures figures;
  figures.values = {{"columns", mesh.columns},       {"rows", mesh.rows},
                    {"matchings", matchings},        {"augmentations", tally.augmentations},
                    {"paths", tally.paths},          {"even_paths", tally.even},
                    {"longest", tally.longest},      {"stuck", tally.stuck},
                    {"violations", tally.violations}};
  figures.values.update(tally.shown);
  return figures;
}

bool grows_perfect(PageMatching& matching) {
  while (matching.size() < matching.edges().size()) {
    if (!matching.augment()) return false;
  }
  return true;
}

/// All bipartite graphs with n sources and y destinations: those with a perfect matching, and those
/// that meet the condition of Hall.
Figures hall_graphs(const Section& parameters) {
  constexpr std::size_t kMostEdges = 16;
  const std::size_t n = parameters.count("n");
  const std::size_t y = parameters.count("y") == 0 ? n : parameters.count("y");
  if (n * y > kMostEdges || y < n) {
    parameters.fail("n", "there are too many graphs, or fewer destinations than sources",
                    fmt::format("take n <= y and n y <= {}", kMostEdges));
  }
  std::size_t perfect = 0;
  std::size_t disagreements = 0;
  std::size_t wrong_sets = 0;
  const std::size_t graphs = std::size_t{1} << (n * y);
  for (std::size_t graph = 0; graph < graphs; ++graph) {
    std::vector<std::vector<std::size_t>> edges(n, std::vector<std::size_t>(y));
    for (std::size_t e = 0; e < n * y; ++e) edges[e / y][e % y] = graph >> e & 1;
    bool hall = true;
    for (std::size_t set = 1; set < std::size_t{1} << n; ++set) {
      std::size_t beside = 0;
      for (std::size_t s = 0; s < n; ++s) {
        if ((set >> s & 1) != 0) beside |= graph >> (s * y) & ((std::size_t{1} << y) - 1);
      }
      hall = hall && __builtin_popcountll(beside) >= __builtin_popcountll(set);
    }
    PageMatching matching(edges);
    const bool matches = grows_perfect(matching);
    if (matches) ++perfect;
    if (matches != hall) ++disagreements;
    // Where the search gets stuck, its sources violate the condition.
    const std::vector<std::size_t>& beside = matching.neighbours();
    if (!matches && beside.back() >= beside.size()) ++wrong_sets;
  }
  return {{{"graphs", graphs},
           {"perfect", perfect},
           {"disagreements", disagreements},
           {"wrong_sets", wrong_sets}}};
}

/// Visits all regular multigraphs, as matrices whose rows and columns have the sum k.
class RegularGraphs {
 public:
  using Visitor = std::function<void(const std::vector<std::vector<std::size_t>>&)>;

  RegularGraphs(std::size_t n, std::size_t k, Visitor visit)
      : n_(n),
        edges_(n, std::vector<std::size_t>(n)),
        left_(n, k),
        k_(k),
        visit_(std::move(visit)) {}

  void all() { fill(0, 0, k_); }

 private:
  void fill(std::size_t s, std::size_t d, std::size_t rest) {
    if (s == n_) return visit_(edges_);
    if (d == n_) {
      if (rest == 0) fill(s + 1, 0, k_);
      return;
    }
    for (std::size_t here = 0; here <= std::min(rest, left_[d]); ++here) {
      edges_[s][d] = here;
      left_[d] -= here;
      fill(s, d + 1, rest - here);
      left_[d] += here;
    }
    edges_[s][d] = 0;
  }

  std::size_t n_;
  std::vector<std::vector<std::size_t>> edges_;
  std::vector<std::size_t> left_;
  std::size_t k_;
  Visitor visit_;
};

Figures regular_graphs(const Section& parameters) {
  constexpr std::size_t kMostGraphs = 300000;
  std::size_t graphs = 0;
  std::size_t perfect = 0;
  RegularGraphs(parameters.count("n"), parameters.count("k"), [&](const auto& edges) {
    if (++graphs > kMostGraphs) {
      parameters.fail("n", "there are too many graphs", "take a smaller n, or k");
    }
    PageMatching matching(edges);
    if (grows_perfect(matching)) ++perfect;
  }).all();
  return {{{"graphs", graphs}, {"perfect", perfect}}};
}

/// All sets of edges between n sources and n destinations that are matchings, and that meet the
/// printed definition.
Figures matching_wordings(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  std::size_t matchings = 0;
  std::size_t as_printed = 0;
  std::size_t perfect = 0;
  std::size_t perfect_as_printed = 0;
  for (std::size_t set = 0; set < std::size_t{1} << (n * n); ++set) {
    std::vector<std::size_t> degrees(2 * n);
    for (std::size_t e = 0; e < n * n; ++e) {
      if ((set >> e & 1) == 0) continue;
      ++degrees[e / n];
      ++degrees[n + e % n];
    }
    const auto [least, most] = std::minmax_element(degrees.begin(), degrees.end());
    const bool is_perfect = *least == 1 && *most == 1;
    const bool no_vertex_has_at_most_one = *least > 1;
    if (*most <= 1) ++matchings;
    if (is_perfect) ++perfect;
    if (no_vertex_has_at_most_one) ++as_printed;
    if (is_perfect && no_vertex_has_at_most_one) ++perfect_as_printed;
  }
  return {{{"matchings", matchings},
           {"as_printed", as_printed},
           {"perfect", perfect},
           {"perfect_as_printed", perfect_as_printed}}};
}

}  // namespace

std::vector<Machine> sorting_machines() {
  const auto joined = [](std::vector<Param> keys, const std::vector<Param>& more) {
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
  };
  const auto side = [](double least, double most) {
    return Param::integer("n", "", "Nodes of a side.", least, most);
  };
  const std::vector<Param> plane =
      joined(plane_keys(64),
             instance_keys({"random", "all", "point_reflection", "transposition", "worst_buffer"}));
  return {
      {"sorted_route", "Permutations by sorting.",
       joined(plane, {Param::choice("algorithm", "The sort.", {"shearsort", "schnorr_shamir"})}),
       sorted_route},
      {"schnorr_shamir",
       "The sort of Schnorr and Shamir.",
       {side(2, 65536), Param::integer("seed", "", "Seed.", 0, 1e9).defaults_to(1)},
       schnorr_shamir},
      {"off_line_route", "Permutations routed off-line.",
       joined(plane,
              {Param::choice("colouring", "The colouring.", {"alternating_paths", "euler_split"})}),
       off_line_route},
      {"routing_graph", "The routing graph and its colouring.", plane, routing_graph},
      {"augmenting_paths", "Matchings of the routing graph, by alternating paths.",
       joined(plane,
              {Param::integer("k", "", "Edges before the path shown; 0: the longest path.", 0, 64)
                   .defaults_to(0)}),
       augmenting_paths},
      {"hall_graphs",
       "All bipartite graphs.",
       {side(1, 16), Param::integer("y", "", "Destinations; 0: n.", 0, 16).defaults_to(0)},
       hall_graphs},
      {"regular_graphs",
       "All regular bipartite graphs.",
       {side(1, 8), Param::integer("k", "", "The degree.", 1, 64)},
       regular_graphs},
      {"matching_wordings", "All sets of edges.", {side(1, 4)}, matching_wordings},
  };
}

}  // namespace flitcast::claims
