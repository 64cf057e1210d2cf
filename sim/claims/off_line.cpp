// SPDX-License-Identifier: Apache-2.0
// Machines for document 003: off-line permutation routing on meshes, and matchings.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "collective/edge_colouring.h"
#include "config/wording.h"
#include "sim/claims/statement.h"
#include "sim/claims/step_trial.h"
#include "sim/results/drawing.h"

namespace flitcast::claims {
namespace {

using BipartiteEdges = std::vector<BipartiteEdge>;

Figures off_line_route(const Section& parameters) {
  StepTrial trial(mesh_name(plane_of(parameters)),
                  "algorithm: off_line, colouring: " + parameters.text("colouring"));
  return play_instances(trial, parameters);
}

// The routing graph.

/// The edges of the routing graph, from source columns to destination columns; those of dummy
/// packets, which complete a partial permutation, are the last.
BipartiteEdges routing_edges(const MeshShape& mesh, const Instance& packets) {
  return mapped(completed(packets, mesh.columns * mesh.rows), [&](const Transfer& packet) {
    return BipartiteEdge{static_cast<std::uint32_t>(mesh.column(packet.from)),
                         static_cast<std::uint32_t>(mesh.column(packet.to))};
  });
}

/// The degrees of the vertices on the left and on the right.
template <class IsCounted>
std::vector<std::size_t> degrees_of(const BipartiteEdges& edges, std::size_t vertices,
                                    const IsCounted& is_counted) {
  std::vector<std::size_t> degrees(2 * vertices);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!is_counted(e)) continue;
    ++degrees[edges[e].left];
    ++degrees[vertices + edges[e].right];
  }
  return degrees;
}

std::string drawing_of_graph(const BipartiteEdges& edges, std::size_t vertices,
                             const std::vector<std::uint32_t>& colours, const std::string& title) {
  Drawing drawing;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const double aside = 0.06 * colours[e];  // Keeps edges between the same vertices apart.
    drawing.line({2.0 * edges[e].left + aside, 0}, {2.0 * edges[e].right + aside, 4}, colours[e]);
  }
  for (std::size_t v = 0; v < vertices; ++v) {
    drawing.node({2.0 * static_cast<double>(v), 0}, "s" + std::to_string(v));
    drawing.node({2.0 * static_cast<double>(v), 4}, "d" + std::to_string(v));
  }
  return drawing.svg(title);
}

constexpr std::size_t kMostEdgesDrawn = 64;

/// The routing graph of an instance, and its colouring by matchings that are removed one after the
/// other.
Figures coloured_graph(const MeshShape& mesh, const BipartiteEdges& edges,
                       const std::vector<std::uint32_t>& colours) {
  std::vector<std::size_t> colour_sizes(*std::max_element(colours.begin(), colours.end()) + 1);
  // By colour: the degree of all vertices that the edges from it on leave; null if they differ.
  ordered_json degrees = ordered_json::array();
  for (std::uint32_t t = 0; t < colour_sizes.size(); ++t) {
    colour_sizes[t] = static_cast<std::size_t>(std::count(colours.begin(), colours.end(), t));
    const std::vector<std::size_t> left =
        degrees_of(edges, mesh.columns, [&](std::size_t e) { return colours[e] >= t; });
    const auto [least, most] = std::minmax_element(left.begin(), left.end());
    degrees.push_back(*least == *most ? ordered_json(*least) : ordered_json());
  }
  Figures figures{{{"vertices", 2 * mesh.columns},
                   {"edges", edges.size()},
                   {"colour_sizes", colour_sizes},
                   {"degrees", degrees},
                   {"rows_of_packets", colours}}};
  if (edges.size() > kMostEdgesDrawn) return figures;
  figures.drawings = {drawing_of_graph(edges, mesh.columns, colours,
                                       "source columns, destination columns and coloured packets")};
  return figures;
}

