// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "config/problem.h"
#include "support/test_catch.h"
#include "topology/graph.h"

using namespace flitcast;

namespace {

Graph read(const std::string& text) {
  std::istringstream input(text);
  return read_graph(input, "net.graph");
}

using Faults = std::vector<std::pair<int, int>>;  // Pairs of line and column.

Faults faults(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& error) {
    Faults places;
    for (const Problem& problem : error.problems()) {
      CHECK(problem.place.file == "net.graph");
      CHECK_FALSE(problem.what.empty());
      CHECK_FALSE(problem.hint.empty());
      places.emplace_back(problem.place.line, problem.place.column);
    }
    return places;
  }
  return {};
}

const std::string kPair = "router a\nrouter b\nterminal t a\n";  // These lines are lines 1 to 3.

}  // namespace

TEST_CASE("a graph file makes routers, nodes and links in the order of its lines", "[topology]") {
  const Graph graph = read(
      "# two routers\n"
      "link b a latency 5   # before its routers\n"
      "router a\r\n"
      "\trouter b\n"
      "\n"
      "link a b oneway\n"
      "link a b both latency 2\n"
      "terminal a b\n"
      "terminal b a");
  CHECK(graph.name() == "custom net.graph");
  REQUIRE(graph.router_count() == 2);
  REQUIRE(graph.channels().size() == 5);
  CHECK(graph.channels()[0].from == Endpoint{RouterId{1}, PortId{0}});
  CHECK(graph.channels()[0].latency == 5);
  CHECK(graph.channels()[1].from == Endpoint{RouterId{0}, PortId{0}});
  CHECK(graph.channels()[2].latency == 0);
  CHECK(graph.channels()[3].from == Endpoint{RouterId{0}, PortId{2}});
  CHECK(graph.channels()[4].latency == 2);
  CHECK(graph.attachment(NodeId{0}).ejection.router == RouterId{1});
}

TEST_CASE("a single router with a terminal is a graph", "[topology]") {
  CHECK(read("router a\nterminal t a\n").node_count() == 1);
}

TEST_CASE("each fault of a graph file is reported at its word", "[topology]") {
  CHECK(faults(kPair + "link a b\nruter c\n") == Faults{{5, 1}});
  CHECK(faults(kPair + "link a b\nrouter a\n") == Faults{{5, 8}});
  CHECK(faults(kPair + "link a b\nterminal t b\n") == Faults{{5, 10}});
  CHECK(faults(kPair + "link a b\nterminal u x\n") == Faults{{5, 12}});
  CHECK(faults(kPair + "link a b\nlink a x\n") == Faults{{5, 8}});
  CHECK(faults(kPair + "link a b\nlink a  a\n") == Faults{{5, 9}});
  CHECK(faults(kPair + "link a b\nlink a\n") == Faults{{5, 1}});
  CHECK(faults(kPair + "link a b\nrouter c d\n") == Faults{{5, 10}});
  CHECK(faults(kPair + "link a b\nterminal u\n") == Faults{{5, 1}});
  CHECK(faults(kPair + "link a b twoway\n") == Faults{{4, 10}});
  CHECK(faults("router a\n") == Faults{{1, 1}});
  CHECK(faults("") == Faults{{1, 1}});
}

TEST_CASE("a latency is a whole number from 1 to 1000000", "[topology]") {
  CHECK(faults(kPair + "link a b latency 1000000").empty());
  for (const char* latency : {"0", "1000001", "-1", "1.5", "x", "2x"}) {
    CHECK(faults(kPair + "link a b latency " + latency) == Faults{{4, 18}});
  }
  CHECK(faults(kPair + "link a b latency") == Faults{{4, 10}});
  CHECK(faults(kPair + "link a b latency 1 latency 20") == Faults{{4, 28}});
}

TEST_CASE("all faults are reported at once, in the order of the file", "[topology]") {
  CHECK(faults("terminal t x\nrouter a\nlink a y\nrouter a\nlink a b latency 0\n") ==
        Faults{{1, 12}, {3, 8}, {4, 8}, {5, 8}, {5, 18}});
}

TEST_CASE("links have flit times of their own, both ways", "[topology]") {
  const Graph graph = read(kPair + "link a b cycles_per_flit 4 latency 2\nlink b a oneway\n");
  REQUIRE(graph.channels().size() == 3);
  CHECK(graph.channels()[0].cycles_per_flit == 4);
  CHECK(graph.channels()[1].cycles_per_flit == 4);
  CHECK(graph.channels()[1].latency == 2);
  CHECK(graph.channels()[2].cycles_per_flit == 0);
  CHECK(faults(kPair + "link a b cycles_per_flit 0\nlink a b cycles_per_flit 1025\n"
                       "link a b cycles_per_flit\n") == Faults{{4, 26}, {5, 26}, {6, 10}});
}

TEST_CASE("routers that cannot be reached, or cannot be left, are reported", "[topology]") {
  CHECK(faults(kPair) == Faults{{2, 8}, {2, 8}});
  CHECK(faults(kPair + "link a b oneway\n") == Faults{{2, 8}});
  CHECK(faults(kPair + "link b a oneway\n") == Faults{{2, 8}});
  CHECK(faults(kPair + "link b a oneway\nlink a b oneway\n").empty());
}

TEST_CASE("a router has at most 128 ports", "[topology]") {
  std::string text = kPair + "link a b\n";
  for (int t = 0; t < 126; ++t) text += "terminal u" + std::to_string(t) + " a\n";
  CHECK(faults(text).empty());
  CHECK(faults(text + "terminal v a\n") == Faults{{1, 8}});
}
