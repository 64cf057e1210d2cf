// SPDX-License-Identifier: Apache-2.0
#include "collective/edge_colouring.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"

namespace flitcast {
namespace {

using Edges = std::vector<std::uint32_t>;  // Numbers of edges.

constexpr std::uint32_t kNone = ~std::uint32_t{0};

}  // namespace

BipartiteMatching::BipartiteMatching(std::size_t lefts, std::size_t rights,
                                     const std::vector<BipartiteEdge>& edges,
                                     const std::vector<std::uint32_t>& used)
    : edges_(edges), at_(lefts), edge_(rights, kNone), right_(lefts, kNone) {
  for (const std::uint32_t e : used) at_[edges_[e].left].push_back(e);
}

bool BipartiteMatching::grow(std::uint32_t left) {
  std::vector<std::uint32_t> reached_by(edge_.size(), kNone);  // By right vertex.
  searched_ = {left};
  for (std::size_t next = 0; next < searched_.size(); ++next) {
    for (const std::uint32_t e : at_[searched_[next]]) {
      const std::uint32_t right = edges_[e].right;
      if (reached_by[right] != kNone) continue;
      reached_by[right] = e;
      if (edge_[right] == kNone) {
        exchange(right, reached_by);
        return true;
      }
      searched_.push_back(edges_[edge_[right]].left);
    }
  }
  return false;
}

std::vector<std::uint32_t> BipartiteMatching::matched() const {
  return filtered(edge_, [](std::uint32_t e) { return e != kNone; });
}

void BipartiteMatching::exchange(std::uint32_t right,
                                 const std::vector<std::uint32_t>& reached_by) {
  path_.clear();
  while (right != kNone) {
    const std::uint32_t left = edges_[reached_by[right]].left;
    path_.insert(path_.end(), {right, left});
    edge_[right] = reached_by[right];
    right = std::exchange(right_[left], right);
  }
}

namespace {

class Colouring {
 public:
  Colouring(std::size_t vertices, const std::vector<BipartiteEdge>& edges)
      : vertices_(vertices), edges_(edges), colours_(edges.size(), kNone) {}

  std::vector<std::uint32_t> by_matchings(std::size_t degree) {
    Edges rest = all_;
    for (std::size_t colour = 0; colour < degree; ++colour) {
      rest = without_matching(rest, static_cast<std::uint32_t>(colour));
    }
    return colours_;
  }

  std::vector<std::uint32_t> by_splits(std::size_t degree) {
    split(all_, degree, 0);
    return colours_;
  }

 private:
  // Colours the edges with the colours first .. first + degree - 1.
  void split(const Edges& edges, std::size_t degree, std::uint32_t first) {
    if (degree == 0) return;
    if (degree % 2 != 0) {
      return split(without_matching(edges, first), degree - 1, first + 1);
    }
    const auto [one, other] = halves(edges);
    split(one, degree / 2, first);
    split(other, degree / 2, first + static_cast<std::uint32_t>(degree / 2));
  }

  // Along an Euler circuit, edges lead alternately from left to right and back, so at every vertex
  // half of the edges lead in each direction.
  std::pair<Edges, Edges> halves(const Edges& edges) const {
    std::vector<Edges> at(2 * vertices_);
    for (const std::uint32_t e : edges) {
      at[edges_[e].left].push_back(e);
      at[vertices_ + edges_[e].right].push_back(e);
    }
    std::vector<bool> used(edges_.size());
    std::pair<Edges, Edges> halves;
    for (std::size_t start = 0; start < vertices_; ++start) {
      for (std::size_t vertex = start;;) {
        while (!at[vertex].empty() && used[at[vertex].back()]) at[vertex].pop_back();
        if (at[vertex].empty()) break;
        const std::uint32_t e = at[vertex].back();
        used[e] = true;
        const bool from_left = vertex < vertices_;
        (from_left ? halves.first : halves.second).push_back(e);
        vertex = from_left ? vertices_ + edges_[e].right : edges_[e].left;
      }
    }
    return halves;
  }