/// The graph and the colouring of the last instance, and the routing of all instances by colours as
/// rows.
Figures routing_graph(const Section& parameters) {
  StepTrial trial(mesh_name(plane_of(parameters)));
  const MeshShape mesh = mesh_shape(trial.network());
  RunFigures runs;
  Figures figures;
  std::size_t conflicts = 0;
  std::size_t violations = 0;
  for_each_instance(parameters, trial.network(), [&](const Instance& packets) {
    const BipartiteEdges edges = routing_edges(mesh, packets);
    const std::vector<std::uint32_t> colours =
        colour_by_alternating_paths(mesh.columns, mesh.rows, edges);
    std::set<std::pair<std::size_t, std::size_t>> ends;  // Vertices of both sides, with a colour.
    for (std::size_t e = 0; e < edges.size(); ++e) {
      conflicts += !ends.emplace(edges[e].left, colours[e]).second;
      conflicts += !ends.emplace(mesh.columns + edges[e].right, colours[e]).second;
    }
    std::vector<std::vector<NodeId>> stops(2);
    for (std::size_t p = 0; p < packets.size(); ++p) {
      stops[0].push_back(mesh.node(edges[p].left, colours[p]));
      stops[1].push_back(mesh.node(edges[p].right, colours[p]));
    }
    for (const std::vector<NodeId>& nodes : stops) {
      violations += nodes.size() - std::set<NodeId>(nodes.begin(), nodes.end()).size();
    }
    runs.add(trial.play(phases_over(packets, stops)));
    figures = coloured_graph(mesh, edges, colours);
    figures["dummies"] = edges.size() - packets.size();
  });
  figures["conflicts"] = conflicts;
  figures["violations"] = violations;
  add_largest(trial, runs, figures);
  return figures;
}

// Matchings by alternating paths, as the page constructs them.

/// The numbers of the edges, by source and destination, which is the order of the page's search.
std::vector<std::uint32_t> in_order(const BipartiteEdges& edges) {
  std::vector<std::uint32_t> order = NumberRange<std::uint32_t>(edges.size());
  sort_by(order, [&](std::uint32_t e) { return std::pair(edges[e].left, edges[e].right); });
  return order;
}

/// For k = 0, 1, ..: the number of destinations adjacent to the sources s_0 .. s_k of the last
/// search.
std::vector<std::size_t> neighbours_in_search(const BipartiteMatching& matching,
                                              const BipartiteEdges& edges,
                                              const std::vector<std::uint32_t>& used) {
  std::vector<std::size_t> counts;
  std::set<std::uint32_t> beside;
  for (const std::uint32_t source : matching.searched()) {
    for (const std::uint32_t e : used) {
      if (edges[e].left == source) beside.insert(edges[e].right);
    }
    counts.push_back(beside.size());
  }
  return counts;
}

/// Counts over the searches of all matchings.
struct PathTally {
  std::size_t paths = 0;
  std::size_t even = 0;
  std::size_t stuck = 0;
  std::size_t violations = 0;  ///< Positions k where s_0 .. s_k have at most k neighbours.
  std::size_t longest = 0;
  std::set<std::size_t> augmentations{};  ///< Numbers of augmenting paths, by matching.
  Figures shown{};
};

std::string matching_text(const BipartiteMatching& matching, const BipartiteEdges& edges) {
  std::map<std::uint32_t, std::string> texts;  // By source.
  for (const std::uint32_t e : matching.matched()) {
    texts[edges[e].left] = fmt::format("s{}-d{}", edges[e].left, edges[e].right);
  }
  return joined(mapped(texts, [](const auto& text) { return text.second; }), " ");
}

/// The path from the free source to the free destination: "s1 d0 s0 d2".
std::string path_text(const std::vector<std::uint32_t>& path) {
  std::vector<std::string> texts;
  for (std::size_t at = path.size(); at-- > 0;) {
    texts.push_back(fmt::format("{}{}", at % 2 == 0 ? 'd' : 's', path[at]));
  }
  return joined(texts, " ");
}

