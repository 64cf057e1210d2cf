// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flitcast {

/// An edge of a bipartite multigraph; vertices are numbered from 0 on either side.
struct BipartiteEdge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

/// A matching in a bipartite multigraph that grows by one edge along every alternating path.
class BipartiteMatching {
 public:
  /// The matching begins without edges.
  /// @param edges  Must outlive the matching.
  /// @param used   The numbers of the edges that it may take, in the order in which it tries them.
  BipartiteMatching(std::size_t lefts, std::size_t rights, const std::vector<BipartiteEdge>& edges,
                    const std::vector<std::uint32_t>& used);

  /// Searches breadth first from a free left vertex, along edges outside the matching to the right
  /// and along edges of the matching back, and exchanges the edges of the path to the first free
  /// right vertex. Returns false if it finds none.
  bool grow(std::uint32_t left);

  /// The numbers of the edges of the matching, by their right vertices.
  std::vector<std::uint32_t> matched() const;
  /// The left vertices that the last search reached, in this order.
  const std::vector<std::uint32_t>& searched() const { return searched_; }
  /// The vertices of the last path, from its right end to its left end.
  const std::vector<std::uint32_t>& path() const { return path_; }

 private:
  void exchange(std::uint32_t right, const std::vector<std::uint32_t>& reached_by);

  const std::vector<BipartiteEdge>& edges_;
  std::vector<std::vector<std::uint32_t>> at_;  // By left vertex: the edges to try.
  std::vector<std::uint32_t> edge_;             // By right vertex: its edge.
  std::vector<std::uint32_t> right_;            // By left vertex: its matched right vertex.
  std::vector<std::uint32_t> searched_;
  std::vector<std::uint32_t> path_;
};

// Proper edge colourings: the colour of every edge, from 0 up, such that no two edges at a vertex
// share one. As many colours as the largest degree suffice: D. Koenig, "Ueber Graphen und ihre
// Anwendung auf Determinantentheorie und Mengenlehre", Mathematische Annalen 77, 1916. The methods
// give different colourings.

/// Colours the edges one by one; where the ends of an edge have no free colour in common, it
/// recolours the alternating path of one free colour of each end. O(colours + shorter side) time an
/// edge; (vertices * colours) words.
///
/// Throws std::invalid_argument when a vertex has more edges than there are colours.
std::vector<std::uint32_t> colour_edges(std::size_t lefts, std::size_t rights,
                                        const std::vector<BipartiteEdge>& edges,
                                        std::size_t colours);

/// Colours a graph in which each side has `vertices` vertices, all of the same degree; throws
/// std::invalid_argument for others. Removes one perfect matching after the other, each grown by
/// alternating paths. Time: O(degree * vertices * edges). Source: CS838 lecture notes (1999),
/// section 9.
std::vector<std::uint32_t> colour_by_alternating_paths(std::size_t vertices, std::size_t degree,
                                                       const std::vector<BipartiteEdge>& edges);

/// Colours the same graphs as colour_by_alternating_paths(). Divides the edges along Euler circuits
/// into two regular halves, recursively; an odd degree gives up a perfect matching first. Time:
/// O(edges * log degree), and a matching for every odd degree in the recursion. Source: H. N.
/// Gabow, "Using Euler Partitions to Edge Color Bipartite Multigraphs", 1976.
std::vector<std::uint32_t> colour_by_euler_split(std::size_t vertices, std::size_t degree,
                                                 const std::vector<BipartiteEdge>& edges);

}  // namespace flitcast
