// SPDX-License-Identifier: Apache-2.0
#include "routing/multicast/multicast_routing.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "routing/multicast/hamiltonian_paths.h"
#include "routing/multicast/xy_multicast.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

using Nodes = MulticastRouting::Nodes;
using Split = HamiltonianPaths::Split;

Nodes members_of(std::uint64_t set) {
  Nodes members;
  for (std::uint32_t node = 0; set >> node != 0; ++node) {
    if ((set >> node & 1) != 0) members.push_back(NodeId{node});
  }
  return members;
}

std::vector<std::unique_ptr<MulticastRouting>> algorithms_on(const Grid& grid) {
  std::vector<std::unique_ptr<MulticastRouting>> all;
  all.push_back(std::make_unique<HamiltonianPaths>(grid, Split::kDual, 2));
  all.push_back(std::make_unique<HamiltonianPaths>(grid, Split::kMulti, 2));
  all.push_back(std::make_unique<ColumnPath>(grid, 2));
  all.push_back(std::make_unique<XyTree>(grid, 2));
  return all;
}

// Calls visit(source, members) for all of them.
template <class Visit>
void for_each_multicast(const Grid& grid, const Visit& visit) {
  for (std::uint32_t source = 0; source < grid.node_count(); ++source) {
    for (std::uint64_t set = 0; set < std::uint64_t{1} << grid.node_count(); ++set) {
      if ((set >> source & 1) == 0) visit(NodeId{source}, members_of(set));
    }
  }
}

Nodes receivers_of(const std::vector<CopyHop>& hops) {
  Nodes receivers;
  for (const CopyHop& hop : hops) {
    if (hop.channel == Adjacency::kNone) receivers.push_back(NodeId{index(hop.router)});
  }
  return receivers;
}

std::size_t links_of(const std::vector<CopyHop>& hops) {
  return static_cast<std::size_t>(std::count_if(hops.begin(), hops.end(), [](const CopyHop& hop) {
    return hop.channel != Adjacency::kNone;
  }));
}

}  // namespace

TEST_CASE("hardware multicasts serve every destination once, for every source and set",
          "[routing]") {
  for (const auto& sizes : {std::vector<std::size_t>{3, 3}, {4, 2}, {2, 4}, {6}, {1, 5}}) {
    const Grid grid = mesh(sizes);
    const Adjacency adjacency(grid);
    for (const auto& routing : algorithms_on(grid)) {
      for_each_multicast(grid, [&](NodeId source, const Nodes& members) {
        Nodes served;
        for (const Nodes& part : routing->parts(source, members)) {
          REQUIRE_FALSE(part.empty());
          const auto hops = follow(grid, adjacency, *routing, source, part);
          const Nodes here = receivers_of(hops);
          served.insert(served.end(), here.begin(), here.end());
        }
        std::sort(served.begin(), served.end());
        REQUIRE(served == members);
      });
    }
  }
}

TEST_CASE("worms of the Hamiltonian path visit their nodes in the order of labels", "[routing]") {
  const Grid grid = mesh({3, 3});
  const Adjacency adjacency(grid);
  for (const Split split : {Split::kDual, Split::kMulti}) {
    const HamiltonianPaths routing(grid, split, 2);
    for_each_multicast(grid, [&](NodeId source, const Nodes& members) {
      const auto parts = routing.parts(source, members);
      REQUIRE(parts.size() <= (split == Split::kDual ? 2 : 4));
      for (const Nodes& part : parts) {
        // In depth-first order, a node's copy follows the nodes beyond it.
        Nodes visited = receivers_of(follow(grid, adjacency, routing, source, part));
        std::reverse(visited.begin(), visited.end());
        REQUIRE(visited == part);
        const bool high = routing.label(part.front()) > routing.label(source);
        NodeId last = source;
        for (const NodeId node : part) {
          REQUIRE((routing.label(node) > routing.label(last)) == high);
          last = node;
        }
      }
    });
  }
}

