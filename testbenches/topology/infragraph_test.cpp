// SPDX-License-Identifier: Apache-2.0
// Infrastructures of InfraGraph as graphs.
#include <map>
#include <set>
#include <sstream>

#include "config/configuration.h"
#include "support/test_catch.h"
#include "topology/graph.h"

using namespace flitcast;

namespace {

Graph read(const std::string& text) {
  std::istringstream input(text);
  return read_graph(input, "x.yaml");
}

std::vector<std::string> problems_of(const std::string& text) {
  std::vector<std::string> problems;
  try {
    read(text);
  } catch (const ConfigError& error) {
    for (const Problem& problem : error.problems()) problems.push_back(problem.text());
  }
  return problems;
}

bool says(const std::vector<std::string>& problems, const std::string& part) {
  for (const std::string& problem : problems) {
    UNSCOPED_INFO(problem);
    if (problem.find(part) != std::string::npos) return true;
  }
  return false;
}

/// The cycles per flit of every link, by the names of its ends; both directions must be equal.
std::map<std::string, std::uint32_t> flit_times_of(const Graph& graph) {
  std::map<std::string, std::uint32_t> links;
  for (const Channel& channel : graph.channels()) {
    const std::string from = graph.router_name(channel.from.router);
    const std::string to = graph.router_name(channel.to.router);
    const auto [link, is_new] =
        links.try_emplace(std::min(from, to) + " " + std::max(from, to), channel.cycles_per_flit);
    CHECK(is_new == (from < to));
    CHECK(link->second == channel.cycles_per_flit);
  }
  return links;
}

/// Two servers of two accelerators at a switch, with these edges between them.
std::string cluster(const std::string& edges, const std::string& more = "") {
  return "name: cluster\n"  // Line 1.
         "description: Two servers at a switch.\n"
         "devices:\n"
         "  - name: server\n"
         "    components:\n"
         "      - {name: xpu, count: 2, choice: xpu}\n"
         "      - {name: nic, count: 2, choice: nic, description: A card.}\n"
         "    links:\n"
         "      - name: pcie\n"
         "        physical: {bandwidth: {choice: gigabytes_per_second, gigabytes_per_second: 50}}\n"
         "    edges:\n"  // Line 11.
         "      - {ep1: {component: xpu}, ep2: {component: nic}, scheme: many2many, link: pcie}\n"
         "  - name: switch\n"
         "    components:\n"
         "      - {name: port, count: 4, choice: port}\n"
         "      - {name: asic, count: 1, choice: custom, custom: {type: chip}}\n"
         "    links: [{name: ic}]\n"
         "    edges: [{ep1: {component: asic}, ep2: {component: port}, scheme: many2many, link: "
         "ic}]\n"
         "instances:\n"  // Line 19.
         "  - {name: host, device: server, count: 2}\n"
         "  - {name: top, device: switch, count: 1}\n"
         "links:\n"
         "  - name: wire\n"
         "    physical: {bandwidth: {choice: gigabits_per_second, gigabits_per_second: 150}}\n" +
         more + "edges:\n" + edges;
}

const std::string kStraight =  // Line 26.
    "  - {ep1: {instance: host, component: nic}, ep2: {instance: top, component: port},"
    " scheme: one2one, link: wire}\n";

}  // namespace

// 50 GB/s are 400 Gb/s, 2.7 times the 150 of the wires.
TEST_CASE("every component is a router, every xpu a node, and a slow link takes more cycles",
          "[topology]") {
  const Graph graph = read(cluster(kStraight));
  CHECK(graph.router_count() == 2 * 4 + 5);
  CHECK(graph.node_count() == 4);
  std::set<std::string> homes;
  for (const Attachment& node : graph.attachments()) {
    homes.insert(graph.router_name(node.injection.router));
  }
  CHECK(homes ==
        std::set<std::string>{"host.0.xpu.0", "host.0.xpu.1", "host.1.xpu.0", "host.1.xpu.1"});
  std::map<std::string, std::uint32_t> expected;
  for (const std::string host : {"host.0.", "host.1."}) {
    for (const std::string nic : {"nic.0", "nic.1"}) {
      for (const std::string xpu : {"xpu.0", "xpu.1"}) {
        expected[host + nic + " " + host + xpu] = 0;
      }
    }
  }
  const char* ends[] = {"host.0.nic.0", "host.0.nic.1", "host.1.nic.0", "host.1.nic.1"};
  for (int port = 0; port < 4; ++port) {
    const std::string at = "top.0.port." + std::to_string(port);
    expected[std::string(ends[port]) + " " + at] = 3;
    expected["top.0.asic.0 " + at] = 0;
  }
  CHECK(flit_times_of(graph) == expected);
}

