// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/refusal.h"
#include "topology/adjacency.h"
#include "topology/graph.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

Verification flood(const Topology& topology, NodeId source = NodeId{0}) {
  return verify_hops(topology, source, flooding_broadcast(topology, source), kAllPorts);
}

void flood_from_everywhere(const Topology& topology) {
  std::size_t most_rounds = 0;
  for (const NodeId source : nodes_of(topology)) {
    const Verification verification = flood(topology, source);
    CHECK(verification.duplicates == verification.transmissions - (topology.node_count() - 1));
    most_rounds = std::max(most_rounds, verification.rounds);
  }
  if (topology.node_count() > 1) CHECK(most_rounds == measure(topology).diameter);
}

GraphLink link(std::uint32_t from, std::uint32_t to) { return {RouterId{from}, RouterId{to}}; }

std::vector<RouterId> one_node_each(std::uint32_t routers) {
  std::vector<RouterId> homes;
  for (std::uint32_t router = 0; router < routers; ++router) homes.push_back(RouterId{router});
  return homes;
}

}  // namespace

// P13 to P16 are cases of the specification's table of costs.
TEST_CASE("flooding costs what the specification says", "[collective]") {
  check_cost(flood(mesh({4, 4})), {6, 24, 9, {2, 3, 4, 3, 2, 1}});         // P13
  check_cost(flood(torus({5, 5})), {4, 60, 36, {4, 8, 8, 4, 0}});          // P14
  check_cost(flood(torus({3, 4}), NodeId{2}), {3, 28, 17, {4, 5, 2, 0}});  // P15
  check_cost(flood(torus({2, 3})), {2, 14, 9, {3, 2, 0}});                 // P16
}

TEST_CASE("flooding keeps its promise from every source of small networks", "[collective]") {
  for (std::size_t columns = 1; columns <= 5; ++columns) {
    for (std::size_t rows = 1; rows <= 5; ++rows) {
      flood_from_everywhere(mesh({columns, rows}));
      flood_from_everywhere(torus({columns, rows}));
    }
  }
  flood_from_everywhere(torus({3, 2, 4}));
  for (std::size_t n = 0; n <= 5; ++n) flood_from_everywhere(Hypercube(n));
  for (std::size_t n = 1; n <= 6; ++n) flood_from_everywhere(Complete(n));
}

TEST_CASE("in a bipartite network flooding uses every link once", "[collective]") {
  CHECK(flood(mesh({7, 4}), NodeId{9}).transmissions == 6 * 4 + 7 * 3);
  CHECK(flood(torus({6, 4}), NodeId{9}).transmissions == 2 * 6 * 4);
  CHECK(flood(Hypercube(6)).transmissions == 6 * 32);
}

TEST_CASE("parallel links carry a copy each and none goes back over either", "[collective]") {
  check_cost(flood(torus({2})), {1, 2, 1, {1}});
  check_cost(flood(torus({2, 2})), {2, 8, 5, {2, 1}});
}

TEST_CASE("a one-way link that leads back carries a copy all the same", "[collective]") {
  const Graph triangle("triangle", 3, {link(0, 1), link(1, 2), link(2, 0)}, one_node_each(3));
  check_cost(flood(triangle), {2, 3, 1, {1, 1, 0}});
  const Graph tailed("tailed", 3, {link(0, 1), link(1, 0), link(1, 2), link(2, 0)},
                     one_node_each(3));
  check_cost(flood(tailed), {2, 3, 1, {1, 1, 0}});
}

TEST_CASE("flooding goes by neighbours, whatever the numbers of their ports", "[collective]") {
  // Node 1 receives from node 0 by input 1 and sends to node 0 by output 0.
  const Graph line("line", 3, {link(1, 0), link(2, 1), link(0, 1), link(1, 2)}, one_node_each(3));
  check_cost(flood(line), {2, 2, 0, {1, 1}});
  check_cost(flood(line, NodeId{1}), {1, 2, 0, {2}});
}

TEST_CASE("flooding of a single node takes no round", "[collective]") {
  check_cost(flood(mesh({1})), {0, 0, 0, {}});
  check_cost(flood(torus({1, 1})), {0, 0, 0, {}});
}

TEST_CASE("flooding refuses networks that it does not reach all of", "[collective]") {
  const Graph parted("parted", 3, {link(0, 1), link(1, 0), link(2, 0)}, one_node_each(3));
  const PreconditionError error = refusal([&] { flooding_broadcast(parted, NodeId{1}); });
  CHECK(error.subject() == PreconditionError::Subject::kTopology);
  CHECK(error.reason() == "no path leads from node 1 to node 2 of parted");
  CHECK(flood(parted, NodeId{2}).rounds == 2);
}

TEST_CASE("flooding refuses networks without a node at every router", "[collective]") {
  const Graph crowded("crowded", 2, {link(0, 1), link(1, 0)}, {RouterId{1}, RouterId{0}});
  CHECK(refusal([&] { flooding_broadcast(crowded, NodeId{0}); }).subject() ==
        PreconditionError::Subject::kTopology);
  const Graph bare("bare", 2, {link(0, 1), link(1, 0)}, {RouterId{0}});
  CHECK(refusal([&] { flooding_broadcast(bare, NodeId{0}); }).subject() ==
        PreconditionError::Subject::kTopology);
}

TEST_CASE("flooding refuses a source outside the network and names its nodes", "[collective]") {
  const PreconditionError error = refusal([] { flooding_broadcast(mesh({4, 4}), NodeId{16}); });
  CHECK(error.subject() == PreconditionError::Subject::kSource);
  CHECK(error.hint().find("0 to 15") != std::string::npos);
}
