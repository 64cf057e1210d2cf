// SPDX-License-Identifier: Apache-2.0
// The commands without a run: points, check, list, schema, help.
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "experiment.h"
#include "folder.h"
#include "refusal.h"
#include "result.h"

using namespace flitcast::program;

namespace {

const std::string kExamples = FLITCAST_SOURCE "/sim/examples";

/// Returns the output of the command, which must succeed.
std::string output(const Folder& folder, const Arguments& arguments) {
  const Outcome outcome = run(folder.path(), arguments);
  INFO(Catch::Detail::stringify(arguments) << "\n" << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  return outcome.out;
}

std::string sweep_of_two_keys() {
  return with(
             "sweep: {workload.load: {from: 0.1, to: 0.2, step: 0.1}, router.buffer_depth: [2, 8, "
             "4]}")
      .text();
}

std::set<std::string> names(const Json& listing) {
  std::set<std::string> names;
  for (const Json& entry : listing) names.insert(entry.at("name").get<std::string>());
  return names;
}

/// Adds the full names of the figures of a result; elements of a list share a name.
void add_figures(const Json& part, const std::string& name, std::set<std::string>& names) {
  if (part.is_object()) {
    for (const auto& [key, value] : part.items()) {
      add_figures(value, name.empty() ? key : name + "." + key, names);
    }
    return;
  }
  names.insert(name);
  if (!part.is_array()) return;
  for (const Json& element : part) {
    if (element.is_object()) add_figures(element, name, names);
  }
}

}  // namespace

TEST_CASE("points lists all combinations, the first key slowest", "[program]") {
  const Folder folder;
  folder.write("x.yaml", sweep_of_two_keys());
  const Json table = Json::parse(output(folder, {"points", "x.yaml", "--json"}));
  REQUIRE(table.size() == 6);
  const std::string text = output(folder, {"points", "x.yaml"});
  std::size_t position = 0;
  std::set<std::string> ids;
  for (std::size_t point = 0; point < 6; ++point) {
    const Json& row = table[point];
    CHECK(row["point"] == point);
    CHECK(row["values"]["workload.load"] == (point < 3 ? 0.1 : 0.2));
    CHECK(row["values"]["router.buffer_depth"] == std::vector<int>{2, 8, 4}[point % 3]);
    const auto id = row["id"].get<std::string>();
    ids.insert(id);
    position = text.find("  " + id + "  " + row["values"].dump() + "\n", position);
    CHECK(position != std::string::npos);
  }
  CHECK(ids.size() == 6);
}

TEST_CASE("a point of a sweep equals the experiment with its values set", "[program]") {
  const Folder folder;
  folder.write("x.yaml", sweep_of_two_keys());
  const Json point = result_of(folder.path(), "x.yaml", {"--point", "4"});
  CHECK(Json::parse(output(folder, {"points", "x.yaml", "--json"}))[4]["id"] == point["id"]);
  folder.write("x.yaml", Experiment{}.text());
  const Json same = result_of(folder.path(), "x.yaml",
                              {"--set", "workload.load=0.2", "--set", "router.buffer_depth=8"});
  CHECK(repeatable(same) == repeatable(point));
}

TEST_CASE("the result of a point has its number in its name", "[program]") {
  const Folder folder;
  folder.write("x.yaml", sweep_of_two_keys());
  CHECK(run(folder.path(), {"run", "x.yaml", "--point", "5", "--quiet"}).exit_code == 0);
  CHECK(Json::parse(folder.read("out/x-5.json"))["config"]["router"]["buffer_depth"] == 4);
}

TEST_CASE("check accepts every example but the one that can deadlock", "[program]") {
  const Folder folder;
  std::size_t accepted = 0;
  for (const auto& file : std::filesystem::directory_iterator(kExamples)) {
    const std::string path = file.path().string();
    if (file.path().extension() != ".yaml") continue;
    INFO(path);
    const Outcome outcome = run(folder.path(), {"check", path});
    const bool deadlock = file.path().stem() == "ring_deadlock";
    CHECK(outcome.exit_code == (deadlock ? 2 : 0));
    CHECK((outcome.err.find("cyclic channel dependency (possible deadlock): router 0 port ") !=
           std::string::npos) == deadlock);
    if (!deadlock && outcome.out.find("deadlock-free") != std::string::npos) ++accepted;
  }
  CHECK(accepted >= 3);
  const Outcome unsafe =
      run(folder.path(), {"check", kExamples + "/ring_deadlock.yaml", "--unsafe"});
  CHECK(unsafe.exit_code == 0);
  CHECK(unsafe.out.find("cyclic dependency: can deadlock") != std::string::npos);
  CHECK(folder.contents().empty());
}

TEST_CASE("check tells a topology's figures", "[program]") {
  const Folder folder;
  folder.write("x.yaml", with_topology("{kind: torus, sizes: [4, 4]}").text());
  const std::string text = output(folder, {"check", "x.yaml"});
  CHECK(text.find("torus 4x4: 16 nodes, 16 routers, 64 channels") != std::string::npos);
  CHECK(text.find("degree 4, diameter 4, mean distance 2.1333") != std::string::npos);  // 32 / 15.
  CHECK(text.find("bisection 16 channels") != std::string::npos);
}

TEST_CASE("every listing lists what there is", "[program]") {
  const Folder folder;
  const Json all = Json::parse(output(folder, {"list", "--json"}));
  const auto lists = [&](const char* listing, const char* name) {
    INFO(listing << ": " << name);
    CHECK(names(all.at(listing)).count(name) == 1);
    CHECK(output(folder, {"list", listing}).find(name) != std::string::npos);
    CHECK(Json::parse(output(folder, {"list", listing, "--json"})).at(listing) == all.at(listing));
  };
  lists("topologies", "torus");
  lists("strategies", "S3m");
  lists("controllers", "par_thermo");
  lists("routings", "dimension_order");
  lists("routers", "virtual_cut_through");
  lists("collectives", "dilated_diagonal");
  lists("patterns", "bit_complement");
  lists("injections", "on_off");
  lists("trace_formats", "netrace");
  lists("implementations", "pins");
  lists("priorities", "farthest_first");
  lists("workloads", "collective");
  lists("interfaces", "tlm");
  lists("parameters", "router.pipeline.route");
  lists("figures", "latency_cycles.p95");
  lists("permutations", "worst_buffer");
  lists("algorithms", "shearsort");
  lists("searches", "saturation");
  lists("saturation_rules", "accepted");
  CHECK(all.size() == 19);
}

TEST_CASE("list without a listing names what is in each, and how to ask for more", "[program]") {
  const Folder folder;
  const std::string text = output(folder, {"list"});
  const Json all = Json::parse(output(folder, {"list", "--json"}));
  for (const auto& [listing, entries] : all.items()) {
    CHECK(text.find(listing + ":\n") != std::string::npos);
  }
  CHECK(text.find("mesh, torus, ring,") != std::string::npos);
  CHECK(text.find(std::to_string(all.at("parameters").size()) + " of them") != std::string::npos);
  CHECK(text.find("flitcast list LIST") != std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '\n') < 60);
}

