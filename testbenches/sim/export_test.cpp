// SPDX-License-Identifier: Apache-2.0
// Tables of routing: written by `export routing`, and run by `routing: {kind: table}`.
#include <string>
#include <vector>

#include "experiment.h"
#include "folder.h"
#include "refusal.h"
#include "result.h"

using namespace flitcast::program;

namespace {

Experiment experiment_of(const std::string& topology, const std::string& routing,
                         const std::string& router, const std::string& load) {
  return {topology, routing, "{kind: traffic, load: " + load + ", packet_length: 4}",
          "{warmup: 100, window: 400}", "router: {kind: " + router + ", virtual_channels: 3}"};
}

}  // namespace

TEST_CASE("an exported table runs like its routing, to the checksum", "[export]") {
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"{kind: mesh, sizes: [4, 4]}", "dimension_order"},
      {"{kind: mesh, sizes: [4, 4]}", "shortest_path"},
      {"{kind: mesh, sizes: [4, 4]}", "west_first"},
      {"{kind: mesh, sizes: [4, 4]}", "odd_even"},
      {"{kind: mesh, sizes: [4, 4]}", "minimal_adaptive"},
      {"{kind: torus, sizes: [3, 3]}", "minimal_adaptive"},
      {"{kind: torus, sizes: [4, 4]}", "up_down"},
      {"{kind: hypercube, dimension: 3}", "e_cube"},
      {"{kind: dragonfly, nodes: 1}", "up_down"}};
  const Folder folder;
  for (const auto& [topology, routing] : pairs) {
    for (const auto& [router, file] : {std::pair<std::string, std::string>{"wormhole", "table.csv"},
                                       {"virtual_cut_through", "routes.yaml"}}) {
      INFO(topology << " " << routing << " " << router);
      folder.write("built_in.yaml",
                   experiment_of(topology, "{kind: " + routing + "}", router, "0.2").text());
      const Outcome outcome =
          run(folder.path(), {"export", "routing", "built_in.yaml", "--out", file});
      INFO(outcome.err);
      REQUIRE(outcome.exit_code == 0);
      folder.write(
          "table.yaml",
          experiment_of(topology, "{kind: table, file: " + file + "}", router, "0.2").text());
      const Json built_in = result_of(folder.path(), "built_in.yaml");
      const Json table = result_of(folder.path(), "table.yaml");
      CHECK(built_in.at("checksum") == table.at("checksum"));
      CHECK(built_in.at("latency_cycles") == table.at("latency_cycles"));
    }
  }
}

TEST_CASE("a table is written in the form of the name of its file", "[export]") {
  const Folder folder;
  folder.write("x.yaml", experiment_of("{kind: mesh, sizes: [2, 2]}", "{kind: dimension_order}",
                                       "wormhole", "0.1")
                             .text());
  const auto exported = [&](const std::string& file) {
    REQUIRE(run(folder.path(), {"export", "routing", "x.yaml", "--out", file}).exit_code == 0);
    return folder.read(file);
  };
  const std::string csv = exported("t.csv");
  CHECK(says(csv, "router,input,vc,destination,output,vcs\n0,,,0,"));
  CHECK(says(exported("t.yaml"), "- {router: 0, destination: 0, output: "));
  CHECK(exported("t.yml") == exported("t.yaml"));
  CHECK(exported("t.txt") == csv);
  CHECK(run(folder.path(), {"export", "routing", "x.yaml"}).out == csv);
}

TEST_CASE("a table that can deadlock is refused with the cycle, and runs with --unsafe",
          "[export]") {
  const Folder folder;
  std::string lines = "router,destination,output\n";
  for (int r = 0; r < 4; ++r) {
    lines += std::to_string(r) + ",*,0\n" + std::to_string(r) + "," + std::to_string(r) + ",2\n";
  }
  folder.write("ring.csv", lines);
  folder.write("x.yaml", experiment_of("{kind: ring, nodes: 4}", "{kind: table, file: ring.csv}",
                                       "wormhole", "0.05")
                             .text());
  const std::string text = refusal(folder, {"run", "x.yaml"});
  CHECK(says(text, "cycl"));
  CHECK(says(text, "--unsafe"));
  CHECK(run(folder.path(), {"run", "x.yaml", "--unsafe", "--quiet"}).exit_code == 0);
}

