// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <stdexcept>

#include "support/test_catch.h"
#include "topology/adjacency.h"
#include "topology/butterfly.h"
#include "topology/concentrated.h"
#include "topology/dragonfly.h"
#include "topology/fat_tree.h"
#include "topology/graph.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

using Sizes = std::vector<std::size_t>;

// Textbook closed forms of the sum over all ordered pairs of positions, for a line and a ring.
std::size_t line_sum(std::size_t k) { return (k * k * k - k) / 3; }
std::size_t ring_sum(std::size_t k) { return k * (k * k / 4); }

template <class Form>
double mean_with_self(const Sizes& sizes, const Form& pair_sum) {
  double mean = 0;
  for (const std::size_t k : sizes) {
    mean += static_cast<double>(pair_sum(k)) / static_cast<double>(k * k);
  }
  return mean;
}

const std::vector<Sizes>& grid_sizes() {
  static const std::vector<Sizes> sizes{
      {1},    {2},    {3},    {4},    {7},       {8},       {1, 1},    {1, 5},      {2, 2},
      {3, 3}, {4, 5}, {6, 2}, {8, 8}, {1, 2, 3}, {2, 2, 2}, {3, 4, 5}, {2, 3, 2, 3}};
  return sizes;
}

void check_mean(const TopologyMetrics& metrics, double with_self, std::size_t nodes) {
  const auto n = static_cast<double>(nodes);
  CHECK(metrics.mean_distance == Approx(nodes == 1 ? 0.0 : with_self * n / (n - 1)));
}

}  // namespace

TEST_CASE("distances in meshes are those of the closed forms", "[topology]") {
  for (const Sizes& sizes : grid_sizes()) {
    const Grid grid = mesh(sizes);
    INFO(grid.name());
    const TopologyMetrics metrics = measure(grid);
    CHECK(metrics.diameter ==
          std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) - sizes.size());
    check_mean(metrics, mean_with_self(sizes, line_sum), grid.node_count());
  }
}

TEST_CASE("distances in tori are those of the closed forms", "[topology]") {
  for (const Sizes& sizes : grid_sizes()) {
    const Grid grid = torus(sizes);
    INFO(grid.name());
    const TopologyMetrics metrics = measure(grid);
    std::size_t diameter = 0;
    for (const std::size_t k : sizes) diameter += k / 2;
    CHECK(metrics.diameter == diameter);
    check_mean(metrics, mean_with_self(sizes, ring_sum), grid.node_count());
  }
}

TEST_CASE("the mean distance in an n-cube is n / 2 with the node itself", "[topology]") {
  for (std::size_t n = 0; n <= 8; ++n) {
    const Hypercube cube(n);
    const TopologyMetrics metrics = measure(cube);
    CHECK(metrics.diameter == n);
    CHECK(metrics.degree == n);
    check_mean(metrics, static_cast<double>(n) / 2, cube.node_count());
  }
}

TEST_CASE("every node of a complete graph is one channel away", "[topology]") {
  for (const std::size_t n : {2, 3, 8}) {
    const TopologyMetrics metrics = measure(Complete(n));
    CHECK(metrics.degree == n - 1);
    CHECK(metrics.diameter == 1);
    CHECK(metrics.mean_distance == 1.0);
  }
  CHECK(measure(Complete(1)).mean_distance == 0.0);
}

TEST_CASE("all ways through a butterfly have one channel less than stages", "[topology]") {
  for (const std::size_t stages : {1, 2, 4}) {
    const Butterfly butterfly(3, stages);
    const TopologyMetrics metrics = measure(butterfly);
    CHECK(metrics.diameter == stages - 1);
    CHECK(metrics.mean_distance == static_cast<double>(stages - 1));
    const auto [entry, exit] = butterfly.attachment(NodeId{2});
    CHECK(distances_to_routers(entry.router, butterfly, Adjacency(butterfly))[index(exit.router)] ==
          stages - 1);
  }
}

