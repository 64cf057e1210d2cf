// SPDX-License-Identifier: Apache-2.0
#include "collective/edge_colouring.h"

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Edges = std::vector<BipartiteEdge>;

std::size_t largest_degree(const Edges& edges, std::size_t vertices) {
  std::vector<std::size_t> left(vertices), right(vertices);
  for (const BipartiteEdge& edge : edges) ++left[edge.left], ++right[edge.right];
  return std::max(*std::max_element(left.begin(), left.end()),
                  *std::max_element(right.begin(), right.end()));
}

/// True if every colour is in range and no two edges at a vertex share one.
bool is_proper(const Edges& edges, const std::vector<std::uint32_t>& colour, std::size_t colours) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> left, right;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (colour[i] >= colours || !left.insert({edges[i].left, colour[i]}).second ||
        !right.insert({edges[i].right, colour[i]}).second) {
      return false;
    }
  }
  return colour.size() == edges.size();
}

}  // namespace

TEST_CASE("random bipartite graphs are coloured with their largest degree", "[collective]") {
  std::mt19937 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t vertices = 1 + random() % 12;
    Edges edges(1 + random() % 60);  // Some of the edges are parallel.
    for (BipartiteEdge& edge : edges) {
      edge.left = static_cast<std::uint32_t>(random() % vertices);
      edge.right = static_cast<std::uint32_t>(random() % vertices);
    }
    const std::size_t colours = largest_degree(edges, vertices);
    CAPTURE(trial);
    REQUIRE(is_proper(edges, colour_edges(vertices, vertices, edges, colours), colours));
  }
}

TEST_CASE("a graph without edges needs no colours", "[collective]") {
  CHECK(colour_edges(1, 0, {}, 0).empty());
}

TEST_CASE("fewer colours than the largest degree are refused", "[collective]") {
  CHECK_THROWS_AS(colour_edges(1, 3, {{0, 0}, {0, 1}, {0, 2}}, 2), std::invalid_argument);
}
