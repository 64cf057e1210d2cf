// SPDX-License-Identifier: Apache-2.0
#include "routing/routing_table.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "config/problem.h"
#include "routing/analysis/channel_loads.h"
#include "routing/analysis/deadlock.h"
#include "routing/catalog.h"
#include "support/test_catch.h"
#include "topology/examples.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

/// A file of a name of its own that is removed at the end.
class TableFile {
 public:
  TableFile(const std::string& text, const std::string& ending = ".csv")
      : path_((std::filesystem::temp_directory_path() /
               ("routing_table_test." + std::to_string(getpid()) + ending))
                  .string()) {
    std::ofstream(path_) << text;
  }
  ~TableFile() { std::filesystem::remove(path_); }
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

RoutingTable table(const Topology& topology, const std::string& text, std::size_t vcs = 1,
                   const std::string& ending = ".csv") {
  return read_routing_table(TableFile(text, ending).path(), topology, vcs,
                            OutputSelection::kFreeCredits);
}

std::string refusal(const Topology& topology, const std::string& text, std::size_t vcs = 1,
                    const std::string& ending = ".csv") {
  try {
    table(topology, text, vcs, ending);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

// Three routers in a line: output 0 leads up, output 1 down, output 2 to the node.
const std::string kLine = "router,destination,output\n0,1-2,0\n1,0,1\n1,2,0\n2,0-1,1\n";
Section section_of(const RoutingEntry& entry) {
  std::map<std::string, nlohmann::json> values{{"kind", entry.name}};
  for (const Param& param : entry.params()) values.emplace(param.key, param.fallback);
  return Section::of("routing", values);
}

}  // namespace

TEST_CASE("a table leads packets by its lines, and to the node where there is none", "[routing]") {
  const Grid line = mesh({3});
  const RoutingTable routing = table(line, kLine, 2);
  const auto output = [&](unsigned router, unsigned node) {
    return routing.route({RouterId{router}, line.local(), VcId{0}, NodeId{node}}).output;
  };
  CHECK(output(0, 2) == Grid::plus(0));
  CHECK(output(1, 2) == Grid::plus(0));
  CHECK(output(2, 2) == line.local());
  CHECK(output(2, 0) == Grid::minus(0));
  CHECK(routing.injection_vcs(NodeId{0}, NodeId{1}) == 0b11);
  CHECK_FALSE(routing.reads_arrival());
  CHECK_FALSE(routing.adaptive());
}

TEST_CASE("outputs and neighbours are the same table", "[routing]") {
  const Grid line = mesh({3});
  const std::string csv = routing_table_text(line, table(line, kLine), 1);
  CHECK(routing_table_text(line,
                           table(line, "router,destination,next\n0,1-2,1\n1,0,0\n1,2,2\n2,0 1,1\n"),
                           1) == csv);
}

TEST_CASE("a list of maps in YAML is the table of the same lines in CSV", "[routing]") {
  const Grid line = mesh({3});
  const std::string text =
      "# Columns in any order, lists for sets, and nothing where a column is left out.\n"
      "- {router: 0, destination: 1-2, output: 0}\n"
      "- destination: [0]\n"
      "  vcs:\n"
      "  router: 1\n"
      "  next: 0\n"
      "- {router: 1, destination: 2, output: 0, vcs: \"*\"}\n"
      "- {router: '2', destination: [0, 1], output: 1}\n";
  const std::string csv = routing_table_text(line, table(line, kLine), 1);
  CHECK(routing_table_text(line, table(line, text, 1, ".yaml"), 1) == csv);
  CHECK(routing_table_text(line, table(line, text, 1, ".yml"), 1) == csv);
  CHECK(routing_table_text(line, table(line, text, 1, ".yaml"), 1, "t.yaml") ==
        "- {router: 0, destination: 0, output: 2, vcs: '*'}\n"
        "- {router: 0, destination: '1-2', output: 0, vcs: '*'}\n"
        "- {router: 1, destination: 0, output: 1, vcs: '*'}\n"
        "- {router: 1, destination: 1, output: 2, vcs: '*'}\n"
        "- {router: 1, destination: 2, output: 0, vcs: '*'}\n"
        "- {router: 2, destination: '0-1', output: 1, vcs: '*'}\n"
        "- {router: 2, destination: 2, output: 2, vcs: '*'}\n");
}

TEST_CASE("every bad entry of a table in YAML is reported with its line", "[routing]") {
  const Grid line = mesh({3});
  const std::string text = refusal(line,
                                   "- {router: 9, destination: 1, output: 0}\n"
                                   "- {router: 0, target: 1, output: 0}\n"
                                   "- {router: 0, destination: {from: 0}, output: 0}\n"
                                   "- {router: 0, destination: [[0]], output: 0}\n"
                                   "- 0,1,0\n"
                                   "- {router: 0, router: 1, destination: 1, output: 0}\n",
                                   1, ".yaml");
  for (const char* part :
       {":1: there is no router \"9\"", ":2: there is no column \"target\"",
        ":2: the line has no destination", ":3: \"destination\" has maps or lists inside",
        ":4: \"destination\" has maps or lists inside", ":5: the item is no map", ":6:"}) {
    CHECK(says(text, part));
  }
  CHECK(says(refusal(line, "router: 0\n", 1, ".yaml"), "no list, or empty"));
  CHECK(says(refusal(line, "", 1, ".yaml"), "no list, or empty"));
  CHECK(says(refusal(line, "- {router: [\n", 1, ".yaml"), ".yaml:"));
  CHECK(says(refusal(line, "- {router: 0, destination: 1-2, output: 0}\n", 1, ".yaml"),
             "no line leads packets for node 2 on from router 1"));
}

TEST_CASE("the line that names most decides", "[routing]") {
  const Grid line = mesh({3});
  const std::string text =
      "router,input,vc,destination,output,vcs\n"
      "0,,,2,0,0\n0,,,*,2,0\n0,,,1-2,0,1\n0,,1,2,0,0 1\n0,2,,2,0,1\n0,,,0,2,0\n"
      "1,,,0,1,*\n1,,,2,0,*\n2,,,0-1,1,*\n";
  const RoutingTable routing = table(line, text, 2);
  const auto vcs = [&](unsigned input, unsigned vc, unsigned node) {
    return routing
        .route(
            {RouterId{0}, PortId{static_cast<std::uint16_t>(input)}, to_id<VcId>(vc), NodeId{node}})
        .vcs;
  };
  CHECK(vcs(0, 0, 2) == 0b01);  // One destination before several.
  CHECK(vcs(0, 0, 1) == 0b10);  // Several before all.
  CHECK(vcs(0, 1, 2) == 0b11);  // A VC before neither.
  CHECK(vcs(2, 1, 2) == 0b10);  // An input before a VC.
  CHECK(routing.reads_arrival());
}

TEST_CASE("weights are the shares of the packets of each output", "[routing]") {
  const Grid square = mesh({2, 2});
  const std::string rest = "1,0 2,1,1\n1,3,2,1\n2,0-1,3,1\n2,3,0,1\n3,1,3,1\n3,0 2,1,1\n";
  const RoutingTable routing = table(
      square, "router,destination,output,weight\n0,1,0,1\n0,2,2,1\n0,3,0,3\n0,3,2,1\n" + rest);
  CHECK(routing.most_choices() == 4);
  unsigned right = 0;
  for (std::uint16_t drawn = 0; drawn < 4; ++drawn) {
    const RouteRequest request{RouterId{0}, square.local(), VcId{0}, NodeId{3}, 0, drawn};
    if (routing.route(request).output == Grid::plus(0)) ++right;
  }
  CHECK(right == 3);
  CHECK(says(refusal(square, "router,destination,output,weight\n0,1-3,0,4999\n0,1-3,2,99\n"),
             "least common multiple"));
}

TEST_CASE("of outputs with priorities only the lowest are waited for", "[routing]") {
  const Grid line = mesh({3});
  const RoutingTable routing =
      table(line,
            "router,destination,output,vcs,priority\n0,*,0,0,1\n0,*,0,1,5\n0,0,2,0,0\n"
            "1,0,1,*,0\n1,2,0,*,0\n2,0-1,1,*,0\n",
            2);
  Alternatives all;
  routing.alternatives({RouterId{0}, line.local(), VcId{0}, NodeId{2}}, all);
  REQUIRE(all.size() == 2);
  CHECK(routing.adaptive());
  CHECK((all.begin()->waits && all.begin()->priority == 1 && all.begin()->vcs == 1));
  CHECK_FALSE((all.begin() + 1)->waits);
}

TEST_CASE("weights go to 5040 and priorities to 254", "[routing]") {
  const Grid line = mesh({2});
  const auto with = [](const std::string& column, const std::string& value) {
    return "router,destination,output," + column + "\n0,1,0," + value + "\n1,0,1," + value + "\n";
  };
  CHECK(table(line, with("weight", "5040")).most_choices() == 5040);
  CHECK(says(refusal(line, with("weight", "5041")), "write a number from 1 to 5040"));
  CHECK(table(line, with("priority", "254")).adaptive());
  CHECK(says(refusal(line, with("priority", "255")), "write a number from 0 to 254"));
}

TEST_CASE("lines of a table are counted within quotes, too", "[routing]") {
  const std::string text = "router,destination,output\n0,\"1\n2\",0\n9,1,0\n";
  CHECK(says(refusal(mesh({3}), text), ":4: there is no router"));
}

TEST_CASE("of a loop the first 17 routers are named", "[routing]") {
  const auto loop_of = [](std::size_t routers) {
    std::string text = "router,destination,output\n";
    for (std::size_t r = 0; r < routers; ++r) text += std::to_string(r) + ",*,0\n";
    return refusal(torus({routers}), text);
  };
  std::string all = "through routers 0";
  for (int r = 1; r < 17; ++r) all += " > " + std::to_string(r);
  CHECK(says(loop_of(17), all + "; "));
  CHECK(says(loop_of(18), all + " > ...; "));
}

TEST_CASE("gaps, loops and wrong ends of a table are refused with their place", "[routing]") {
  const Grid line = mesh({3});
  const std::string head = "router,destination,output\n";
  CHECK(says(refusal(line, head + "0,1-2,0\n1,0,1\n2,0-1,1\n"),
             "no line leads packets for node 2 on from router 1"));
  CHECK(says(refusal(line, head + "0,1-2,0\n1,0,1\n1,2,1\n2,0-1,1\n"),
             "packets for node 2 can go round through routers 0 > 1"));
  CHECK(says(refusal(line, head + "0,1-2,0\n1,0,1\n1,2,2\n2,0-1,1\n"),
             "output 2 of router 1 does not lead packets to node 2"));
}

TEST_CASE("every bad line of a table is reported with its number and a hint", "[routing]") {
  const Grid line = mesh({3});
  const std::string head = "router,destination,output,vcs\n";
  const std::string text = refusal(
      line,
      head + "9,1,0,0\n0,3,0,0\n0,2-1,0,0\n0,1,7,0\n0,1,0,4\n0,1,0\n,1,0,0\n0,99999999999,0,0\n");
  for (const char* part : {":2: ", ":3: ", ":4: ", ":5: ", ":6: ", ":7: ", ":8: ", ":9: "}) {
    CHECK(says(text, part));
  }
  CHECK(says(refusal(line, head + "0,1,0,0\n0,1,0,0\n"), "has an output already"));
  CHECK(says(refusal(line, "router,target\n"), "there is no column"));
  CHECK(says(refusal(line, "router,output,router\n"), ":1: the column \"router\" comes twice"));
  CHECK(says(refusal(line, "router,destination,next\n0,1,2\n"), "no link leads from router 0"));
  CHECK(says(refusal(line, "router,destination,output,next\n0,1,0,1\n"), "output and next"));
  CHECK(says(refusal(line, ""), "is empty"));
  CHECK(says(refusal(line, "router,destination,output,weight,priority\n0,1,0,1,\n1,0,1,,1\n"),
             "weights and priorities"));
  CHECK_THROWS_AS(read_routing_table("none.csv", line, 1, OutputSelection::kRandom), ConfigError);
}

TEST_CASE("a table that can deadlock has its cycle in the dependency graph", "[routing]") {
  const Grid cycle = torus({4});
  std::string text = "router,destination,output\n";
  for (int r = 0; r < 4; ++r) {
    text += std::to_string(r) + ",*,0\n" + std::to_string(r) + "," + std::to_string(r) + ",2\n";
  }
  const DependencyCheck check = check_dependencies(cycle, table(cycle, text), 1);
  CHECK_FALSE(check.acyclic());
  CHECK(check.cycle.size() == 4);
}

TEST_CASE("the exported table of every routing gives the routing's answers", "[routing]") {
  std::map<std::string, int> exported;
  for (const auto& topology : example_topologies()) {
    for (const RoutingEntry& entry : routings()) {
      if (entry.name == "table" || !accepts(entry, *topology)) continue;
      for (const std::size_t vcs : {1, 3}) {
        std::unique_ptr<Routing> routing;
        std::string text;
        try {
          routing = make_routing(section_of(entry), {*topology, vcs});
          text = routing_table_text(*topology, *routing, vcs);
        } catch (const ConfigError&) {
          continue;  // The routing refuses the topology.
        } catch (const std::logic_error&) {
          continue;  // No table holds it, or it has keys without defaults.
        }
        INFO(entry.name << " on " << topology->name() << "\n" << text.substr(0, 2000));
        const RoutingTable copy = table(*topology, text, vcs);
        ++exported[entry.name];
        CHECK(routing->most_choices() == 1);  // A table holds no draws of sources.
        CHECK(copy.adaptive() == routing->adaptive());
        CHECK(routing_table_text(*topology, copy, vcs) == text);
        const std::string yaml = routing_table_text(*topology, copy, vcs, "t.yaml");
        CHECK(routing_table_text(*topology, table(*topology, yaml, vcs, ".yaml"), vcs) == text);
        const DependencyCheck ours = check_dependencies(*topology, *routing, vcs);
        const DependencyCheck theirs = check_dependencies(*topology, copy, vcs);
        CHECK(ours.dependencies == theirs.dependencies);
        CHECK(ours.acyclic() == theirs.acyclic());
      }
    }
  }
  for (const char* name :
       {"dimension_order", "shortest_path", "up_down", "e_cube", "d_mod_k", "west_first",
        "odd_even", "minimal_adaptive", "dragonfly_minimal", "destination_tag"}) {
    INFO(name);
    CHECK(exported[name] > 0);
  }
}
