// SPDX-License-Identifier: Apache-2.0
// Which channels the messages of a round share, against section 6.2 of the specification.
#include <algorithm>

#include "collective/paths.h"
#include "collective/rank_cases.h"
#include "routing/dimension_order.h"
#include "routing/e_cube.h"
#include "routing/minimal_adaptive.h"
#include "routing/multistage_routing.h"
#include "support/test_catch.h"
#include "topology/clos.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

using Op = Operation;

std::size_t most_shared(const MessagePaths& paths) {
  return *std::max_element(paths.load_per_round.begin(), paths.load_per_round.end());
}

std::size_t load_on_cube(const RankCase& one, std::size_t dimension, ECube::Order order) {
  const Hypercube cube(dimension);
  const Collective made = one.on(cube.node_count());
  return most_shared(paths_of(cube, ECube(cube, order, 1), made.plan.schedule).value());
}

MessagePaths ways_on(const Grid& grid, const Schedule& schedule, const Placement& placement = {}) {
  DimensionOrder::Params params;
  params.tie_by_coin = false;
  params.virtual_channels = 4;
  return paths_of(grid, DimensionOrder(grid, params), schedule, placement).value();
}

std::size_t load_on_mesh(const RankCase& one, std::size_t side) {
  return most_shared(ways_on(mesh({side, side}), one.on(side * side).plan.schedule));
}

}  // namespace

TEST_CASE("on hypercubes exchanges, shifts and binomial trees share no channel", "[collective]") {
  for (const ECube::Order order :
       {ECube::Order::kMostSignificantFirst, ECube::Order::kLeastSignificantFirst}) {
    for (std::size_t n = 3; n <= 6; ++n) {
      for (const RankCase& one : std::vector<RankCase>{{"binomial", Op::kBroadcast},
                                                       {"binomial", Op::kReduce},
                                                       {"binomial", Op::kScatter},
                                                       {"ring", Op::kGossip},
                                                       {"recursive_doubling", Op::kGossip},
                                                       {"recursive_doubling", Op::kAllReduce},
                                                       {"bruck", Op::kGossip},
                                                       {"bruck", Op::kAllToAllScatter},
                                                       {"shift_exchange", Op::kAllToAllScatter},
                                                       {"pairwise_exchange", Op::kAllToAllScatter},
                                                       {"dissemination", Op::kBarrier},
                                                       {"hillis_steele", Op::kScan},
                                                       {"rabenseifner", Op::kAllReduce}}) {
        INFO(one.name() << " on " << n << " dimensions");
        CHECK(load_on_cube(one, n, order) == 1);
      }
    }
  }
}

TEST_CASE("on n x n meshes trees and rings share no channel, and doubling n / 2 messages do",
          "[collective]") {
  for (const std::size_t n : {4, 8}) {
    CHECK(load_on_mesh({"binomial", Op::kBroadcast}, n) == 1);
    CHECK(load_on_mesh({"ring", Op::kAllReduce}, n) == 1);
    CHECK(load_on_mesh({"grid_ring", Op::kAllReduce, {{"row", n}}}, n) == 1);
    for (const RankCase& one : std::vector<RankCase>{{"recursive_doubling", Op::kAllReduce},
                                                     {"recursive_halving", Op::kReduceScatter},
                                                     {"dissemination", Op::kBarrier},
                                                     {"bruck", Op::kGossip},
                                                     {"hillis_steele", Op::kScan},
                                                     {"shift_exchange", Op::kAllToAllScatter},
                                                     {"pairwise_exchange", Op::kAllToAllScatter}}) {
      INFO(one.name() << " on " << n << " x " << n);
      CHECK(load_on_mesh(one, n) == n / 2);
    }
  }
}

// Ranks 0, 1 and 2 are at the nodes 6, 0 and 2 of a mesh with 3 nodes in a row: (0,2), (0,0) and
// (2,0).
TEST_CASE("ways are those between the nodes where ranks sit", "[collective]") {
  const Placement placement({NodeId{6}, NodeId{0}, NodeId{2}}, 9);
  const Collective made = RankCase{"ring", Op::kGossip}.on(3);
  const MessagePaths paths = ways_on(mesh({3, 3}), made.plan.schedule, placement);
  CHECK(paths.hops == std::vector<std::uint32_t>{2, 2, 4, 2, 2, 4});
  CHECK(paths.longest_per_round == std::vector<std::size_t>{4, 4});
  // The message from (2,0) goes left along the row and up the column, which the message of rank 0
  // also uses.
  CHECK(paths.load_per_round == std::vector<std::size_t>{1, 1});
}

TEST_CASE("ways that are drawn, or chosen on the way, are not certain", "[collective]") {
  const Collective made = RankCase{"binomial", Op::kBroadcast}.on(4);
  const Grid ring_of_four = ring(4);
  DimensionOrder::Params params;
  params.virtual_channels = 2;
  CHECK_FALSE(paths_of(ring_of_four, DimensionOrder(ring_of_four, params), made.plan.schedule));
  const Grid square = mesh({2, 2});
  MinimalAdaptive::Params adaptive;
  adaptive.virtual_channels = 2;
  CHECK_FALSE(paths_of(square, MinimalAdaptive(square, adaptive), made.plan.schedule));
}

TEST_CASE("paths that depend on the port at which a node sends are not certain", "[collective]") {
  const Collective made = RankCase{"binomial", Op::kBroadcast}.on(6);
  for (const std::size_t ports : {1U, 2U}) {
    Clos clos({{2, 3}}, 3);
    clos.widen_nodes(ports);
    CHECK(paths_of(clos, MiddleSpread(clos, 1), made.plan.schedule).has_value() == (ports == 1));
    // Dimension order takes the same path from every port.
    Grid grid = mesh({2, 3});
    grid.widen_nodes(ports);
    CHECK(paths_of(grid, DimensionOrder(grid, {}), made.plan.schedule).has_value());
  }
}
