// SPDX-License-Identifier: Apache-2.0
// Machines for document 003: off-line permutation routing on meshes, and matchings.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "collective/edge_colouring.h"
#include "sim/claims/mesh_trial.h"
#include "sim/claims/statement.h"
#include "sim/results/drawing.h"

namespace flitcast::claims {
namespace {

/// By source and destination: the number of edges.
using EdgeCounts = std::vector<std::vector<std::size_t>>;

Figures off_line_route(const Section& parameters) {
  MeshTrial trial(plane_of(parameters), "off_line", "colouring: " + parameters.text("colouring"));
  Instance last;
  return play_instances(trial, parameters, last);
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
    values = {{"vertices", 2 * mesh.columns},
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
  add_mesh_figures(trial, worst, values);
  return figures;
}

// Matchings by alternating paths, as the page constructs them.

/// A matching in a bipartite graph that grows by the steps of the page.
class PageMatching {
 public:
  /// @param edges  By source and destination: the number of edges.
  explicit PageMatching(EdgeCounts edges)
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
  const EdgeCounts& edges() const { return edges_; }

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
  EdgeCounts rest() const {
    EdgeCounts rest = edges_;
    for (std::size_t s = 0; s < rest.size(); ++s) --rest[s][of_source_[s]];
    return rest;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::size_t neighbours_of(const std::vector<std::size_t>& sources) const {
    std::set<std::size_t> beside;
    for (const std::size_t s : sources) {
      for (std::size_t d = 0; d < edges_[s].size(); ++d) {
        if (edges_[s][d] > 0) beside.insert(d);
      }
    }
    return beside.size();
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

  EdgeCounts edges_;
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
    EdgeCounts edges(mesh.columns, std::vector<std::size_t>(mesh.columns));
    for (const BipartiteEdge& edge : routing_edges(mesh, packets)) ++edges[edge.left][edge.right];
    for (std::size_t t = 0; t < mesh.rows && tally.stuck == 0; ++t, ++matchings) {
      PageMatching matching(edges);
      grow_matching(matching, k, tally);
      if (tally.stuck == 0) edges = matching.rest();
    }
  });
  Figures figures;
  figures.values = {{"columns", mesh.columns},
                    {"matchings", matchings},
                    {"augmentations", tally.augmentations},
                    {"paths", tally.paths},
                    {"even_paths", tally.even},
                    {"longest", tally.longest},
                    {"stuck", tally.stuck},
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
    EdgeCounts edges(n, std::vector<std::size_t>(y));
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

/// Visits all matrices whose rows and columns have the sum k, where the first `at` entries are
/// given.
void for_regular_graphs(EdgeCounts& edges, std::size_t k, std::size_t at,
                        const std::function<void(const EdgeCounts&)>& visit) {
  const std::size_t n = edges.size();
  if (at == n * n) return visit(edges);
  std::size_t& here = edges[at / n][at % n];
  std::size_t of_row = k;
  std::size_t of_column = k;
  for (std::size_t d = 0; d < at % n; ++d) of_row -= edges[at / n][d];
  for (std::size_t s = 0; s < at / n; ++s) of_column -= edges[s][at % n];
  const bool ends_row = at % n + 1 == n;
  const bool ends_column = at / n + 1 == n;
  for (here = 0; here <= std::min(of_row, of_column); ++here) {
    if ((ends_row && here < of_row) || (ends_column && here < of_column)) continue;
    for_regular_graphs(edges, k, at + 1, visit);
  }
}

Figures regular_graphs(const Section& parameters) {
  constexpr std::size_t kMostGraphs = 300000;
  const std::size_t n = parameters.count("n");
  EdgeCounts edges(n, std::vector<std::size_t>(n));
  std::size_t graphs = 0;
  std::size_t perfect = 0;
  for_regular_graphs(edges, parameters.count("k"), 0, [&](const EdgeCounts& graph) {
    if (++graphs > kMostGraphs) {
      parameters.fail("n", "there are too many graphs", "take a smaller n, or k");
    }
    PageMatching matching(graph);
    if (grows_perfect(matching)) ++perfect;
  });
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

std::vector<Machine> off_line_machines() {
  const auto plane = [](const std::vector<Param>& more) {
    return with_instances(plane_keys(64, more),
                          {"random", "all", "point_reflection", "transposition", "worst_buffer"});
  };
  const auto side = [](double least, double most) {
    return Param::integer("n", "", "Vertices of a side.", least, most);
  };
  return {
      {"off_line_route", "Permutations routed off-line.",
       plane({Param::choice("colouring", "The colouring.", {"alternating_paths", "euler_split"})}),
       off_line_route},
      {"routing_graph", "The routing graph and its colouring.", plane({}), routing_graph},
      {"augmenting_paths", "Matchings of the routing graph, by alternating paths.",
       plane({Param::integer("k", "", "Edges before the path shown; 0: the longest.", 0, 64)
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
