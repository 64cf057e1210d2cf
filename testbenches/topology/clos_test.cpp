// SPDX-License-Identifier: Apache-2.0
#include "topology/clos.h"

#include <set>
#include <stdexcept>

#include "support/test_catch.h"
#include "topology/adjacency.h"

using namespace flitcast;

namespace {

RouterId next(const Clos& clos, RouterId router, std::size_t port) {
  const Adjacency adjacency(clos);
  const std::uint32_t channel = adjacency.leaving(router, to_id<PortId>(port));
  REQUIRE(channel != Adjacency::kNone);
  return clos.channels()[channel].to.router;
}

std::uint64_t crosspoints(const Clos& clos) {
  std::uint64_t sum = 0;
  for (const RouterId router : clos.routers()) {
    sum += clos.input_count(router) * clos.output_count(router);
  }
  return sum;
}

}  // namespace

TEST_CASE("every middle switch joins every input switch with every output switch", "[topology]") {
  const Clos clos({{3, 5}}, 4);
  CHECK(clos.name() == "clos v(5,3,4)");
  CHECK(clos.node_count() == 12);
  CHECK(clos.router_count() == 4 + 5 + 4);
  const Clos::Network network = clos.network();
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      CHECK(next(clos, network.input_switch(i), j) == network.middle_switch(j));
      CHECK(next(clos, network.middle_switch(j), i) == network.output_switch(i));
    }
  }
  CHECK(clos.attachment(NodeId{7}).injection == Endpoint{network.input_switch(2), PortId{1}});
  CHECK(clos.attachment(NodeId{7}).ejection == Endpoint{network.output_switch(2), PortId{1}});
}

TEST_CASE("a Clos network has the crosspoints of the recursion, level by level", "[topology]") {
  CHECK(crosspoints(Clos({{4, 13}}, 4)) == 624);
  CHECK(crosspoints(Clos({{4, 13}, {2, 4}}, 2)) == 1040);
  CHECK(crosspoints(Clos({{2, 10}, {2, 6}, {2, 4}}, 2)) == 4160);
}

TEST_CASE("the middle networks of five stages take the links of the outer level", "[topology]") {
  const Clos clos({{2, 3}, {2, 4}}, 3);
  CHECK(clos.node_count() == 12);
  const Clos::Network outer = clos.network();
  REQUIRE(outer.nested());
  CHECK(outer.level().r1 == 6);
  for (std::size_t j = 0; j < 3; ++j) {
    const Clos::Network middle = outer.middle_network(j);
    CHECK_FALSE(middle.nested());
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(next(clos, outer.input_switch(i), j) == middle.input_switch(i / 2));
      CHECK(next(clos, middle.output_switch(i / 2), i % 2) == outer.output_switch(i));
    }
  }
}

TEST_CASE("sizes of nothing and sizes beyond the limits make no Clos network", "[topology]") {
  CHECK_FALSE(Clos::buildable({}, 2));
  CHECK_FALSE(Clos::buildable({{0, 2}}, 2));
  CHECK_FALSE(Clos::buildable({{2, 0}}, 2));
  CHECK_FALSE(Clos::buildable({{2, 2}}, 0));
  CHECK_FALSE(Clos::buildable({{65537, 2}}, 2));
  CHECK_FALSE(Clos::buildable({{4096, 2}}, 8192));
  CHECK_FALSE(Clos::buildable({{2, 65536}}, 4096));  // It would have half a thousand million links.
  CHECK(Clos::buildable({{1, 1}}, 1));
  CHECK_THROWS_AS(Clos({{2, 0}}, 2), std::invalid_argument);
}

TEST_CASE("the sides of a Clos network may differ if both have as many nodes", "[topology]") {
  const Clos clos({{6, 5, 3}}, 2, 4);
  CHECK(clos.name() == "clos v(5,6,2,3,4)");
  CHECK(clos.node_count() == 12);
  CHECK(clos.router_count() == 2 + 5 + 4);
  const Clos::Network network = clos.network();
  CHECK(clos.input_count(network.middle_switch(4)) == 2);
  CHECK(clos.output_count(network.middle_switch(4)) == 4);
  CHECK(clos.output_count(network.output_switch(3)) == 3);
  CHECK(next(clos, network.middle_switch(1), 3) == network.output_switch(3));
  CHECK(clos.attachment(NodeId{11}).injection == Endpoint{network.input_switch(1), PortId{5}});
  CHECK(clos.attachment(NodeId{11}).ejection == Endpoint{network.output_switch(3), PortId{2}});
  CHECK_FALSE(Clos::buildable({{2, 4, 3}}, 2, 2));
}

TEST_CASE("every channel of a nested Clos network leads one stage on", "[topology]") {
  const Clos clos({{2, 3}, {3, 2}}, 2);
  std::vector<int> stage(clos.router_count(), -1);
  const Clos::Network outer = clos.network();
  for (std::size_t i = 0; i < outer.level().r1; ++i) {
    stage[index(outer.input_switch(i))] = 0;
    stage[index(outer.output_switch(i))] = 4;
  }
  for (std::size_t j = 0; j < outer.level().m; ++j) {
    const Clos::Network inner = outer.middle_network(j);
    for (std::size_t i = 0; i < inner.level().r1; ++i) {
      stage[index(inner.input_switch(i))] = 1;
      stage[index(inner.output_switch(i))] = 3;
    }
    for (std::size_t k = 0; k < inner.level().m; ++k) {
      stage[index(inner.middle_switch(k))] = 2;
    }
  }
  for (const Channel& channel : clos.channels()) {
    CHECK(stage[index(channel.to.router)] == stage[index(channel.from.router)] + 1);
  }
}
