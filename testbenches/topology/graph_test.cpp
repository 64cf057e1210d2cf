// SPDX-License-Identifier: Apache-2.0
#include "topology/graph.h"

#include <stdexcept>

#include "support/test_catch.h"
#include "topology/adjacency.h"

using namespace flitcast;

TEST_CASE("ports are numbered in the order of the links, the nodes' ports last", "[topology]") {
  const RouterId a{0};
  const RouterId b{1};
  const Graph graph("two", 2, {{a, b, 0}, {b, a, 7}, {a, b, 2}}, {b, a, a});
  REQUIRE(graph.channels().size() == 3);
  CHECK(graph.channels()[2].from == Endpoint{a, PortId{1}});
  CHECK(graph.channels()[2].to == Endpoint{b, PortId{1}});
  CHECK(graph.channels()[1].latency == 7);
  CHECK(graph.output_count(a) == 4);
  CHECK(graph.input_count(a) == 3);
  CHECK(graph.attachment(NodeId{0}).ejection == Endpoint{b, PortId{1}});
  CHECK(graph.attachment(NodeId{2}).injection == Endpoint{a, PortId{2}});
  CHECK(graph.attachment(NodeId{2}).ejection == Endpoint{a, PortId{3}});
}

TEST_CASE("a graph with a missing router or too many ports is refused", "[topology]") {
  const RouterId a{0};
  CHECK_THROWS(Graph("bad", 1, {{a, RouterId{1}}}, {a}));
  CHECK_THROWS_AS(Graph("bad", 0, {}, {}), std::invalid_argument);
  CHECK_THROWS_AS(Graph("bad", 1, {}, std::vector<RouterId>(129, a)), std::invalid_argument);
}

TEST_CASE("two channels on one output, or one on a missing output, are found", "[topology]") {
  class Faulty : public Topology {
   public:
    explicit Faulty(PortId second) : Topology("faulty") {
      const RouterId a = add_router(2, 2);
      add_channel({{a, PortId{0}}, {a, PortId{0}}});
      add_channel({{a, second}, {a, PortId{1}}});
    }
  };
  CHECK_NOTHROW(Adjacency(Faulty(PortId{1})));
  CHECK_THROWS_AS(Adjacency(Faulty(PortId{0})), std::invalid_argument);
  CHECK_THROWS_AS(Adjacency(Faulty(PortId{2})), std::invalid_argument);
}
