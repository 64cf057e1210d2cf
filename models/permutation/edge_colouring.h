// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flitcast {

/// An edge of a bipartite multigraph: vertices on each side are numbered from 0.
struct BipartiteEdge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

/// Colours for the edges of a bipartite multigraph in which every vertex has `degree` edges and
/// each side `vertices` vertices: numbers below `degree`, such that all edges of a vertex differ.
/// They always exist (Koenig, 1916). Which they are depends on the method; only that they differ
/// is a promise. Both throw std::invalid_argument if the graph is not regular.
///
/// Takes out one perfect matching after the other, each grown by alternating paths. Time:
/// O(degree * vertices * edges). Source: CS838 lecture notes (1999), section 9.
std::vector<std::uint32_t> colour_by_alternating_paths(std::size_t vertices, std::size_t degree,
                                                       const std::vector<BipartiteEdge>& edges);

/// Divides the edges along Euler circuits into two regular halves, again and again; an odd degree
/// gives up a perfect matching first. Time: O(edges * log degree) and a matching for every odd
/// degree on the way. Source: H. N. Gabow, "Using Euler Partitions to Edge Color Bipartite
/// Multigraphs", 1976.
std::vector<std::uint32_t> colour_by_euler_split(std::size_t vertices, std::size_t degree,
                                                 const std::vector<BipartiteEdge>& edges);

}  // namespace flitcast