/// The graph, and over it the edges of the path that join the matching and that leave it.
std::string drawing_of_path(const BipartiteEdges& edges, const std::vector<std::uint32_t>& used,
                            std::size_t vertices, const std::vector<std::uint32_t>& path) {
  BipartiteEdges drawn = mapped(used, [&](const std::uint32_t e) { return edges[e]; });
  std::vector<std::uint32_t> colours(drawn.size());
  for (std::uint32_t at = 0; at + 1 < path.size(); ++at) {
    const std::uint32_t left = at % 2;  // Destinations are at the even places of the path.
    drawn.push_back({path[at + 1 - left], path[at + left]});
    colours.push_back(1 + left);
  }
  return drawing_of_graph(drawn, vertices, colours, "an alternating path over the routing graph");
}

/// Grows one matching; shows the path by which `k` edges become k + 1, for k = 0 the longest.
/// Returns the edges that are not in the matching.
std::vector<std::uint32_t> grow_matching(const BipartiteEdges& edges,
                                         const std::vector<std::uint32_t>& used,
                                         std::size_t vertices, std::size_t k, PathTally& tally) {
  BipartiteMatching matching(vertices, vertices, edges, used);
  for (std::uint32_t source = 0; source < vertices; ++source) {
    const std::string before = matching_text(matching, edges);
    if (!matching.grow(source)) {
      ++tally.stuck;
      return {};
    }
    const std::size_t length = matching.path().size() - 1;
    const std::vector<std::size_t> beside = neighbours_in_search(matching, edges, used);
    for (std::size_t at = 0; at < beside.size(); ++at) tally.violations += beside[at] < at + 1;
    tally.even += length % 2 == 0;
    ++tally.paths;
    const bool longer = length > tally.longest;
    tally.longest = std::max(tally.longest, length);
    if (k == 0 ? !longer : source != k || tally.shown.values.contains("path")) continue;
    tally.shown.values = {{"path", path_text(matching.path())},
                          {"length", length},
                          {"red", (length - 1) / 2},
                          {"before", source},
                          {"after", matching.matched().size()},
                          {"matching_before", before},
                          {"matching_after", matching_text(matching, edges)},
                          {"neighbours", beside}};
    if (used.size() > kMostEdgesDrawn) continue;
    tally.shown.drawings = {drawing_of_path(edges, used, vertices, matching.path())};
  }
  const std::vector<std::uint32_t> taken = matching.matched();
  tally.augmentations.insert(taken.size());
  return filtered(used, [&](std::uint32_t e) { return !contains(taken, e); });
}

Figures augmenting_paths(const Section& parameters) {
  const Grid network = flitcast::mesh(plane_of(parameters));
  const MeshShape mesh = mesh_shape(network);
  const std::size_t k = parameters.count("k");
  if (k >= mesh.columns) {
    parameters.fail("k", "a matching of k edges is perfect",
                    fmt::format("take k from 1 to {}; 0: the longest path", mesh.columns - 1));
  }
  PathTally tally;
  std::size_t matchings = 0;
  for_each_instance(parameters, network, [&](const Instance& packets) {
    const BipartiteEdges edges = routing_edges(mesh, packets);
    std::vector<std::uint32_t> left = in_order(edges);
    for (std::size_t t = 0; t < mesh.rows && tally.stuck == 0; ++t, ++matchings) {
      left = grow_matching(edges, left, mesh.columns, k, tally);
    }
  });
  tally.shown.values.update({{"columns", mesh.columns},
                             {"matchings", matchings},
                             {"augmentations", tally.augmentations},
                             {"paths", tally.paths},
                             {"even_paths", tally.even},
                             {"longest", tally.longest},
                             {"stuck", tally.stuck},
                             {"violations", tally.violations}});
  return tally.shown;
}

// All graphs of a size.

bool grows_perfect(BipartiteMatching& matching, std::size_t lefts) {
  return all_of(NumberRange<std::uint32_t>(lefts),
                [&](std::uint32_t left) { return matching.grow(left); });
}

