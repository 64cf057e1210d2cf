// SPDX-License-Identifier: Apache-2.0
// Graphs in the formats of other programs.
#include <sstream>

#include "config/problem.h"
#include "support/test_catch.h"
#include "topology/adjacency.h"
#include "topology/examples.h"
#include "topology/faults.h"
#include "topology/graph_file.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

Graph read(const std::string& text, const std::string& file) {
  std::istringstream input(text);
  return read_graph(input, file);
}

/// Every line of a refused file that has a problem, in file order.
std::vector<int> lines_of_problems(const std::string& text, const std::string& file) {
  try {
    read(text, file);
  } catch (const ConfigError& error) {
    std::vector<int> lines;
    for (const Problem& problem : error.problems()) {
      CHECK(problem.place.file == file);
      CHECK_FALSE(problem.hint.empty());
      lines.push_back(problem.place.line);
    }
    return lines;
  }
  return {};
}

void check_same(const Topology& a, const Topology& b) {
  REQUIRE(a.router_count() == b.router_count());
  REQUIRE(a.node_count() == b.node_count());
  REQUIRE(a.channels().size() == b.channels().size());
  for (const RouterId r : a.routers()) CHECK(a.router_name(r) == b.router_name(r));
  for (std::size_t c = 0; c < a.channels().size(); ++c) {
    const Channel& one = a.channels()[c];
    const Channel& other = b.channels()[c];
    CHECK(one.from == other.from);
    CHECK(one.to == other.to);
    CHECK(one.latency == other.latency);
    CHECK(one.cycles_per_flit == other.cycles_per_flit);
  }
  for (const NodeId n : a.nodes()) {
    CHECK(a.attachment(n).injection == b.attachment(n).injection);
    CHECK(a.attachment(n).ejection == b.attachment(n).ejection);
  }
}

/// The latency of the only channel between two routers; 0 if there is none.
std::uint32_t latency(const Graph& graph, std::uint32_t from, std::uint32_t to) {
  std::uint32_t found = 0;
  for (const Channel& channel : graph.channels()) {
    if (index(channel.from.router) != from || index(channel.to.router) != to) continue;
    CHECK(found == 0);
    found = channel.latency;
  }
  return found;
}

std::string graphml(const std::string& parts, const std::string& direction = "undirected") {
  return "<graphml>\n"
         "<key id='k' for='node' attr.name='kind' attr.type='string'/>\n"
         "<key id='t' for='node' attr.name='terminals' attr.type='int'/>\n"
         "<key id='l' for='edge' attr.name='latency' attr.type='int'/>\n"
         "<graph edgedefault='" +
         direction + "'>\n" + parts + "</graph>\n</graphml>\n";
}

const std::string kNodes =  // Lines 6 to 8.
    "<node id='a'><data key='t'>1</data></node>\n"
    "<node id='b'/>\n"
    "<node id='n'><data key='k'>terminal</data></node>\n";

std::string node_link(const std::string& nodes, const std::string& links,
                      const std::string& more = "") {
  return "{\"directed\": false,\n\"nodes\": [\n" + nodes + "],\n\"links\": [\n" + links + "]" +
         more + "}\n";
}

}  // namespace

TEST_CASE("every topology is the same graph after a journey through a file", "[topology]") {
  for (const auto& topology : example_topologies()) {
    for (std::size_t c = 0; c < topology->channels().size(); c += 3) {
      Channel& channel = topology->channel(c);
      channel.latency = static_cast<std::uint32_t>(c + 2);
      channel.cycles_per_flit = static_cast<std::uint32_t>(c % 5);
    }
    for (const GraphFormat& format : graph_formats()) {
      if (format.read == nullptr || format.write == nullptr) continue;
      INFO(topology->name() << " as " << format.name);
      check_same(*topology, read(format.write(file_of(*topology)), "x" + format.ending));
    }
  }
}

TEST_CASE("a topology with a failed router is a graph of the others in a file", "[topology]") {
  const std::vector<std::string> faults{"router 5", "link 0 1"};
  const auto topology = with_faults(std::make_unique<Grid>(mesh({4, 4})),
                                    Section::of("topology", {{"faults", faults}}));
  for (const GraphFormat& format : graph_formats()) {
    if (format.read == nullptr || format.write == nullptr) continue;
    INFO(format.name);
    const Graph graph = read(format.write(file_of(*topology)), "x" + format.ending);
    CHECK(graph.router_count() == 15);
    CHECK(graph.node_count() == 15);
    REQUIRE(graph.channels().size() == 48 - 2 * 4 - 2);
    for (std::size_t c = 0; c < graph.channels().size(); ++c) {
      const Channel& read = graph.channels()[c];
      const Channel& written = topology->channels()[c];
      CHECK(graph.router_name(read.from.router) == topology->router_name(written.from.router));
      CHECK(graph.router_name(read.to.router) == topology->router_name(written.to.router));
      CHECK(read.from.port == written.from.port);
      CHECK(read.to.port == written.to.port);
    }
  }
}

