// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "collective/cost.h"
#include "collective/instances.h"
#include "support/test_catch.h"
#include "topology/adjacency.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

constexpr auto kByPackets = Switching::kStoreAndForward;
constexpr auto kByMessages = Switching::kWormhole;

std::size_t broadcast(const Topology& topology, std::uint32_t source, Switching switching,
                      unsigned ports) {
  const Demand demand{Operation::kBroadcast, topology.node_count(), NodeId{source}, 1};
  return lower_bound(topology, demand, {switching, ports}).rounds;
}

LowerBound all_port(const Topology& topology, Operation operation, std::size_t chunks = 1) {
  const Demand demand{operation, topology.node_count(), NodeId{0}, chunks};
  return lower_bound(topology, demand, {kByPackets, kAllPorts});
}

std::uint32_t eccentricity(const Topology& topology, NodeId source) {
  const auto distance = distances_from(source, topology, Adjacency(topology));
  return *std::max_element(distance.begin(), distance.end());
}

}  // namespace

TEST_CASE("logarithms are rounded up exactly", "[collective]") {
  CHECK(ceil_log(2, 1) == 0);
  CHECK(ceil_log(2, 2) == 1);
  CHECK(ceil_log(2, 3) == 2);
  CHECK(ceil_log(3, 81) == 4);
  CHECK(ceil_log(3, 82) == 5);
  CHECK(ceil_log(5, 15625) == 6);  // In floating point log(15625) / log(5) is above 6.
  CHECK(ceil_log(2, ~std::size_t{0}) == 64);
  CHECK(ceil_log(10, ~std::size_t{0}) == 20);
  CHECK_THROWS_AS(ceil_log(1, 5), std::invalid_argument);
  CHECK_THROWS_AS(ceil_log(2, 0), std::invalid_argument);
}

TEST_CASE("the eccentricity is the distance to the farthest node", "[collective]") {
  CHECK(eccentricity(mesh({1}), NodeId{0}) == 0);
  CHECK(eccentricity(mesh({5, 4}), NodeId{7}) == 4);
  CHECK(eccentricity(mesh({3, 3, 4}), NodeId{0}) == 7);
  CHECK(eccentricity(torus({5, 5}), NodeId{3}) == 4);
  CHECK(eccentricity(torus({2, 7}), NodeId{3}) == 4);
  CHECK(eccentricity(Hypercube(6), NodeId{11}) == 6);
  CHECK(eccentricity(Complete(9), NodeId{4}) == 1);
}

TEST_CASE("packets reach all only after as many rounds as the farthest is away", "[collective]") {
  CHECK(broadcast(mesh({4, 4}), 0, kByPackets, kAllPorts) == 6);
  CHECK(broadcast(torus({3, 4}), 2, kByPackets, kAllPorts) == 3);
  CHECK(broadcast(torus({2, 3}), 0, kByPackets, kAllPorts) == 2);
  CHECK(broadcast(mesh({1, 6}), 2, kByPackets, kAllPorts) == 3);
  CHECK(broadcast(Hypercube(5), 19, kByPackets, kAllPorts) == 5);
  CHECK(broadcast(Hypercube(0), 0, kByPackets, kAllPorts) == 0);
}

TEST_CASE("informed one-port nodes double at most", "[collective]") {
  CHECK(broadcast(Complete(1), 0, kByPackets, 1) == 0);
  CHECK(broadcast(Complete(2), 1, kByPackets, 1) == 1);
  CHECK(broadcast(Complete(13), 5, kByPackets, 1) == 4);
  CHECK(broadcast(Complete(13), 5, kByPackets, 2) == 3);   // ceil(log3 13)
  CHECK(broadcast(mesh({3, 3}), 4, kByPackets, 1) == 4);   // The eccentricity is only 2.
  CHECK(broadcast(torus({5, 3}), 0, kByPackets, 1) == 4);  // The eccentricity is only 3.
  CHECK(broadcast(mesh({3, 3, 4}), 0, kByPackets, 1) == 7);
  CHECK(broadcast(mesh({8}), 0, kByMessages, 1) == 3);
  CHECK(broadcast(mesh({5, 5}), 12, kByMessages, 1) == 5);
  CHECK(broadcast(torus({6, 10}), 11, kByMessages, 1) == 6);
}