TEST_CASE("distances in k-ary n-trees are those to the common ancestors, up and down",
          "[topology]") {
  for (const auto& [k, n] : {std::pair<std::size_t, std::size_t>{2, 1}, {2, 5}, {3, 3}, {4, 3}}) {
    const FatTree tree = k_ary_n_tree(k, n);
    INFO(tree.name());
    // A share of 1 - 1/k of the k^(l+1) nodes below an ancestor of level l is 2 l links away.
    double mean = 0;
    double below = 1 / static_cast<double>(tree.node_count());
    for (std::size_t l = 0; l < n; ++l) {
      mean += static_cast<double>(2 * l) * below * static_cast<double>(k - 1);
      below *= static_cast<double>(k);
    }
    const TopologyMetrics metrics = measure(tree);
    CHECK(metrics.diameter == 2 * (n - 1));
    CHECK(metrics.degree == (n == 1 ? 0 : n == 2 ? k : 2 * k));
    check_mean(metrics, mean, tree.node_count());
  }
}

TEST_CASE("two leaves are two links apart", "[topology]") {
  const TopologyMetrics metrics = measure(folded_clos(3, 4, 2));
  CHECK(metrics.diameter == 2);
  CHECK(metrics.mean_distance == Approx(2 * 9.0 / 11));
  CHECK(metrics.degree == 4);
}

TEST_CASE("distances in generalised hypercubes count the digits that differ", "[topology]") {
  for (const Sizes& sizes : grid_sizes()) {
    const GeneralisedHypercube cube(sizes);
    INFO(cube.name());
    double mean = 0;
    std::size_t diameter = 0;
    for (const std::size_t k : sizes) {
      mean += 1 - 1 / static_cast<double>(k);
      diameter += k > 1 ? 1 : 0;
    }
    const TopologyMetrics metrics = measure(cube);
    CHECK(metrics.diameter == diameter);
    CHECK(metrics.degree ==
          std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) - sizes.size());
    check_mean(metrics, mean, cube.node_count());
  }
}

TEST_CASE("distances between the nodes of concentrated networks are those of their routers",
          "[topology]") {
  const TopologyMetrics cmesh = measure(concentrated_mesh({4, 3}, {2, 2}));
  const TopologyMetrics routers = measure(mesh({4, 3}));
  CHECK(cmesh.diameter == routers.diameter);
  // The means over all pairs are equal if pairs of a node with itself count.
  CHECK(cmesh.mean_distance * 47 / 48 == Approx(routers.mean_distance * 11 / 12));
  CHECK(measure(full_crossbar(9)).diameter == 0);
}

TEST_CASE("routers of a dragonfly are at most one global and two local links apart", "[topology]") {
  for (const Dragonfly::Params& params :
       {Dragonfly::Params{2, 4, 2}, {1, 2, 1}, {1, 3, 2}, {3, 1, 4}}) {
    const Dragonfly dragonfly(params);
    INFO(dragonfly.name());
    const TopologyMetrics metrics = measure(dragonfly);
    CHECK(metrics.degree == params.routers - 1 + params.global_links);
    CHECK(metrics.diameter == (params.routers == 1 ? 1 : 3));
  }
}

TEST_CASE("the degree counts the links that exist, parallel ones too", "[topology]") {
  CHECK(measure(mesh({3, 3})).degree == 4);
  CHECK(measure(mesh({2, 2})).degree == 2);
  CHECK(measure(torus({2, 2})).degree == 4);
  CHECK(measure(ring(1)).degree == 0);
}

TEST_CASE("a node that cannot be reached has no distance", "[topology]") {
  const Graph oneway("oneway", 2, {{RouterId{0}, RouterId{1}}}, {RouterId{0}, RouterId{1}});
  CHECK_THROWS_AS(measure(oneway), std::invalid_argument);
}

TEST_CASE("ports between two routers are those of the channel between them", "[topology]") {
  const Grid grid = torus({4, 3});
  const Adjacency adjacency(grid);
  for (const RouterId from : grid.routers()) {
    for (const RouterId to : grid.routers()) {
      const auto leads = [&](const Channel& channel) {
        return channel.from.router == from && channel.to.router == to;
      };
      if (std::none_of(grid.channels().begin(), grid.channels().end(), leads)) {
        CHECK_THROWS_AS(output_to(grid, from, to), std::invalid_argument);
        CHECK_THROWS_AS(input_from(grid, to, from), std::invalid_argument);
        continue;
      }
      const Channel& channel = grid.channels()[adjacency.leaving(from, output_to(grid, from, to))];
      CHECK(channel.to.router == to);
      CHECK(channel.to.port == input_from(grid, to, from));
    }
  }
}
