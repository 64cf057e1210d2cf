// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "routing/multistage_routing.h"
#include "routing/walk.h"
#include "support/test_catch.h"

using namespace flitcast;

TEST_CASE("the nodes of a switch reach one node by different middle switches", "[routing]") {
  const Clos clos({{3, 5}}, 4);
  const MiddleSpread routing(clos, 1);
  const Adjacency adjacency(clos);
  std::set<PortId> middles;
  for (std::uint32_t source = 3; source < 6; ++source) {
    middles.insert(walk(clos, adjacency, routing, NodeId{source}, NodeId{10}).hops[0].output);
  }
  CHECK(middles.size() == 3);
}

TEST_CASE("nodes at one port of different switches reach one node by different middle switches",
          "[routing]") {
  const Clos clos({{3, 4}}, 4);
  const MiddleSpread routing(clos, 1);
  const Adjacency adjacency(clos);
  std::set<PortId> middles;
  for (std::uint32_t source = 2; source < 12; source += 3) {
    middles.insert(walk(clos, adjacency, routing, NodeId{source}, NodeId{10}).hops[0].output);
  }
  CHECK(middles.size() == 4);
}

TEST_CASE("the middle switch is (input port + input switch + destination) mod m", "[routing]") {
  const Clos clos({{3, 5}}, 4);
  const MiddleSpread routing(clos, 1);
  const Adjacency adjacency(clos);
  for (std::uint32_t source = 0; source < 12; ++source) {
    for (std::uint32_t destination = 0; destination < 12; ++destination) {
      const Walk option = walk(clos, adjacency, routing, NodeId{source}, NodeId{destination});
      CHECK(index(option.hops[0].output) == (source % 3 + source / 3 + destination) % 5);
    }
  }
}

TEST_CASE("a packet crosses every stage once, at any depth", "[routing]") {
  const Clos clos({{2, 3}, {3, 4}}, 2);
  const MiddleSpread routing(clos, 1);
  const Adjacency adjacency(clos);
  for (std::uint32_t source = 0; source < 12; ++source) {
    for (std::uint32_t destination = 0; destination < 12; ++destination) {
      const Walk option = walk(clos, adjacency, routing, NodeId{source}, NodeId{destination});
      CHECK(option.hops.size() == 4);  // The path crosses the channels between five stages.
      CHECK(option.end == clos.attachment(NodeId{destination}).ejection);
    }
  }
}
