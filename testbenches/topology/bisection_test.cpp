// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "support/test_catch.h"
#include "topology/butterfly.h"
#include "topology/concentrated.h"
#include "topology/fat_tree.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

bool on_side(std::uint32_t side, RouterId router) { return (side >> index(router) & 1) != 0; }

// True if the nodes are halved, each with both of its routers on one side.
bool halves_nodes(const Topology& topology, std::uint32_t side) {
  std::size_t here = 0;
  for (const NodeId node : topology.nodes()) {
    const Attachment& at = topology.attachment(node);
    if (on_side(side, at.injection.router) != on_side(side, at.ejection.router)) return false;
    here += on_side(side, at.injection.router) ? 1 : 0;
  }
  return here == topology.node_count() / 2;
}

// Finds the minimum cut by trying all divisions of the routers.
std::size_t fewest_cut(const Topology& topology) {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (std::uint32_t side = 0; side < (1U << topology.router_count()); ++side) {
    if (!halves_nodes(topology, side)) continue;
    const auto cut = std::count_if(
        topology.channels().begin(), topology.channels().end(), [&](const Channel& channel) {
          return on_side(side, channel.from.router) != on_side(side, channel.to.router);
        });
    fewest = std::min(fewest, static_cast<std::size_t>(cut));
  }
  return fewest;
}

void check_by_trial(const Topology& topology) {
  INFO(topology.name());
  CHECK(topology.bisection_channels() == fewest_cut(topology));
}

}  // namespace

TEST_CASE("the bisection of small grids is the fewest channels that any division cuts",
          "[topology]") {
  using Sizes = std::vector<std::size_t>;
  for (const Sizes& sizes : {Sizes{1},
                             {2},
                             {3},
                             {4},
                             {5},
                             {1, 3},
                             {2, 2},
                             {3, 2},
                             {2, 3},
                             {3, 3},
                             {4, 3},
                             {5, 2},
                             {2, 2, 2},
                             {3, 2, 2},
                             {1, 4, 1}}) {
    check_by_trial(mesh(sizes));
    check_by_trial(torus(sizes));
  }
}

TEST_CASE("the bisection of small cubes and complete graphs is the fewest of any division",
          "[topology]") {
  for (std::size_t n = 0; n <= 3; ++n) check_by_trial(Hypercube(n));
  for (std::size_t n = 1; n <= 7; ++n) check_by_trial(Complete(n));
}

TEST_CASE("the bisection of small butterflies is the fewest of any division", "[topology]") {
  check_by_trial(Butterfly(2, 2));
  check_by_trial(Butterfly(2, 3));
  check_by_trial(Butterfly(4, 2));
  CHECK_FALSE(Butterfly(3, 2).bisection_channels());
  CHECK_FALSE(Butterfly(4, 1).bisection_channels());
}

TEST_CASE("the bisection of small fat trees is the fewest of any division", "[topology]") {
  check_by_trial(k_ary_n_tree(2, 2));
  check_by_trial(k_ary_n_tree(2, 3));
  check_by_trial(k_ary_n_tree(4, 2));
  check_by_trial(folded_clos(3, 4, 2));
  check_by_trial(folded_clos(1, 6, 5));
  CHECK_FALSE(k_ary_n_tree(3, 3).bisection_channels());
  CHECK_FALSE(k_ary_n_tree(4, 1).bisection_channels());
  CHECK_FALSE(folded_clos(2, 3, 2).bisection_channels());
  CHECK_FALSE(FatTree("narrow", {{2, 1}, {2, 1}, {2, 0}}).bisection_channels());
}

TEST_CASE("the bisection of small generalised hypercubes is the fewest of any division",
          "[topology]") {
  using Sizes = std::vector<std::size_t>;
  for (const Sizes& sizes :
       {Sizes{1}, {4}, {5}, {2, 4}, {4, 2}, {3, 3}, {3, 4}, {5, 2}, {2, 2, 3}, {3, 1, 4}}) {
    check_by_trial(GeneralisedHypercube(sizes));
  }
}

TEST_CASE("the bisection of small concentrated networks is the fewest of any division",
          "[topology]") {
  check_by_trial(concentrated_mesh({4, 2}, {2, 1}));
  check_by_trial(concentrated_mesh({3}, {1}));
  check_by_trial(flattened_butterfly({3, 4}, {1, 2}));
  CHECK_FALSE(concentrated_mesh({3, 3}, {2, 2}).bisection_channels());
  CHECK_FALSE(full_crossbar(4).bisection_channels());
}

TEST_CASE("large grids have the textbook's bisection", "[topology]") {
  CHECK(mesh({8, 8}).bisection_channels() == 2 * 8);
  CHECK(torus({8, 8}).bisection_channels() == 4 * 8);
  CHECK(torus({4, 4, 4}).bisection_channels() == 4 * 16);
  CHECK(mesh({5, 5}).bisection_channels() == 2 * 6);
}
