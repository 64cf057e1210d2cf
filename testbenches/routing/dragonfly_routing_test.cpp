// SPDX-License-Identifier: Apache-2.0
#include "routing/dragonfly_routing.h"

#include "routing/walk.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

bool is_global(const Dragonfly& dragonfly, const Hop& hop) {
  const std::size_t first = dragonfly.params().routers - 1;
  return index(hop.output) >= first && index(hop.output) < first + dragonfly.params().global_links;
}

}  // namespace

// Of a (a h + 1) routers: itself, a - 1 of its group, h groups by links of its own of which one
// router is entered and a - 1 are a link further, and (a - 1) h groups by links of others.
TEST_CASE("minimal ways through a dragonfly are as long on average as their closed form",
          "[routing]") {
  for (const Dragonfly::Params& params : {Dragonfly::Params{1, 4, 2}, {1, 3, 1}, {2, 1, 3}}) {
    const Dragonfly dragonfly(params);
    INFO(dragonfly.name());
    const Adjacency adjacency(dragonfly);
    const DragonflyMinimal routing(dragonfly, 2);
    std::size_t hops = 0;
    for (std::uint32_t destination = 0; destination < dragonfly.node_count(); ++destination) {
      hops += walk(dragonfly, adjacency, routing, NodeId{0}, NodeId{destination}).hops.size();
    }
    const std::size_t a = params.routers;
    const std::size_t h = params.global_links;
    const std::size_t expected = (a - 1) + h * (1 + (a - 1) * 2) + (a - 1) * h * (2 + (a - 1) * 3);
    CHECK(hops == params.nodes * expected);
  }
}

TEST_CASE("a packet is in the lower VCs of a dragonfly until it takes its global link",
          "[routing]") {
  const Dragonfly dragonfly({2, 4, 2});
  const Adjacency adjacency(dragonfly);
  const DragonflyMinimal routing(dragonfly, 5);
  for (std::uint32_t source = 0; source < 8; ++source) {
    for (std::uint32_t destination = 0; destination < dragonfly.node_count(); ++destination) {
      const Walk way = walk(dragonfly, adjacency, routing, NodeId{source}, NodeId{destination});
      bool crossed = false;
      for (const Hop& hop : way.hops) {
        if (is_global(dragonfly, hop)) {
          CHECK_FALSE(crossed);
          crossed = true;
        }
        CHECK(hop.vcs == (crossed ? 0b11100U : 0b00011U));
      }
      CHECK(crossed == (source / 8 != destination / 8));
    }
  }
}
