// SPDX-License-Identifier: Apache-2.0
// Pages of results: accepted input, refused input and output files. report/ opens pages in a
// browser.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "experiment.h"
#include "folder.h"
#include "result.h"

using namespace flitcast::program;

namespace {

constexpr int kBadInput = 2;
constexpr int kMissingPoints = 5;

/// Returns the data of the page.
Json data_of(const std::string& page) {
  const std::string begin = R"(<script type="application/json" id="data">)";
  const std::size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

/// A folder with results of two loads, "a" and "b", in "out".
class TwoResults : public Folder {
 public:
  TwoResults() {
    write("x.yaml", Experiment{}.text());
    for (const char* given : {"a", "b"}) {
      const std::string load = given == std::string("a") ? "0.1" : "0.2";
      REQUIRE(run(path(), {"run", "x.yaml", "--quiet", "--set", "name=" + std::string(given),
                           "--set", "workload.load=" + load})
                  .exit_code == 0);
    }
  }
};

}  // namespace

TEST_CASE("a report of a folder compares its results by the keys in which they differ", "[sim]") {
  const TwoResults folder;
  folder.write("out/notes.json", "{\"no\": \"result\"}");
  std::filesystem::create_symlink("loop.json", folder.path() / "out/loop.json");
  const Outcome told = run(folder.path(), {"report", "out"});
  CHECK(told.exit_code == 0);
  CHECK(told.out == "out/report.html: 2 of 2 points\n");
  const Json data = data_of(folder.read("out/report.html"));
  CHECK(data["title"] == "out");
  CHECK(data["keys"] == Json({"name", "workload.load"}));
  CHECK(data["rows"][0][0] == "a");
  CHECK(data["rows"][1][1] == 0.2);
  CHECK(data["missing"] == 0);
  // A column with one value is named with it.
  CHECK(data["same"]["status"] == "ok");
}

TEST_CASE("a report of a result says what is in it, channel by channel", "[sim]") {
  const TwoResults folder;
  CHECK(run(folder.path(), {"report", "out/a.json", "--quiet"}).out.empty());
  const Json data = data_of(folder.read("out/a.html"));
  const Json result = Json::parse(folder.read("out/a.json"));
  CHECK(data["config"] == result["config"]);
  CHECK(data["keys"].empty());
  const Json& run = data["runs"][0];
  CHECK(run["histogram"] == result["latency_cycles"]["histogram"]);
  double drawn = 0;
  for (const Json& load : run["loads"]) drawn += load.get<double>();
  double told = 0;
  for (const Json& link : result["links"]) told += link["load"].get<double>();
  CHECK(run["loads"].size() == result["links"].size());
  CHECK(run["truncated"] == false);
  // A place begins with the kind of its channel: between routers, from a node, to a node.
  std::vector<std::size_t> of_kind(3);
  for (const Json& place : data["layouts"][0]["links"]) ++of_kind.at(place[0].get<std::size_t>());
  CHECK(of_kind == std::vector<std::size_t>{48, 16, 16});
  CHECK(std::abs(drawn - told) < 1e-4 * static_cast<double>(result["links"].size()));
}

TEST_CASE("a report goes where --out says, and never over the result", "[sim]") {
  const TwoResults folder;
  CHECK(run(folder.path(), {"report", "out/a.json", "--out", "new/page.html"}).exit_code == 0);
  CHECK_FALSE(folder.read("new/page.html").empty());
  const std::string before = folder.read("out/a.json");
  CHECK(run(folder.path(), {"report", "out/a.json", "--out", "out/a.json"}).exit_code == kBadInput);
  CHECK(folder.read("out/a.json") == before);
}

TEST_CASE("a report of a sweep with points missing shows the others, says so and ends with 5",
          "[sim]") {
  const Folder folder;
  folder.write("x.yaml", with("sweep: {workload.load: [0.1, 0.2]}").text());
  run(folder.path(), {"run", "x.yaml", "--out", "o", "--points", "1", "--quiet"});
  const Outcome told = run(folder.path(), {"report", "o"});
  CHECK(told.exit_code == kMissingPoints);
  CHECK(told.out == "o/report.html: 1 of 2 points\n");
  CHECK(told.err.find("missing point 0") != std::string::npos);
  CHECK(data_of(folder.read("o/report.html"))["missing"] == 1);
}

TEST_CASE("a report of what is no result is refused in words, and leaves no page", "[sim]") {
  const Folder folder;
  folder.write("a.json", "{\"name\": 3}");
  folder.write("empty/x.txt", "");
  for (const char* const none : {"a.json", "empty", "nowhere"}) {
    const Outcome told = run(folder.path(), {"report", none});
    INFO(told.err);
    CHECK(told.exit_code == kBadInput);
    CHECK(told.err.find(none) == 0);
    CHECK(told.err.find("name the result of a run, or a folder") != std::string::npos);
  }
  CHECK(folder.contents() == std::vector<std::string>{"a.json", "empty/", "empty/x.txt"});
}

TEST_CASE("a report of several folders has the labels of sweeps and all keys that differ",
          "[sim]") {
  const Folder folder;
  const std::string sections =
      "sweep: {topology: [{kind: mesh, sizes: [4, 4], label: flat}, "
      "{kind: hypercube, dimension: 4, label: cube}]}";
  Experiment sweep = with(sections);
  sweep.routing = "{kind: up_down}";
  folder.write("a.yaml", sweep.text());
  folder.write("b.yaml", with("sweep: {workload.load: [0.1, 0.2]}").text());
  run(folder.path(), {"run", "a.yaml", "--out", "a", "--quiet"});
  run(folder.path(), {"run", "b.yaml", "--out", "b", "--points", "1", "--quiet"});
  const Outcome told = run(folder.path(), {"report", "a", "b"});
  INFO(told.err);
  CHECK(told.exit_code == kMissingPoints);
  CHECK(told.out == "report.html: 3 of 4 points\n");
  const Json data = data_of(folder.read("report.html"));
  const Json& keys = data["keys"];
  CHECK(keys[0] == "topology");
  for (const char* key : {"topology.kind", "routing.kind", "workload.load"}) {
    CHECK(std::count(keys.begin(), keys.end(), key) == 1);
  }
  const auto column = [&](const char* name) {
    Json cells = Json::array();
    const Json& columns = data["columns"];
    const auto at = std::find(columns.begin(), columns.end(), name) - columns.begin();
    for (const Json& row : data["rows"]) cells.push_back(row[static_cast<std::size_t>(at)]);
    return cells;
  };
  // The folder without labels has the kind of its topology.
  CHECK(column("topology") == Json({"flat", "cube", "mesh"}));
  CHECK(column("point") == Json({0, 1, 2 + 1}));
  CHECK(column("workload.load") == Json({0.1, 0.1, 0.2}));
  // A run is named without the keys that it does not have.
  CHECK(data["runs"][1]["label"].get<std::string>().find("null") == std::string::npos);
}

TEST_CASE("a report names all folders at once that are missing, empty, named twice or incomparable",
          "[sim]") {
  const TwoResults folder;
  folder.write("empty/x.txt", "");
  Experiment ending = with_topology("{kind: hypercube, dimension: 4}");
  ending.routing = "{kind: e_cube}";
  ending.workload = "{kind: collective, operation: broadcast, algorithm: binomial_tree}";
  folder.write("c.yaml", ending.text());
  const Outcome ended = run(folder.path(), {"run", "c.yaml", "--out", "ended", "--quiet"});
  INFO(ended.err);
  REQUIRE(ended.exit_code == 0);
  const Outcome told =
      run(folder.path(), {"report", "out", "nowhere", "empty", "out/../out", "ended"});
  INFO(told.err);
  CHECK(told.exit_code == kBadInput);
  const std::string hint = "; name the result of a run, or a folder in which there are some\n";
  CHECK(told.err == "empty: holds no result" + hint +
                        "ended: holds runs to an end, and out holds runs of a window: they have "
                        "nothing in common; make a page of each\n"
                        "nowhere: there is no such file or folder" +
                        hint + "out/../out: is named twice; name it once\n");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "report.html"));
  CHECK(
      run(folder.path(), {"report", "out/a.json", "out/b.json", "--out", "out/b.json"}).exit_code ==
      kBadInput);
}