TEST_CASE("slices select instances and components as in Python", "[topology]") {
  const auto joined = [](const std::string& host, const std::string& nic, const std::string& port,
                         const std::string& scheme) {
    std::set<std::string> wires;
    const std::string text = cluster(
        kStraight + "  - {ep1: {instance: \"" + host + "\", component: \"" + nic +
            "\"}, ep2: {instance: top, component: \"" + port + "\"}, scheme: " + scheme +
            ", link: fast}\n",
        "  - name: fast\n"
        "    physical: {bandwidth: {choice: gigabits_per_second, gigabits_per_second: 4000}}\n");
    for (const auto& [ends, cycles] : flit_times_of(read(text))) {
      if (ends[0] == 'h' && ends.find("top") != std::string::npos && cycles == 0) {
        wires.insert(ends.substr(5, 1) + ends.substr(11, 1) + ends.back());
      }
    }
    return wires;
  };
  using Wires = std::set<std::string>;
  CHECK(joined("host[1]", "nic[0]", "port[2]", "one2one") == Wires{"102"});
  CHECK(joined("host", "nic[1:]", "port[:2]", "one2one") == Wires{"010", "111"});
  CHECK(joined("host[0:2]", "nic[0:1]", "port[::3]", "many2many") ==
        Wires{"000", "003", "100", "103"});
  CHECK(joined("host[:]", "nic", "port[1:4:2]", "one2one") == Wires{"001", "013"});
}

TEST_CASE("what an infrastructure must not have is refused with its place", "[topology]") {
  const auto edge = [](const std::string& from, const std::string& to,
                       const std::string& scheme = "one2one", const std::string& link = "wire") {
    return "  - {ep1: {instance: " + from + "}, ep2: {instance: " + to + "}, scheme: " + scheme +
           ", link: " + link + "}\n";
  };
  const auto refused = [](const std::string& edges, const std::string& part) {
    return says(problems_of(cluster(kStraight + edges)), part);
  };
  const std::string port = "top, component: port";
  CHECK(problems_of(cluster(kStraight)).empty());
  CHECK(refused(edge("host, component: cpu", port), "x.yaml:27:39: edges[1].ep1.component"));
  CHECK(refused(edge("box, component: nic", port), "\"box\" is not declared"));
  CHECK(refused(edge("\"host[2]\", component: nic", port), "\"host[2]\" selects none of 2"));
  CHECK(refused(edge("\"host[1:1]\", component: nic", port), "selects none"));
  CHECK(refused(edge("\"host[0:2:0]\", component: nic", port), "selects none"));
  CHECK(refused(edge("\"host[]\", component: nic", port), "selects none"));
  CHECK(refused(edge("\"host[-1]\", component: nic", port), "selects none"));
  CHECK(refused(edge("\"host[0\", component: nic", port), "selects none"));
  CHECK(refused(edge("host, component: nic", port, "ring"), "edges[1].scheme"));
  CHECK(refused(edge("host, component: nic", port, "one2one", "rope"), "\"rope\" is not declared"));
  CHECK(refused("  - {link: wire}\n", "edges[1].ep1: is missing"));
  CHECK(refused("  - {link: wire}\n", "edges[1].scheme: is missing"));
  const auto with = [](const std::string& before, const std::string& after) {
    std::string text = cluster(kStraight);
    const std::size_t at = text.find(before);
    REQUIRE(at != std::string::npos);
    return problems_of(text.replace(at, before.size(), after));
  };
  CHECK(says(with("choice: nic", "choice: device"), "x.yaml:7:"));
  CHECK(says(with("{ep1: {component: xpu}", "{ep1: {device: x, component: xpu}"), "device"));
  CHECK(says(with("bandwidth: {choice: gigabits",
                  "latency: {choice: ns, ns: 5}, bandwidth: {choice: gigabits"),
             "latency"));
  CHECK(says(with("gigabits_per_second: 150", "gigabits_per_second: 0"), "x.yaml:24:"));
  CHECK(says(with("gigabits_per_second, giga", "gigatransfers_per_second, giga"), "x.yaml:24:"));
  CHECK(says(with("device: server, count: 2", "device: robot, count: 2"),
             "\"robot\" is not declared"));
  CHECK(says(with("device: server, count: 2", "device: server, count: 0"), "x.yaml:20:"));
  CHECK(
      says(with("device: server, count: 2", "device: server, count: 1000000"), "2^20 components"));
  CHECK(says(with("choice: xpu", "choice: cpu"), "no terminal"));
  CHECK(says(with("device: switch, count: 1", "device: switch, count: 2"), "cannot be reached"));
  CHECK(says(with("name: cluster", "infrastructure: cluster"), "infrastructure"));
  CHECK_FALSE(problems_of("- a\n").empty());
  CHECK_FALSE(problems_of("").empty());
  CHECK_FALSE(problems_of("a: [\n").empty());
}
