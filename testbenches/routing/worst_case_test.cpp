// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/worst_case.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/random.h"
#include "routing/analysis/channel_loads.h"
#include "routing/dimension_order.h"
#include "routing/minimal_adaptive.h"
#include "routing/o1turn.h"
#include "routing/shortest_path.h"
#include "support/test_catch.h"
#include "topology/channel_numbering.h"
#include "topology/graph.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

DimensionOrder dimension_order(const Grid& grid) {
  DimensionOrder::Params params;
  params.classes = grid.wraps(0) ? VcClasses::kDateline : VcClasses::kNone;
  return DimensionOrder(grid, params);
}

/// The largest load of a link under a permutation.
double most_of(const std::vector<std::size_t>& permutation, const Topology& topology,
               const Routing& routing) {
  const std::vector<double> loads =
      channel_loads(topology, routing, [&](NodeId from, NodeId to) -> std::optional<double> {
        return permutation[index(from)] == index(to) ? 1.0 : 0.0;
      });
  const auto links = static_cast<std::ptrdiff_t>(topology.channels().size());
  return *std::max_element(loads.begin(), loads.begin() + links);
}

/// The largest load of a link under any permutation, each of which is tried.
double most_of_all(const Topology& topology, const Routing& routing) {
  std::vector<std::size_t> permutation(topology.node_count());
  std::iota(permutation.begin(), permutation.end(), 0);
  double most = 0;
  do {
    most = std::max(most, most_of(permutation, topology, routing));
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  return most;
}

std::vector<std::size_t> numbers(const std::vector<NodeId>& nodes) {
  std::vector<std::size_t> numbers;
  for (const NodeId node : nodes) numbers.push_back(index(node));
  return numbers;
}

void check_against_all(const Topology& topology, const Routing& routing) {
  INFO(topology.name());
  const WorstCase worst = worst_case(topology, routing);
  const std::vector<std::size_t> found = numbers(worst.destinations);
  CHECK(std::set<std::size_t>(found.begin(), found.end()).size() == topology.node_count());
  CHECK(worst.load == Approx(most_of_all(topology, routing)));
  CHECK(most_of(found, topology, routing) == Approx(worst.load));
}

}  // namespace

TEST_CASE("the worst permutation is that which trying all permutations finds", "[routing]") {
  for (const Grid& grid : {mesh({2, 3}), mesh({5}), ring(5), ring(6), torus({3, 2})}) {
    check_against_all(grid, dimension_order(grid));
  }
  const Grid square = mesh({2, 3});
  check_against_all(square,
                    O1Turn(square, VcClasses::kNone, 2));  // Halves of the flits by either order.
}

TEST_CASE("a link counts with the greatest share of each node, not with the share of the last",
          "[routing]") {
  // A square of routers 1 to 4, with router 0 at 1: packets to the corner across take either way.
  std::vector<GraphLink> links;
  for (const auto& [a, b] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {0, 1}, {1, 2}, {1, 4}, {2, 3}, {3, 4}}) {
    links.push_back({RouterId{a}, RouterId{b}});
    links.push_back({RouterId{b}, RouterId{a}});
  }
  const Graph square("square", 5, links,
                     {RouterId{0}, RouterId{1}, RouterId{2}, RouterId{3}, RouterId{4}});
  ShortestPath::Params params;
  params.spread = true;
  check_against_all(square, ShortestPath(square, params));
}

TEST_CASE("the worst permutation of XY loads a link of a k x k mesh with k - 1", "[routing]") {
  for (const std::size_t k : {3, 4, 8}) {
    const Grid square = mesh({k, k});
    CHECK(worst_case(square, dimension_order(square)).load == Approx(k - 1));
  }
}

TEST_CASE("an assignment has the greatest weight of all", "[routing]") {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t rows = 1 + random.below(4);
    std::vector<std::vector<double>> weights(rows, std::vector<double>(5));
    for (auto& row : weights) {
      for (double& weight : row) weight = std::max(0.0, random.uniform() - 0.3);
    }
    const auto total = [&](const std::vector<std::size_t>& columns) {
      double sum = 0;
      for (std::size_t row = 0; row < rows; ++row) sum += weights[row][columns[row]];
      return sum;
    };
    std::vector<std::size_t> columns(5);
    std::iota(columns.begin(), columns.end(), 0);
    double most = 0;
    do {
      most = std::max(most, total(columns));
    } while (std::next_permutation(columns.begin(), columns.end()));
    const std::vector<std::size_t> found = heaviest_assignment(weights);
    CHECK(std::set<std::size_t>(found.begin(), found.end()).size() == rows);
    CHECK(total(found) == Approx(most));
  }
}

TEST_CASE("no worst permutation is known of adaptive routings and huge networks", "[routing]") {
  const Grid square = mesh({4, 4});
  CHECK_THROWS_AS(worst_case(square, MinimalAdaptive(square, {})), UnknownLoads);
  const Grid large = mesh({64, 64});
  CHECK_THROWS_AS(worst_case(large, dimension_order(large)), UnknownLoads);
}

TEST_CASE("the loads of all pairs add up to those of uniform traffic", "[routing]") {
  const Grid square = mesh({3, 3});
  const DimensionOrder xy = dimension_order(square);
  std::vector<double> sum(ChannelNumbering(square).count(), 0);
  for_each_pair(square, xy, [&](NodeId, NodeId, const std::vector<double>& loads) {
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += loads[c] / 9;
  });
  const std::vector<double> uniform =
      channel_loads(square, xy, [](NodeId, NodeId) -> std::optional<double> { return 1.0 / 9; });
  for (std::size_t c = 0; c < sum.size(); ++c) CHECK(sum[c] == Approx(uniform[c]));
}