TEST_CASE("lists of parameters and figures have at most 100 columns", "[program]") {
  const Folder folder;
  for (const char* listing : {"parameters", "figures"}) {
    std::istringstream lines(output(folder, {"list", listing}));
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.size() <= 100);
    }
  }
}

TEST_CASE("a listing that there is not is refused with those that there are", "[program]") {
  const Folder folder;
  const Outcome outcome = run(folder.path(), {"list", "figure"});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err.find("no listing \"figure\"; choose one of topologies, ") != std::string::npos);
}

TEST_CASE("list shows the entries of a listing whose names begin as asked", "[program]") {
  const Folder folder;
  CHECK(output(folder, {"list", "topologies", "mesh"}) ==
        "topologies:\n  mesh                      Grid without wrap-around links.\n");
  const std::string key = output(folder, {"list", "parameters", "router.buffer_depth"});
  CHECK(key.find("parameters:\nrouter.buffer_depth\n    an integer from ") == 0);
  CHECK(key.find("\nrouter.kind\n") == std::string::npos);
  const std::string keys = output(folder, {"list", "parameters", "router.pipeline"});
  CHECK(keys.find("router.pipeline.route\n") != std::string::npos);
  CHECK(keys.find("\nrouter.buffer_depth\n") == std::string::npos);
  const Json figures =
      Json::parse(output(folder, {"list", "figures", "packets", "--json"})).at("figures");
  for (const std::string& name : names(figures)) CHECK(name.find("packets") == 0);
  CHECK(names(figures).count("packets.created") == 1);
}

