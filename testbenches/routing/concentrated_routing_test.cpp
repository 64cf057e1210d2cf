// SPDX-License-Identifier: Apache-2.0
#include "routing/concentrated_routing.h"

#include "routing/dimension_order.h"
#include "routing/e_cube.h"
#include "routing/walk.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

/// Sends packets back to the input from which they came.
class BackWhereItCame : public Routing {
 public:
  Route route(const RouteRequest& request) const override { return {request.input, 1}; }
  VcSet injection_vcs(NodeId, NodeId) const override { return 1; }
};

}  // namespace

TEST_CASE("every node of a router is to the core's routing the only one", "[routing]") {
  const Concentrated cmesh = concentrated_mesh({3, 3}, {2, 2});
  const ConcentratedRouting routing(cmesh, std::make_unique<BackWhereItCame>());
  const NodeId destination{9};  // The node at (3, 1), the last of its tile, by port 7.
  for (std::uint16_t input = 0; input < 8; ++input) {
    const Route route = routing.route({RouterId{1}, PortId{input}, VcId{0}, destination});
    CHECK(index(route.output) == (input < 4 ? input : 7));
  }
}

TEST_CASE("a packet takes the core's way between routers and leaves by its node's own port",
          "[routing]") {
  const Concentrated cmesh = concentrated_mesh({4, 4}, {2, 2});
  const Adjacency adjacency(cmesh);
  const auto& core = dynamic_cast<const Grid&>(cmesh.core());
  const DimensionOrder plain(core, {false, true, VcClasses::kNone, 2});
  const ConcentratedRouting routing(cmesh, std::make_unique<DimensionOrder>(plain));
  for (std::uint32_t source = 0; source < 64; ++source) {
    for (std::uint32_t destination = 0; destination < 64; ++destination) {
      const NodeId from{index(cmesh.attachment(NodeId{source}).injection.router)};
      const Endpoint ejection = cmesh.attachment(NodeId{destination}).ejection;
      const Walk option = walk(cmesh, adjacency, routing, NodeId{source}, NodeId{destination});
      const Walk core_way =
          walk(core, Adjacency(core), plain, from, NodeId{index(ejection.router)});
      CHECK(option.end == ejection);
      REQUIRE(option.hops.size() == core_way.hops.size());
      for (std::size_t h = 0; h < option.hops.size(); ++h) {
        CHECK(option.hops[h].router == core_way.hops[h].router);
        CHECK(option.hops[h].output == core_way.hops[h].output);
      }
    }
  }
}

TEST_CASE("e-cube on a generalised hypercube settles a digit with each hop, in order",
          "[routing]") {
  const GeneralisedHypercube cube({3, 4});
  const Adjacency adjacency(cube);
  const DigitECube rows_first(cube, ECube::Order::kLeastSignificantFirst, 1);
  const DigitECube columns_first(cube, ECube::Order::kMostSignificantFirst, 1);
  // Packets from (2, 1) to (0, 3) go over (0, 1) along the row, or over (2, 3) along the column.
  const NodeId source{2 + 3 * 1};
  const NodeId destination{0 + 3 * 3};
  const Walk by_row = walk(cube, adjacency, rows_first, source, destination);
  REQUIRE(by_row.hops.size() == 2);
  CHECK(index(by_row.hops[0].output) == 0);
  CHECK(index(by_row.hops[1].router) == 0 + 3 * 1);
  const Walk by_column = walk(cube, adjacency, columns_first, source, destination);
  REQUIRE(by_column.hops.size() == 2);
  CHECK(index(by_column.hops[0].output) == 2 + 1);
  CHECK(index(by_column.hops[1].router) == 2 + 3 * 3);
}