  // Gives a perfect matching the colour and returns the other edges.
  Edges without_matching(const Edges& edges, std::uint32_t colour) {
    BipartiteMatching matching(vertices_, vertices_, edges_, edges);
    for (std::uint32_t left = 0; left < vertices_; ++left) {
      if (matching.grow(left)) continue;
      throw std::invalid_argument("a graph that is not regular has no perfect matching");
    }
    for (const std::uint32_t e : matching.matched()) colours_[e] = colour;
    return filtered(edges, [&](std::uint32_t e) { return colours_[e] == kNone; });
  }

  const std::size_t vertices_;
  const std::vector<BipartiteEdge>& edges_;
  const Edges all_ = NumberRange<std::uint32_t>(edges_.size());
  std::vector<std::uint32_t> colours_;
};

void refuse_irregular(std::size_t vertices, std::size_t degree,
                      const std::vector<BipartiteEdge>& edges) {
  std::vector<std::size_t> degrees(2 * vertices);  // By vertex: the left ones, then the right ones.
  for (const BipartiteEdge& edge : edges) {
    if (edge.left >= vertices || edge.right >= vertices) {
      throw std::invalid_argument("an edge of no vertex");
    }
    ++degrees[edge.left];
    ++degrees[vertices + edge.right];
  }
  if (any_of(degrees, [&](std::size_t own) { return own != degree; })) {
    throw std::invalid_argument("a graph that is not regular");
  }
}

}  // namespace

std::vector<std::uint32_t> colour_by_alternating_paths(std::size_t vertices, std::size_t degree,
                                                       const std::vector<BipartiteEdge>& edges) {
  refuse_irregular(vertices, degree, edges);
  return Colouring(vertices, edges).by_matchings(degree);
}

std::vector<std::uint32_t> colour_by_euler_split(std::size_t vertices, std::size_t degree,
                                                 const std::vector<BipartiteEdge>& edges) {
  refuse_irregular(vertices, degree, edges);
  return Colouring(vertices, edges).by_splits(degree);
}

namespace {

/// A colouring under construction. The right vertices are numbered after the left ones.
class GrowingColouring {
 public:
  GrowingColouring(std::size_t lefts, std::size_t rights, const std::vector<BipartiteEdge>& edges,
                   std::size_t colours)
      : edges_(edges),
        lefts_(lefts),
        colours_(colours),
        colour_of_(edges.size()),
        edge_at_((lefts + rights) * colours, kNone) {}

  void insert(std::uint32_t edge) {
    const std::size_t left = edges_[edge].left;
    const std::size_t right = lefts_ + edges_[edge].right;
    const std::uint32_t wanted = free_colour(left);
    const std::uint32_t instead = free_colour(right);
    // The path reaches left vertices by edges of the wanted colour, so it never reaches `left`.
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
    while (colour < colours_ && edge_at(vertex, colour) != kNone) ++colour;
    if (colour == colours_) throw std::invalid_argument("a vertex has more edges than colours");
    return colour;
  }

  std::vector<std::uint32_t> alternating_path(std::size_t vertex, std::uint32_t colour,
                                              std::uint32_t other) {
    std::vector<std::uint32_t> path;
    while (edge_at(vertex, colour) != kNone) {
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

  void erase(std::uint32_t edge) { record(edge, kNone); }

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
  std::vector<std::uint32_t> edge_at_;  // By vertex and colour: the edge there.
};

}  // namespace

std::vector<std::uint32_t> colour_edges(std::size_t lefts, std::size_t rights,
                                        const std::vector<BipartiteEdge>& edges,
                                        std::size_t colours) {
  GrowingColouring colouring(lefts, rights, edges, colours);
  for (std::uint32_t edge = 0; edge < edges.size(); ++edge) colouring.insert(edge);
  return colouring.take();
}

}  // namespace flitcast