TEST_CASE("a report of a search has its goals and its set, unless their file is damaged", "[sim]") {
  const Folder folder;
  folder.write("x.yaml", with("sweep: {router.buffer_depth: [2, 4]}\noptimise: {objectives: "
                              "[minimise cost.buffer_flits], constraints: [hops_mean <= 9]}")
                             .text());
  REQUIRE(run(folder.path(), {"optimise", "x.yaml", "--out", "o", "--quiet"}).exit_code == 0);
  run(folder.path(), {"report", "o"});
  const Json found = data_of(folder.read("o/report.html"))["optima"][0];
  CHECK(found["objectives"] == Json({"minimise cost.buffer_flits"}));
  CHECK(found["constraints"] == Json({"hops_mean <= 9"}));
  CHECK(found["unsaturated"] == false);
  REQUIRE(found["rows"].size() == 1);
  CHECK(found["columns"][0] == "router.buffer_depth");
  CHECK(found["rows"][0][0] == 2);
  std::string text = folder.read("o/pareto.json");
  text.replace(text.find("<= 9"), 4, "<= 8");
  folder.write("o/pareto.json", text);
  run(folder.path(), {"report", "o"});
  CHECK(data_of(folder.read("o/report.html"))["optima"].empty());
}

TEST_CASE("a result whose numbers are texts is left out of the report of its folder", "[sim]") {
  const TwoResults folder;
  Json broken = Json::parse(folder.read("out/a.json"));
  broken.erase("digest");
  broken["links"][0]["load"] = "</script>";
  folder.write("out/c.json", broken.dump());
  const Outcome told = run(folder.path(), {"report", "out"});
  CHECK(told.exit_code == 0);
  CHECK(told.out == "out/report.html: 2 of 2 points\n");
  CHECK(told.err == "note: out/c.json is damaged and left out\n");
  CHECK(run(folder.path(), {"report", "out/c.json"}).exit_code == kBadInput);
}
