// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flitcast {

/// An edge of a bipartite graph; vertices are numbered from 0 on either side.
struct BipartiteEdge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

/// A proper colouring: the colour of every edge, such that no two edges at a vertex share one.
///
/// Koenig's theorem: as many colours as the largest degree suffice. Edges are coloured one by one;
/// where the ends of an edge have no free colour in common, the alternating path of one free colour
/// of each end is recoloured. O(colours + shorter side) time an edge; (vertices * colours) words.
///
/// Vertices and colours are counted from 0; parallel edges are fine. Throws std::invalid_argument
/// when a vertex has more edges than there are colours.
/// Source: D. Koenig, "Ueber Graphen und ihre Anwendung auf Determinantentheorie und Mengenlehre",
/// Mathematische Annalen 77, 1916.
std::vector<std::uint32_t> colour_edges(std::size_t lefts, std::size_t rights,
                                        const std::vector<BipartiteEdge>& edges,
                                        std::size_t colours);

}  // namespace flitcast