TEST_CASE("the ending of a file states its format", "[topology]") {
  CHECK(read("router a\nterminal t a\n", "x.txt").node_count() == 1);
  CHECK(read("router 0 node 0\n", "x.anynet").node_count() == 1);
  CHECK(lines_of_problems("digraph {}", "x.dot") == std::vector<int>{0});
}

TEST_CASE("GraphML has undirected and directed edges, and nodes by number", "[topology]") {
  const Graph graph =
      read(graphml(kNodes + "<edge source='a' target='b'><data key='l'>7</data></edge>\n"
                            "<edge source='b' target='a' directed='true'/>\n"
                            "<edge source='n' target='b'/>\n"),
           "x.graphml");
  CHECK(graph.router_name(RouterId{1}) == "b");
  REQUIRE(graph.channels().size() == 3);
  CHECK(graph.channels()[1].latency == 7);
  CHECK(graph.channels()[2].latency == 0);
  REQUIRE(graph.node_count() == 2);
  CHECK(graph.attachment(NodeId{0}).ejection.router == RouterId{0});
  CHECK(graph.attachment(NodeId{1}).injection == Endpoint{RouterId{1}, PortId{1}});
}

TEST_CASE("a default of GraphML holds for all that say nothing else", "[topology]") {
  const Graph graph = read(
      "<graphml><key id='t' for='node' attr.name='terminals'><default>2</default></key>"
      "<key id='l' for='edge' attr.name='latency'><default>3</default></key><graph>"
      "<node id='a'/><node id='b'><data key='t'>0</data></node><edge source='a' target='b'/>"
      "<edge source='b' target='a'><data key='l'>4</data></edge></graph></graphml>",
      "x.graphml");
  CHECK(graph.node_count() == 2);
  CHECK(latency(graph, 0, 1) == 3);
  CHECK(latency(graph, 1, 0) == 4);
}

TEST_CASE("each problem of a GraphML file is reported at its line", "[topology]") {
  const auto lines = [](const std::string& parts, const std::string& direction = "undirected") {
    return lines_of_problems(graphml(parts, direction), "x.graphml");
  };
  using Lines = std::vector<int>;
  const std::string joined = kNodes + "<edge source='a' target='b'/>\n";  // Line 9.
  CHECK(lines(joined + "<edge source='n' target='b'/>\n").empty());
  CHECK(lines(joined + "<edge source='n' target='b'>\n") == Lines{11});  // Not XML.
  CHECK(lines(joined) == Lines{8});                                      // A node without a router.
  CHECK(lines(kNodes + "<edge source='n' target='a'/>\n") == Lines{7, 7});  // Disconnected.
  CHECK(lines(joined + "<edge source='n' target='b'/>\n<edge source='a' target='x'/>\n") ==
        Lines{11});
  CHECK(lines(joined + "<edge source='n' target='b'/>\n<edge source='a' target='n'/>\n") ==
        Lines{8});
  CHECK(lines(joined + "<edge source='n' target='b'><data key='l'>2</data></edge>\n") == Lines{10});
  CHECK(lines(joined + "<edge source='n' target='b'/>\n<edge source='a' target='b'>\n"
                       "<data key='l'>0</data>\n<data key='x'>1</data></edge>\n") == Lines{12, 13});
  CHECK(lines(joined + "<node id='a'/>\n<edge source='n' target='b'/>\n") == Lines{10});
  CHECK(lines(joined + "<edge source='n' target='b'/>\n<hyperedge/>\n") == Lines{11});
  CHECK(lines(joined + "<edge source='n' target='b'/>\n<edge source='b' target='b'/>\n") ==
        Lines{11});
  CHECK(lines(joined + "<edge source='n' target='b'/>\n<node id='c'><data key='k'>hub</data>\n"
                       "<data key='t'>129</data></node>\n") == Lines{11, 12});
  CHECK(lines("<node id='a'/>\n") == Lines{1});  // No terminal.
  CHECK(lines_of_problems("<graph/>", "x.graphml") == Lines{1});
}

TEST_CASE("two links with the same port are refused, and half of the ports is enough",
          "[topology]") {
  const auto text = [](int first, int second) {
    return "{\"directed\": true, \"nodes\": [{\"id\": 0, \"terminals\": 1},\n{\"id\": 1}],\n"
           "\"links\": [{\"source\": 0, \"target\": 1, \"output\": " +
           std::to_string(first) +
           "},\n{\"source\": 0, \"target\": 1, \"output\": " + std::to_string(second) +
           "},\n{\"source\": 1, \"target\": 0}]}\n";
  };
  CHECK(lines_of_problems(text(2, 2), "x.json") == std::vector<int>{1});
  CHECK(lines_of_problems(text(2, 128), "x.json") == std::vector<int>{4});
  const Graph graph = read(text(2, 0), "x.json");
  CHECK(graph.channels()[0].from.port == PortId{2});
  CHECK(graph.channels()[1].from.port == PortId{0});
  CHECK(graph.attachment(NodeId{0}).ejection.port == PortId{1});
  CHECK(graph.output_count(RouterId{0}) == 3);
}

