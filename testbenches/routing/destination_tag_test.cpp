// SPDX-License-Identifier: Apache-2.0
#include "routing/multistage_routing.h"
#include "routing/walk.h"
#include "support/test_catch.h"

using namespace flitcast;

TEST_CASE("each stage takes the output of the next digit, the most significant first",
          "[routing]") {
  const Butterfly fly(3, 4);
  const DestinationTag routing(fly, 2);
  const Adjacency adjacency(fly);
  const NodeId destination{2 * 27 + 0 * 9 + 1 * 3 + 2};
  for (const NodeId source : fly.nodes()) {
    const Walk option = walk(fly, adjacency, routing, source, destination);
    REQUIRE(option.hops.size() == 3);
    CHECK(index(option.hops[0].output) == 2);
    CHECK(index(option.hops[1].output) == 0);
    CHECK(index(option.hops[2].output) == 1);
    CHECK(index(option.end.port) == 2);
  }
}