TEST_CASE("all-port messages inform one node a port and round", "[collective]") {
  // Sections 2.1 and 2.2 of the specification.
  const std::size_t cubes[] = {0, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4};
  for (std::size_t n = 0; n < 12; ++n) {
    CHECK(broadcast(Hypercube(n), 0, kByMessages, kAllPorts) == cubes[n]);
  }
  CHECK(broadcast(Hypercube(20), 0, kByMessages, kAllPorts) == 5);
  CHECK(broadcast(torus({5, 5}), 0, kByMessages, kAllPorts) == 2);
  CHECK(broadcast(torus({25, 25}), 82, kByMessages, kAllPorts) == 4);
  CHECK(broadcast(mesh({16, 16}), 105, kByMessages, kAllPorts) == 4);
  CHECK(broadcast(mesh({64, 64}), 351, kByMessages, kAllPorts) == 6);
  CHECK(broadcast(torus({12, 4}), 17, kByMessages, kAllPorts) == 3);
  CHECK(broadcast(torus({2, 7}), 0, kByMessages, kAllPorts) == 2);
  CHECK(broadcast(torus({9, 1}), 0, kByMessages, kAllPorts) == 2);
  // A node has two channels instead of four, so a round at most triples the number of informed
  // nodes.
  CHECK(broadcast(torus({10, 1}), 0, kByMessages, kAllPorts) == 3);
}

TEST_CASE("the four operations in cubes need the rounds of the lectures' table", "[collective]") {
  for (std::size_t n = 1; n <= 8; ++n) {
    const Hypercube cube(n);
    const std::size_t nodes = cube.node_count();
    INFO(cube.name());
    CHECK(all_port(cube, Operation::kBroadcast).rounds == n);
    CHECK(all_port(cube, Operation::kGossip).rounds == (nodes - 1 + n - 1) / n);
    CHECK(all_port(cube, Operation::kScatter).rounds == (nodes - 1 + n - 1) / n);
    CHECK(all_port(cube, Operation::kAllToAllScatter).rounds == nodes / 2);
  }
}

TEST_CASE("gossip takes the rounds to receive all chunks of all others", "[collective]") {
  CHECK(all_port(torus({3, 3}), Operation::kGossip, 2).rounds == 4);
  CHECK(all_port(torus({4, 5}), Operation::kGossip, 2).rounds == 10);
  CHECK(all_port(torus({4, 5}), Operation::kGossip).rounds == 5);
  CHECK(all_port(torus({5, 7}), Operation::kGossip).rounds == 9);
  CHECK(all_port(torus({4, 3, 6}), Operation::kGossip).rounds == 12);
  CHECK(all_port(torus({4, 4, 4, 4}), Operation::kGossip).rounds == 32);
  CHECK(all_port(mesh({3, 3}), Operation::kGossip).rounds == 4);  // A corner has two channels.
  CHECK(all_port(mesh({1}), Operation::kGossip).rounds == 0);
}

TEST_CASE("a scatter takes its sends or its distance, whichever is longer", "[collective]") {
  CHECK(all_port(mesh({5}), Operation::kScatter).rounds == 4);
  CHECK(all_port(torus({5, 5}), Operation::kScatter).rounds == 6);  // 24 chunks over 4 channels.
  const Demand from_end{Operation::kScatter, 6, NodeId{0}, 1};
  CHECK(lower_bound(ring(6), from_end, {kByPackets, kAllPorts}).rounds == 3);
  CHECK(lower_bound(ring(6), from_end, {kByPackets, 1}).rounds == 5);
  CHECK(lower_bound(ring(6), from_end, {kByMessages, kAllPorts}).rounds == 3);  // ceil(5 / 2)
}

TEST_CASE("a total exchange takes its hops over the channels", "[collective]") {
  // In a ring of 5 the others are 1, 1, 2 and 2 hops away from each node: 30 hops over 10 channels.
  CHECK(all_port(ring(5), Operation::kAllToAllScatter).rounds == 3);
  const Demand exchange{Operation::kAllToAllScatter, 5, NodeId{0}, 1};
  // A round has at most 5 hops.
  CHECK(lower_bound(ring(5), exchange, {kByPackets, 1}).rounds == 6);
  // Each node has 4 chunks to send.
  CHECK(lower_bound(ring(5), exchange, {kByMessages, 1}).rounds == 4);
  // In a line of 4 the distances add up to 20 hops, and 6 channels take 4 rounds for them.
  CHECK(all_port(mesh({4}), Operation::kAllToAllScatter).rounds == 4);
}

