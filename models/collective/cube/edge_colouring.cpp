// SPDX-License-Identifier: Apache-2.0
#include "collective/cube/edge_colouring.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace flitcast {
namespace {

constexpr std::uint32_t kNoEdge = ~std::uint32_t{0};

/// A colouring in the making. The right vertices are numbered after the left ones here.
class Colouring {
 public:
  Colouring(std::size_t lefts, std::size_t rights, const std::vector<BipartiteEdge>& edges,
            std::size_t colours)
      : edges_(edges),
        lefts_(lefts),
        colours_(colours),
        colour_of_(edges.size()),
        edge_at_((lefts + rights) * colours, kNoEdge) {}

  void insert(std::uint32_t edge) {
    const std::size_t left = edges_[edge].left;
    const std::size_t right = lefts_ + edges_[edge].right;
    const std::uint32_t wanted = free_colour(left);
    const std::uint32_t instead = free_colour(right);
    // The path reaches left vertices by edges of the wanted colour, so it never comes to `left`.
    if (wanted != instead) exchange(alternating_path(right, wanted, instead), wanted, instead);
    paint(edge, wanted);
  }

  std::vector<std::uint32_t> take() { return std::move(colour_of_); }

 private:
  std::uint32_t& edge_at(std::size_t vertex, std::uint32_t colour) {
    return edge_at_[vertex * colours_ + colour];
  }

  std::uint32_t free_colour(std::size_t vertex) {
    std::uint32_t colour = 0;
    while (colour < colours_ && edge_at(vertex, colour) != kNoEdge) ++colour;
    if (colour == colours_) throw std::invalid_argument("a vertex has more edges than colours");
    return colour;
  }

  std::vector<std::uint32_t> alternating_path(std::size_t vertex, std::uint32_t colour,
                                              std::uint32_t other) {
    std::vector<std::uint32_t> path;
    while (edge_at(vertex, colour) != kNoEdge) {
      const std::uint32_t edge = edge_at(vertex, colour);
      path.push_back(edge);
      const std::size_t left = edges_[edge].left;
      vertex = vertex == left ? lefts_ + edges_[edge].right : left;
      std::swap(colour, other);
    }
    return path;
  }

  void exchange(const std::vector<std::uint32_t>& path, std::uint32_t a, std::uint32_t b) {
    for (const std::uint32_t edge : path) erase(edge);
    for (const std::uint32_t edge : path) paint(edge, colour_of_[edge] == a ? b : a);
  }

  void erase(std::uint32_t edge) { record(edge, kNoEdge); }

  void paint(std::uint32_t edge, std::uint32_t colour) {
    colour_of_[edge] = colour;
    record(edge, edge);
  }

  void record(std::uint32_t edge, std::uint32_t entry) {
    edge_at(edges_[edge].left, colour_of_[edge]) = entry;
    edge_at(lefts_ + edges_[edge].right, colour_of_[edge]) = entry;
  }

  const std::vector<BipartiteEdge>& edges_;
  const std::size_t lefts_;
  const std::size_t colours_;
  std::vector<std::uint32_t> colour_of_;
  std::vector<std::uint32_t> edge_at_;  // By vertex and colour.
};

}  // namespace

std::vector<std::uint32_t> colour_edges(std::size_t lefts, std::size_t rights,
                                        const std::vector<BipartiteEdge>& edges,
                                        std::size_t colours) {
  Colouring colouring(lefts, rights, edges, colours);
  for (std::uint32_t edge = 0; edge < edges.size(); ++edge) colouring.insert(edge);
  return colouring.take();
}

}  // namespace flitcast
