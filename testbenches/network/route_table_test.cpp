// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/route_table.h"

#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// A routing that declares on what its answers depend.
struct DeclaredRouting : Routing {
  bool arrival = false;
  std::size_t ties = 0;
  std::uint32_t drawn = 1;

  Route route(const RouteRequest&) const override { return {PortId{0}, 1}; }
  VcSet injection_vcs(NodeId, NodeId) const override { return 1; }
  bool reads_arrival() const override { return arrival; }
  std::size_t tie_dimensions() const override { return ties; }
  std::uint32_t most_choices() const override { return drawn; }
};

/// Returns whether a table for 4 routers from router 8 on keeps a route.
bool keeps_routes(const DeclaredRouting& routing, std::size_t nodes = 16) {
  RouteTable table(routing, RouterId{8}, 4, nodes);
  table.keep(RouterId{9}, NodeId{2}, {PortId{3}, 1});
  return table.find(RouterId{9}, NodeId{2}).vcs != 0;
}

}  // namespace

TEST_CASE("a route is found at the router and for the destination for which it was kept",
          "[network]") {
  RouteTable table(DeclaredRouting{}, RouterId{8}, 4, 16);
  CHECK(table.find(RouterId{11}, NodeId{14}).vcs == 0);
  const Route kept = table.keep(RouterId{11}, NodeId{14}, {PortId{7}, 6});
  CHECK(kept.output == PortId{7});
  CHECK(table.find(RouterId{11}, NodeId{14}).output == PortId{7});
  CHECK(table.find(RouterId{11}, NodeId{14}).vcs == 6);
  CHECK(table.find(RouterId{11}, NodeId{15}).vcs == 0);
  CHECK(table.find(RouterId{10}, NodeId{14}).vcs == 0);
  CHECK(table.find(RouterId{10}, NodeId{15}).vcs == 0);
}

TEST_CASE("a route with other VCs than the first is not found", "[network]") {
  RouteTable table(DeclaredRouting{}, RouterId{0}, 4, 16);
  table.keep(RouterId{1}, NodeId{2}, {PortId{3}, 6});
  table.keep(RouterId{1}, NodeId{3}, {PortId{4}, 1});
  CHECK(table.find(RouterId{1}, NodeId{2}).vcs == 6);
  CHECK(table.find(RouterId{1}, NodeId{3}).vcs == 0);
}

TEST_CASE("no route is kept where it depends on more than router and destination", "[network]") {
  DeclaredRouting routing;
  CHECK(keeps_routes(routing));
  routing.arrival = true;
  CHECK(!keeps_routes(routing));
  routing.arrival = false;
  routing.ties = 1;
  CHECK(!keeps_routes(routing));
  routing.ties = 0;
  routing.drawn = 2;
  CHECK(!keeps_routes(routing));
}

TEST_CASE("networks of more than 65536 pairs of router and node keep no routes", "[network]") {
  CHECK(keeps_routes({}, 16384));
  CHECK(!keeps_routes({}, 16385));
}