TEST_CASE("a graph of one's own runs by a table that names its routers", "[export]") {
  const Folder folder;
  folder.write("star.graph",
               "router hub\nrouter east\nrouter west\nterminal a east\nterminal b west\n"
               "link hub east\nlink hub west\n");
  folder.write("star.csv",
               "router,destination,next\neast,1,hub\nwest,0,hub\nhub,0,east\nhub,1,west\n");
  folder.write("x.yaml",
               experiment_of("{kind: custom, file: star.graph}", "{kind: table, file: star.csv}",
                             "wormhole", "0.1, include_self: false")
                   .text());
  CHECK(result_of(folder.path(), "x.yaml").at("hops_mean").get<double>() == 3.0);
  folder.write("star.csv", "router,destination,next\neast,1,hub\nwest,0,hub\nhub,0,east\n");
  CHECK(says(refusal(folder, {"check", "x.yaml"}), "no line leads packets for node 1"));
  folder.write("star.csv", "router,destination,next\nnorth,1,hub\n");
  CHECK(says(refusal(folder, {"check", "x.yaml"}), "star.csv:2"));
}

TEST_CASE("routings that no table holds are refused with the reason", "[export]") {
  const Folder folder;
  folder.write(
      "x.yaml",
      experiment_of("{kind: mesh, sizes: [4, 4]}", "{kind: o1turn}", "wormhole", "0.1").text());
  CHECK(says(refusal(folder, {"export", "routing", "x.yaml"}), "sources toss coins"));
  folder.write(
      "h.yaml",
      experiment_of("{kind: hierarchy, within: {kind: mesh, sizes: [2, 2]}, between: "
                    "{kind: mesh, sizes: [2, 2]}, at: [1]}",
                    "{kind: hierarchical, within: {kind: dimension_order}, between: {kind: "
                    "dimension_order}}",
                    "wormhole", "0.1")
          .text());
  CHECK(says(refusal(folder, {"export", "routing", "h.yaml", "--set", "router.virtual_channels=5"}),
             "packets begin on some of the virtual channels only"));
  CHECK(says(refusal(folder, {"export"}), "export"));
}

TEST_CASE("an exported graph runs by the exported table like its topology, to the checksum",
          "[export]") {
  const Folder folder;
  for (const std::string topology :
       {"{kind: mesh, sizes: [4, 3]}", "{kind: torus, sizes: [2, 4]}",
        "{kind: fat_tree, arity: 2, levels: 3}", "{kind: cmesh, sizes: [2, 2], tile: [2, 1]}"}) {
    INFO(topology);
    const auto write = [&](const std::string& file, const std::string& graph,
                           const std::string& routing) {
      folder.write(file, experiment_of(graph, routing, "wormhole", "0.3").text());
    };
    write("built_in.yaml", topology, "{kind: up_down}");
    const auto exports = [&](const std::string& what, const std::string& file) {
      const Outcome outcome = run(folder.path(), {"export", what, "built_in.yaml", "--out", file});
      INFO(outcome.err);
      REQUIRE(outcome.exit_code == 0);
    };
    exports("graph", "net.graphml");
    exports("routing", "table.csv");
    write("custom.yaml", "{kind: custom, file: net.graphml}", "{kind: table, file: table.csv}");
    const Json built_in = result_of(folder.path(), "built_in.yaml");
    const Json custom = result_of(folder.path(), "custom.yaml");
    CHECK(built_in.at("checksum") == custom.at("checksum"));
    CHECK(built_in.at("latency_cycles") == custom.at("latency_cycles"));
  }
}

TEST_CASE("graphs are written with the latencies of classes, in a format that there is",
          "[export]") {
  const Folder folder;
  folder.write("x.yaml", experiment_of("{kind: mesh, sizes: [2, 2]}", "{kind: dimension_order}",
                                       "wormhole", "0.1")
                                 .text() +
                             "link: {classes: {dimension_1: {latency: 9}}}\n");
  const auto exported = [&](const std::string& format) {
    return run(folder.path(), {"export", "graph", "x.yaml", "--format", format});
  };
  const std::string dot = exported("dot").out;
  CHECK(says(dot, "digraph \"mesh 2x2\" {"));
  CHECK(says(dot, "\"0\" -> \"2\" [input=3, latency=9, output=2];"));
  CHECK(says(dot, "\"node_3\" [kind=terminal];"));
  CHECK(says(exported("node_link").out, "\"latency\": 9"));
  CHECK(says(exported("graphml").out, "<data key=\"latency\">9</data>"));
  CHECK(exported("anynet").exit_code == 2);
}