TEST_CASE("an entry that a listing has not is refused with the nearest that it has", "[program]") {
  const Folder folder;
  CHECK(refusal(folder, {"list", "figures", "nosuch"}) ==
        "list figures: no entry \"nosuch\"; see flitcast list figures\n");
  CHECK(refusal(folder, {"list", "topologies", "mehs"}) ==
        "list topologies: no entry \"mehs\"; did you mean mesh?\n");
  CHECK(refusal(folder, {"list", "parameters", "router.bufer_depth"}) ==
        "list parameters: no entry \"router.bufer_depth\"; did you mean router.buffer_depth?\n");
  CHECK(refusal(folder, {"list", "parameters", "routr"}) ==
        "list parameters: no entry \"routr\"; did you mean router?\n");
}

TEST_CASE("the list of figures explains every figure of the golden results", "[program]") {
  const Folder folder;
  const Json list = Json::parse(output(folder, {"list", "figures", "--json"})).at("figures");
  const std::set<std::string> known = names(list);
  CHECK(known.size() == list.size());
  for (const Json& figure : list) CHECK_FALSE(figure.at("meaning").get<std::string>().empty());
  std::set<std::string> seen;
  for (const char* file : {"examples.json", "random.json"}) {
    std::ifstream golden(std::string(FLITCAST_SOURCE "/sim/expected/") + file);
    for (const Json& one : Json::parse(golden)) add_figures(one.at("figures"), "", seen);
  }
  CHECK(seen.size() > 50);
  for (const std::string& name : seen) {
    INFO(name);
    CHECK(known.count(name) == 1);
  }
}

TEST_CASE("the list of figures explains every figure of a run and of a deadlock", "[program]") {
  const Folder folder;
  const Json list = Json::parse(output(folder, {"list", "figures", "--json"})).at("figures");
  const std::set<std::string> known = names(list);
  folder.write("x.yaml", Experiment{}.text());
  Json run = result_of(folder.path(), "x.yaml");
  Json deadlock = result_of(folder.path(), kExamples + "/ring_deadlock.yaml", {"--unsafe"}, 4);
  CHECK(deadlock.contains("deadlock"));
  std::set<std::string> seen;
  for (Json* result : {&run, &deadlock}) {
    result->at("config") = "dumped";
    add_figures(*result, "", seen);
  }
  for (const std::string& name : seen) {
    INFO(name);
    CHECK(known.count(name) == 1);
  }
}

TEST_CASE("schema prints a JSON Schema that knows every parameter", "[program]") {
  const Folder folder;
  const Json schema = Json::parse(output(folder, {"schema"}));
  const Json list = Json::parse(output(folder, {"list", "parameters", "--json"}));
  for (const std::string& name : names(list["parameters"])) {
    const Json* place = &schema;
    std::string rest = name;
    for (std::size_t dot = 0; dot != std::string::npos;) {
      dot = rest.find('.');
      INFO(name);
      const std::string step = rest.substr(0, dot);
      const std::string key = step.substr(0, step.find("[]"));
      if (key == "NAME") {  // Users choose this name.
        place = &place->at("additionalProperties");
      } else {
        REQUIRE(place->at("properties").contains(key));
        place = &place->at("properties").at(key);
      }
      if (key != step) {
        place = &(place->contains("anyOf") ? place->at("anyOf").at(0) : *place).at("items");
      }
      rest = dot == std::string::npos ? "" : rest.substr(dot + 1);
    }
  }
}

TEST_CASE("help and version are no errors", "[program]") {
  const Folder folder;
  CHECK(output(folder, {"--help"}).find("Exit codes: 0 done") != std::string::npos);
  const std::string help = output(folder, {"run", "--help"});
  CHECK(help.find("--packet-log") != std::string::npos);
  CHECK(help.find("saturated: ") != std::string::npos);
  CHECK(output(folder, {"--version"}).find("flitcast ") == 0);
}