TEST_CASE("node-link JSON is read with its numbers, and refused by line", "[topology]") {
  using Lines = std::vector<int>;
  const std::string nodes = "{\"id\": 0, \"terminals\": 2},\n{\"id\": \"b\"}\n";  // Lines 3 and 4.
  const std::string link = "{\"source\": 0, \"target\": \"b\", \"latency\": 5, \"key\": 0}";
  const auto lines = [](const std::string& text) { return lines_of_problems(text, "x.json"); };
  const Graph graph = read(node_link(nodes, link), "x.json");
  CHECK(graph.router_name(RouterId{0}) == "0");
  CHECK(graph.node_count() == 2);
  CHECK(latency(graph, 0, 1) == 5);
  CHECK(latency(graph, 1, 0) == 5);
  const std::string again = "{\"source\": \"b\",\n\"target\": 0}";
  CHECK(lines(node_link(nodes, link + ",\n" + again)).empty());
  CHECK(lines(node_link(nodes, link + ",\n" + again, ",\n\"multigraph\": false")) == Lines{9});
  CHECK(lines(node_link(nodes, link, ", \"graph\": {\"name\": \"x\"}")).empty());
  CHECK(lines(node_link(nodes, link, ", \"graph\": {\"speed\": 1}, \"version\": 2")) ==
        Lines{1, 1});
  CHECK(lines(node_link(nodes, link + ",\n{\"source\": 0}")) == Lines{8, 8});
  CHECK(lines(node_link(nodes, link + ",\n{\"source\": 0, \"target\": \"c\"}")) == Lines{8});
  CHECK(lines(node_link(nodes, link + ",\n{\"source\": 0, \"target\": \"b\", \"weight\": 2}")) ==
        Lines{8});
  CHECK(lines(node_link(nodes, link + ",\n3")) == Lines{1});
  CHECK(lines(node_link(nodes, link) + "}") == Lines{8});
  CHECK(lines("{\n\"nodes\": [\n") == Lines{3});
  CHECK(lines("[]") == Lines{1});
  CHECK(lines(node_link(nodes, link + ",\n{\"source\": 1e999,\n\"target\": 0}")) == Lines{8});
  CHECK(lines("{\n\"version\": -1e999\n}") == Lines{2});
  CHECK(lines("\n1e999") == Lines{2});
}

// The two examples that the source of anynet gives, and a link back with a latency.
TEST_CASE("anynet files have latencies one way, 1 cycle without one", "[topology]") {
  const Graph graph = read(
      "router 0 router 1 15 router 2\n"
      "router 0 node 1 node 0\n"
      "node 2 router 2 1\n\n"
      "router 2 router 0 4 node 2\n",
      "x.anynet");
  REQUIRE(graph.router_count() == 3);
  CHECK(graph.channels().size() == 4);
  CHECK(latency(graph, 0, 1) == 15);
  CHECK(latency(graph, 1, 0) == 1);
  CHECK(latency(graph, 0, 2) == 1);
  CHECK(latency(graph, 2, 0) == 4);
  REQUIRE(graph.node_count() == 3);
  CHECK(graph.attachment(NodeId{1}).injection.router == RouterId{0});
  CHECK(graph.attachment(NodeId{2}).ejection.router == RouterId{2});
}

TEST_CASE("each problem of an anynet file is reported at its line", "[topology]") {
  using Lines = std::vector<int>;
  const auto lines = [](const std::string& text) { return lines_of_problems(text, "x.anynet"); };
  const std::string pair = "router 0 router 1 node 0\n";
  CHECK(lines(pair).empty());
  CHECK(lines(pair + "router 1 router 0 0\n") == Lines{2});
  CHECK(lines(pair + "router 1 node 1 5\n") == Lines{2});
  CHECK(lines(pair + "node 0 router 1\n") == Lines{1});
  CHECK(lines(pair + "node 0 node 1\n") == Lines{2});
  CHECK(lines(pair + "router 0 router 1 2\n") == Lines{2});
  CHECK(lines(pair + "router 3 router 1\n") == Lines{2});
  CHECK(lines(pair + "router 1 host 1\n") == Lines{2});
  CHECK(lines(pair + "router x node 1\n") == Lines{2});
  CHECK(lines(pair + "router 2 node 1\n") == Lines{2, 2});
  CHECK(lines("router 0\n") == Lines{1});
}