TEST_CASE("between ranks one bound holds for all algorithms, whatever ports and chunks they use",
          "[collective]") {
  const auto bound = [](const Topology& topology, Operation operation, unsigned ports,
                        bool multicast = false) {
    const Demand demand{operation, topology.node_count()};
    return lower_bound(topology, demand, {Switching::kAnyNetwork, ports, multicast}).rounds;
  };
  const Complete complete(27);
  for (const OperationName& operation : operations()) {
    if (operation.operation == Operation::kMulticast) continue;
    INFO(operation.name);
    CHECK(bound(complete, operation.operation, kAllPorts) == 1);
    CHECK(bound(complete, operation.operation, 1) == 5);
    CHECK(bound(complete, operation.operation, 2) == 3);
    CHECK(bound(Complete(1), operation.operation, kAllPorts) == 0);
    CHECK(bound(Complete(2), operation.operation, 1) == 1);
  }
  CHECK(bound(complete, Operation::kBroadcast, 1, true) == 1);
  CHECK(bound(complete, Operation::kAllReduce, 1, true) == 5);
  Demand multicast{Operation::kMulticast, 27};
  multicast.receivers = {NodeId{3}, NodeId{4}, NodeId{5}};
  for (const Switching switching : {Switching::kAnyNetwork, kByMessages, kByPackets}) {
    CHECK(lower_bound(complete, multicast, {switching, 1}).rounds == 2);
    CHECK(lower_bound(complete, multicast, {switching, kAllPorts}).rounds == 1);
  }
  CHECK(lower_bound(complete, multicast, {kByMessages, 1}).reason == "ceil(log_2 (g + 1))");
}

TEST_CASE("under dimension-ordered routing some all-port broadcasts take a round more",
          "[collective]") {
  const auto bound = [](const Topology& topology, bool ordered) {
    const Demand demand{Operation::kBroadcast, topology.node_count()};
    return lower_bound(topology, demand, {kByMessages, kAllPorts}, ordered).rounds;
  };
  for (std::size_t n = 1; n <= 12; ++n) {
    INFO(n);
    const bool more = n == 5 || n == 9 || n == 10;
    CHECK(bound(Hypercube(n), true) == bound(Hypercube(n), false) + (more ? 1 : 0));
  }
  CHECK(bound(torus({5, 5}), false) == 2);
  CHECK(bound(torus({5, 5}), true) == 3);
  CHECK(bound(torus({25, 25}), true) == 5);
  CHECK(bound(torus({6, 6}), true) == 3);
  CHECK(bound(mesh({4, 4}), true) == 2);
  for (const std::size_t size : {2, 3, 9, 10}) CHECK(bound(ring(size), true) == ceil_log(3, size));
}

TEST_CASE("one port for several farthest nodes costs store-and-forward broadcasts a round",
          "[collective]") {
  CHECK(broadcast(mesh({5, 5}), 7, kByPackets, 1) == 6);
  CHECK(broadcast(mesh({5, 5}), 12, kByPackets, 1) == 6);  // The centre, with four farthest.
  CHECK(broadcast(mesh({7, 5}), 17, kByPackets, 1) == 7);
  CHECK(broadcast(mesh({4, 5}), 9, kByPackets, 1) == 5);
  CHECK(broadcast(mesh({5, 5}), 0, kByPackets, 1) == 8);
  CHECK(broadcast(mesh({5, 5}), 7, kByPackets, kAllPorts) == 5);
}

TEST_CASE("no schedule of the room undercuts its bound", "[collective]") {
  for (const Instance& instance : collective_instances()) {
    INFO(instance.name());
    const LowerBound bound = lower_bound(*instance.topology, instance.demand, instance.discipline);
    CHECK(instance.verified().rounds >= bound.rounds);
  }
}

TEST_CASE("a bound gives its reason", "[collective]") {
  CHECK(all_port(mesh({4, 4}), Operation::kBroadcast).reason == "eccentricity of the source");
  CHECK(all_port(torus({3, 3}), Operation::kGossip, 2).reason ==
        "ceil(16 / 4): chunks that a node must receive over its ports");
  const Demand broadcast{Operation::kBroadcast, 25, NodeId{0}, 1};
  CHECK(lower_bound(torus({5, 5}), broadcast, {kByMessages, kAllPorts}).reason == "ceil(log_5 N)");
}

TEST_CASE("no bound is given for a source that does not exist", "[collective]") {
  CHECK_THROWS_AS(broadcast(mesh({3}), 3, kByPackets, 1), std::invalid_argument);
}