TEST_CASE("ways of the Hamiltonian path to one node are shortest ones", "[routing]") {
  for (const auto& sizes : {std::vector<std::size_t>{4, 4}, {5, 6}, {8, 8}}) {
    const Grid grid = mesh(sizes);
    const Adjacency adjacency(grid);
    const HamiltonianPaths routing(grid, Split::kDual, 2);
    for (const NodeId from : grid.nodes()) {
      for (const NodeId to : grid.nodes()) {
        std::size_t distance = 0;
        for (const std::size_t d : {0, 1}) {
          const auto a = static_cast<std::ptrdiff_t>(grid.coordinate(from, d));
          const auto b = static_cast<std::ptrdiff_t>(grid.coordinate(to, d));
          distance += static_cast<std::size_t>(std::abs(a - b));
        }
        const auto hops = follow(grid, adjacency, routing, from, {to});
        REQUIRE(links_of(hops) == distance);
      }
    }
  }
}

TEST_CASE("an XY tree takes the channels of the XY paths, each once", "[routing]") {
  const Grid grid = mesh({3, 3});
  const Adjacency adjacency(grid);
  const XyTree routing(grid, 1);
  for_each_multicast(grid, [&](NodeId source, const Nodes& members) {
    std::set<std::uint32_t> expected;
    for (const NodeId node : members) {
      for (const CopyHop& hop : follow(grid, adjacency, routing, source, {node})) {
        if (hop.channel != Adjacency::kNone) expected.insert(hop.channel);
      }
    }
    if (members.empty()) return;
    REQUIRE(links_of(follow(grid, adjacency, routing, source, members)) == expected.size());
  });
}

TEST_CASE("columns are served by a worm upwards and one downwards along XY paths", "[routing]") {
  const Grid grid = mesh({4, 4});
  const Adjacency adjacency(grid);
  const ColumnPath routing(grid, 2);
  // Worms start at (1,1): up to (3,2) and (3,3), with (3,1) on the path; down to (3,0); to (0,1) in
  // the row.
  const Nodes members{NodeId{3}, NodeId{4}, NodeId{7}, NodeId{11}, NodeId{15}};
  const auto parts = routing.parts(NodeId{5}, members);
  REQUIRE(parts.size() == 3);
  CHECK(parts[0] == Nodes{NodeId{4}});
  CHECK(parts[1] == Nodes{NodeId{7}, NodeId{11}, NodeId{15}});
  CHECK(parts[2] == Nodes{NodeId{3}});
  CHECK(routing.parts(NodeId{5}, {NodeId{3}, NodeId{7}}) ==
        std::vector<Nodes>{{NodeId{7}, NodeId{3}}});
}

TEST_CASE("directions have consumption channels of their own unless they share them", "[routing]") {
  CHECK(consumption_vcs(4, true)[0] == 0b0011);
  CHECK(consumption_vcs(4, true)[1] == 0b1100);
  CHECK(consumption_vcs(3, true)[0] == 0b011);
  CHECK(consumption_vcs(3, true)[1] == 0b100);
  CHECK(consumption_vcs(1, true)[1] == 0b1);
  CHECK(consumption_vcs(4, false)[0] == 0b1111);
  const Grid grid = mesh({3, 3});
  const HamiltonianPaths routing(grid, Split::kDual, 2);
  Branches high;
  routing.branches_to({NodeId{8}}, {RouterId{8}, Grid::minus(1)}, high);
  Branches low;
  routing.branches_to({NodeId{0}}, {RouterId{0}, Grid::plus(1)}, low);
  CHECK(high.begin()->vcs == 0b01);
  CHECK(low.begin()->vcs == 0b10);
}

TEST_CASE("a packet that is copied has no single way", "[routing]") {
  const Grid grid = mesh({3, 3});
  const XyTree routing(grid, 1);
  const NodeId group = routing.groups().add({NodeId{5}, NodeId{7}});
  CHECK(routing.route({RouterId{4}, grid.local(), VcId{0}, NodeId{5}}).output == Grid::plus(0));
  CHECK_THROWS_AS(routing.route({RouterId{4}, grid.local(), VcId{0}, group}), std::logic_error);
}
