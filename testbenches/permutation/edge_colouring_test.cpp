// SPDX-License-Identifier: Apache-2.0
#include "collective/edge_colouring.h"

#include <set>
#include <stdexcept>
#include <utility>

#include "permutation/instance.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Colour = decltype(&colour_by_euler_split);

// The union of `degree` random permutations as edges; an edge may join equal numbers.
std::vector<BipartiteEdge> random_regular(std::uint64_t seed, std::size_t vertices,
                                          std::size_t degree) {
  std::vector<BipartiteEdge> edges;
  for (std::size_t d = 0; d < degree; ++d) {
    const DestinationTable table = random_permutation(seed + d, vertices);
    for (std::uint32_t v = 0; v < vertices; ++v) edges.push_back({v, index(table[v])});
  }
  return edges;
}

}  // namespace

TEST_CASE("edges of a vertex get different colours, as many as it has edges", "[permutation]") {
  const Colour colour = GENERATE(colour_by_alternating_paths, colour_by_euler_split);
  const std::size_t degree = GENERATE(1U, 2U, 3U, 7U, 8U, 12U);
  const std::size_t vertices = GENERATE(1U, 2U, 5U, 16U);
  const auto edges = random_regular(17 * degree, vertices, degree);
  const auto colours = colour(vertices, degree, edges);
  REQUIRE(colours.size() == edges.size());
  std::set<std::pair<std::uint32_t, std::uint32_t>> left;
  std::set<std::pair<std::uint32_t, std::uint32_t>> right;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    CHECK(colours[e] < degree);
    left.insert({edges[e].left, colours[e]});
    right.insert({edges[e].right, colours[e]});
  }
  CHECK(left.size() == edges.size());
  CHECK(right.size() == edges.size());
}

TEST_CASE("a graph that is not regular is refused", "[permutation]") {
  const Colour colour = GENERATE(colour_by_alternating_paths, colour_by_euler_split);
  CHECK_THROWS_AS(colour(2, 1, {{0, 0}, {1, 0}}), std::invalid_argument);
  CHECK_THROWS_AS(colour(2, 2, {{0, 0}, {1, 1}}), std::invalid_argument);
  CHECK_THROWS_AS(colour(1, 1, {{0, 3}}), std::invalid_argument);
}