/// The edges from s to d for every bit s * rights + d of a set.
BipartiteEdges edges_of_set(std::size_t set, std::size_t lefts, std::size_t rights) {
  BipartiteEdges edges;
  for (std::uint32_t e = 0; e < lefts * rights; ++e) {
    const auto width = static_cast<std::uint32_t>(rights);
    if ((set >> e & 1) != 0) edges.push_back({e / width, e % width});
  }
  return edges;
}

/// True if every set of sources has at least as many neighbours as members.
bool meets_hall(std::size_t graph, std::size_t lefts, std::size_t rights) {
  for (std::size_t set = 1; set < std::size_t{1} << lefts; ++set) {
    std::size_t beside = 0;
    for (std::size_t s = 0; s < lefts; ++s) {
      if ((set >> s & 1) != 0) beside |= graph >> (s * rights) & ((std::size_t{1} << rights) - 1);
    }
    if (__builtin_popcountll(beside) < __builtin_popcountll(set)) return false;
  }
  return true;
}

/// All bipartite graphs with n sources and y destinations: those with a perfect matching, those
/// that meet the condition of Hall; and, as sets of edges, those that are matchings and those that
/// meet the printed definition of a matching.
Figures bipartite_graphs(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t y = parameters.count("y") == 0 ? n : parameters.count("y");
  std::map<std::string, std::size_t> counts;
  for (std::size_t graph = 0; graph < std::size_t{1} << (n * y); ++graph) {
    const BipartiteEdges edges = edges_of_set(graph, n, y);
    const std::vector<std::uint32_t> used = in_order(edges);
    BipartiteMatching matching(n, y, edges, used);
    const bool has_perfect = grows_perfect(matching, n);
    ++counts["graphs"];
    counts["perfect"] += has_perfect;
    counts["disagreements"] += has_perfect != meets_hall(graph, n, y);
    // Where the search gets stuck, its sources violate the condition.
    counts["wrong_sets"] += !has_perfect && neighbours_in_search(matching, edges, used).back() >=
                                                matching.searched().size();
    const std::vector<std::size_t> degrees =
        degrees_of(edges, std::max(n, y), [](std::size_t) { return true; });
    const auto [least, most] = std::minmax_element(degrees.begin(), degrees.end());
    const bool is_perfect = *least == 1 && *most == 1;
    const bool no_vertex_has_at_most_one = *least > 1;
    counts["matchings"] += *most <= 1;
    counts["perfect_matchings"] += is_perfect;
    counts["as_printed"] += no_vertex_has_at_most_one;
    counts["perfect_as_printed"] += is_perfect && no_vertex_has_at_most_one;
  }
  return {ordered_json(counts)};
}

/// By source and destination: the number of edges.
using EdgeCounts = std::vector<std::vector<std::size_t>>;

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
  EdgeCounts counts(n, std::vector<std::size_t>(n));
  std::size_t graphs = 0;
  std::size_t perfect = 0;
  for_regular_graphs(counts, parameters.count("k"), 0, [&](const EdgeCounts& graph) {
    if (++graphs > kMostGraphs) {
      parameters.fail("n", "there are too many graphs", "take a smaller n, or k");
    }
    std::size_t set = 0;
    for (std::size_t e = 0; e < n * n; ++e) set |= std::size_t{graph[e / n][e % n] > 0} << e;
    const BipartiteEdges edges = edges_of_set(set, n, n);  // A matching takes parallel edges once.
    BipartiteMatching matching(n, n, edges, in_order(edges));
    if (grows_perfect(matching, n)) ++perfect;
  });
  return {{{"graphs", graphs}, {"perfect", perfect}}};
}

}  // namespace

FigureMakers off_line_makers() {
  return {{"off_line_route", off_line_route},
          {"routing_graph", routing_graph},
          {"augmenting_paths", augmenting_paths},
          {"bipartite_graphs", bipartite_graphs},
          {"regular_graphs", regular_graphs}};
}

}  // namespace flitcast::claims
