// SPDX-License-Identifier: Apache-2.0
// `flitcast optimise` from the user's side.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "experiment.h"
#include "folder.h"
#include "refusal.h"

using namespace flitcast::program;

namespace {

/// Short buffers cost less and carry less.
const std::string kSweep =
    "sweep: {router.virtual_channels: [1, 2], router.buffer_depth: [2, 4, 8]}\n";
const std::string kGoals =
    "optimise: {objectives: [minimise cost.buffer_flits, maximise "
    "accepted_flits_per_node_cycle.mean]";

std::string experiment(const std::string& more) {
  Experiment text = with(kSweep + more);
  text.workload = "{kind: traffic, load: 0.8}";
  return text.text();
}

std::vector<std::vector<std::string>> cells(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    bool quoted = false;
    rows.back().emplace_back();
    for (const char letter : line) {
      if (letter == '"') quoted = !quoted;
      if (letter != ',' || quoted) {
        rows.back().back() += letter;
      } else {
        rows.back().emplace_back();
      }
    }
  }
  return rows;
}

std::vector<std::string> column(const std::string& csv, const std::string& name) {
  const auto rows = cells(csv);
  const auto found = std::find(rows[0].begin(), rows[0].end(), name);
  REQUIRE(found != rows[0].end());
  std::vector<std::string> values;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    values.push_back(rows[r][static_cast<std::size_t>(found - rows[0].begin())]);
  }
  return values;
}

}  // namespace

TEST_CASE("the Pareto set of a small grid is that of all its results", "[program]") {
  const Folder folder;
  folder.write("x.yaml", experiment(kGoals + "}"));
  const Outcome outcome = run(folder.path(), {"optimise", "x.yaml", "--out", "o"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("6 of 6 points ran") != std::string::npos);
  const std::string all = folder.read("o/results.csv");
  const auto slots = column(all, "cost.buffer_flits");
  const auto load = column(all, "accepted_flits_per_node_cycle.mean");
  std::vector<std::string> expected;
  for (std::size_t p = 0; p < slots.size(); ++p) {
    bool beaten = false;
    for (std::size_t q = 0; q < slots.size(); ++q) {
      const double fewer = std::stod(slots[p]) - std::stod(slots[q]);
      const double more = std::stod(load[q]) - std::stod(load[p]);
      beaten = beaten || (fewer >= 0 && more >= 0 && fewer + more > 0);
    }
    if (!beaten) expected.push_back(column(all, "point")[p]);
  }
  std::vector<std::string> found = column(folder.read("o/pareto.csv"), "point");
  std::sort(found.begin(), found.end());
  CHECK(found.size() > 1);
  CHECK(found == expected);
}

TEST_CASE("a search that was interrupted ends with the same bytes", "[program]") {
  const Folder folder;
  folder.write("x.yaml", experiment(kGoals + ", budget: 5}"));
  REQUIRE(run(folder.path(), {"optimise", "x.yaml", "--out", "whole", "--quiet"}).exit_code == 0);
  const Outcome due = run(folder.path(), {"optimise", "x.yaml", "--out", "parts", "--due"});
  CHECK(due.exit_code == 0);
  // Only a part of the first batch runs, as by scripts/sweep.
  const std::string first = due.out.substr(0, due.out.find('\n'));
  CHECK(std::count(due.out.begin(), due.out.end(), '\n') == 4);
  run(folder.path(), {"run", "x.yaml", "--out", "parts", "--points", first, "--quiet"});
  const Outcome rest = run(folder.path(), {"optimise", "x.yaml", "--out", "parts", "--due"});
  CHECK(rest.out == due.out.substr(first.size() + 1));
  REQUIRE(run(folder.path(), {"optimise", "x.yaml", "--out", "parts", "--quiet"}).exit_code == 0);
  for (const char* table : {"/results.csv", "/pareto.csv"}) {
    CHECK(folder.read(std::string("parts") + table) == folder.read(std::string("whole") + table));
  }
  CHECK(run(folder.path(), {"optimise", "x.yaml", "--out", "parts", "--due"}).out.empty());
  CHECK(cells(folder.read("whole/results.csv")).size() == 1 + 5);
}

TEST_CASE("the known capacity keeps points that cannot carry their load from running",
          "[program]") {
  const Folder folder;
  Experiment text =
      with("sweep: {workload.load: [0.1, 0.9, 0.95]}\n" + kGoals + ", unsaturated: true}");
  text.workload = "{kind: traffic, pattern: transpose}";
  folder.write("x.yaml", text.text());
  const Outcome outcome = run(folder.path(), {"optimise", "x.yaml", "--out", "o"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("1 of 3 points ran, 2 cannot reach the goals") != std::string::npos);
  CHECK(column(folder.read("o/results.csv"), "workload.load") == std::vector<std::string>{"0.1"});
}

TEST_CASE("a search for another key than the load of all is not held against the capacity",
          "[program]") {
  const Folder folder;
  Experiment text = with(
      "sweep: {router.virtual_channels: [2, 4]}\n"
      "search: {find: saturation, key: \"workload.classes[1].load\", from: 0.01, precision: 0.2, "
      "confirm: 0}\noptimise: {objectives: [maximise saturation.value], constraints: "
      "[saturation.value >= 0.3]}");
  // Node 0 is full at a load of 0.0625 of the first class, which has nearly all packets at first.
  text.workload =
      "{kind: traffic, classes: [{name: few, pattern: hot_spot, hot_spots: [0], hot_fraction: 1, "
      "load: 0.01}, {name: bulk, load: 0.1}]}";
  folder.write("x.yaml", text.text());
  const Outcome outcome = run(folder.path(), {"optimise", "x.yaml", "--out", "o"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.out.find("2 of 2 points ran") != std::string::npos);
}

TEST_CASE("a saturation that has to reach the capacity may be found, and none beyond it",
          "[program]") {
  const Folder folder;
  const auto due = [&](const std::string& least) {
    // Every node can send and receive a flit in each cycle, and no link of the mesh is busier.
    folder.write("x.yaml", with("sweep: {router.virtual_channels: [2, 4]}\n"
                                "search: {find: saturation}\noptimise: {objectives: [maximise "
                                "saturation.value], constraints: [saturation.value >= " +
                                least + "]}")
                               .text());
    return run(folder.path(), {"optimise", "x.yaml", "--due"}).out;
  };
  CHECK(due("1") == "0\n1\n");
  CHECK(due("1.01").empty());
}

TEST_CASE("a constraint may demand the best itself", "[program]") {
  const Folder folder;
  for (const char* relation : {">=", "<="}) {
    folder.write("x.yaml", with(std::string(kSweep) +
                                "\noptimise: {objectives: [minimise cycles], "
                                "constraints: [cycles " +
                                relation + " 100 % of best]}")
                               .text());
    CHECK(run(folder.path(), {"check", "x.yaml"}).exit_code == 0);
  }
}

TEST_CASE("the best of unsaturated points is none of a saturated one", "[program]") {
  const Folder folder;
  folder.write(
      "x.yaml",
      with("sweep: {workload.load: [0.1, 0.2, 0.95]}\noptimise: {objectives: [minimise "
           "latency_cycles.mean], constraints: [accepted_flits_per_node_cycle.mean >= 90 % "
           "of best], unsaturated: true}")
          .text());
  // The known capacity would keep the saturated point from running; it has run before.
  CHECK(run(folder.path(), {"run", "x.yaml", "--out", "o", "--quiet"}).exit_code == 0);
  CHECK(run(folder.path(), {"optimise", "x.yaml", "--out", "o"}).exit_code == 0);
  CHECK(column(folder.read("o/pareto.csv"), "workload.load") == std::vector<std::string>{"0.2"});
}

TEST_CASE("goals that no point reaches are exit code 3, with an empty table", "[program]") {
  const Folder folder;
  folder.write("x.yaml", experiment(kGoals + ", constraints: [cost.buffer_flits <= 1]}"));
  const Outcome outcome = run(folder.path(), {"optimise", "x.yaml", "--out", "o"});
  CHECK(outcome.exit_code == 3);
  CHECK(outcome.out.find("no point has numbers for all objectives and satisfies all constraints") !=
        std::string::npos);
  CHECK(cells(folder.read("o/pareto.csv")).size() == 1);
}

TEST_CASE("a folder in which another search runs is left alone", "[program]") {
  const Folder folder;
  folder.write("x.yaml", experiment(kGoals + "}"));
  run(folder.path(), {"optimise", "x.yaml", "--out", "o", "--due"});
  const int lock = ::open((folder.path() / "o/.lock").c_str(), O_RDWR | O_CREAT, 0666);
  REQUIRE(::flock(lock, LOCK_EX) == 0);
  const std::string said = refusal(folder, {"optimise", "x.yaml", "--out", "o"});
  CHECK(said.find("another sweep is being run into this folder") != std::string::npos);
  ::close(lock);
  CHECK(run(folder.path(), {"optimise", "x.yaml", "--out", "o", "--quiet"}).exit_code == 0);
}

TEST_CASE("all mistakes in goals are reported at once", "[program]") {
  const Folder folder;
  folder.write("x.yaml",
               with("optimise: {objectives: [smallest cycles, minimise cycle], constraints: "
                    "[cycles < 3, cycle >= 2, cycles >= many, cycles <= 99 % of best, "
                    "saturation.value >= 1], budget: 0}\nrepeat: 2")
                   .text());
  const std::string budget = refusal(folder, {"optimise", "x.yaml"});
  INFO(budget);
  CHECK(budget.find("optimise.budget: ") != std::string::npos);
  const std::string said = refusal(folder, {"optimise", "x.yaml", "--set", "optimise.budget=5"});
  INFO(said);
  for (const char* text :
       {"x.yaml: sweep: there is none; add keys and values: sweep: {...}",
        "x.yaml: repeat: gives a point several runs; leave it out",
        "x.yaml:5:24: optimise.objectives: \"smallest cycles\" is no objective; write minimise or "
        "maximise and a figure",
        "optimise.objectives: \"cycle\" is no figure that is a number; did you mean cycles?",
        "optimise.constraints: \"cycles < 3\" is no constraint; write \"FIGURE <= NUMBER\"",
        "optimise.constraints: \"cycle\" is no figure",
        "optimise.constraints: \"cycles >= many\" is no constraint",
        "optimise.constraints: no point is better than the best, as \"cycles <= 99 % of best\" "
        "demands; write at least 100 %",
        "optimise.constraints: \"saturation.value\" is of a search; write search: {find: "
        "saturation}"}) {
    INFO(text);
    CHECK(said.find(text) != std::string::npos);
  }
  folder.write("x.yaml", with(kSweep).text());
  CHECK(refusal(folder, {"optimise", "x.yaml"}).find("optimise.objectives: there is none") !=
        std::string::npos);
}

TEST_CASE("figures that are texts, lists or in lists are no goals, and the numbers are named",
          "[program]") {
  const Folder folder;
  for (const char* figure : {"status", "complete", "config", "series.flits_waiting", "links",
                             "links.load", "workloads.round_trip.mean"}) {
    INFO(figure);
    folder.write(
        "x.yaml",
        with(std::string(kSweep) + "\noptimise: {objectives: [minimise " + figure + "]}").text());
    const std::string said = refusal(folder, {"optimise", "x.yaml"});
    INFO(said);
    CHECK(said.find(std::string("\"") + figure + "\" is no figure that is a number; ") !=
          std::string::npos);
    const std::string numbers = said.substr(said.find("; "));
    if (numbers.find("; did you mean") == 0) continue;
    for (const char* number :
         {" latency_cycles.mean,", " energy.total_pj,", " saturation.value,"}) {
      CHECK(numbers.find(number) != std::string::npos);
    }
    CHECK(numbers.find(" status,") == std::string::npos);
    CHECK(numbers.find(" links.load,") == std::string::npos);
  }
}

TEST_CASE("goals of searches are figures of searches", "[program]") {
  const Folder folder;
  folder.write("x.yaml", with(std::string(kSweep) +
                              "search: {find: saturation}\noptimise: {objectives: [minimise "
                              "energy.total_pj]}")
                             .text());
  CHECK(refusal(folder, {"optimise", "x.yaml"})
            .find("optimise.objectives: \"energy.total_pj\" is no figure of a search; choose "
                  "figures of saturation, or leave search.find out") != std::string::npos);
}

TEST_CASE("commands that do not optimise refuse faulty goals, too", "[program]") {
  const Folder folder;
  const std::string goals = "optimise: {objectives: [smallest cycles]}\n";
  folder.write("run.yaml", with(goals).text());
  folder.write("sweep.yaml", with(kSweep + goals).text());
  folder.write("search.yaml",
               with("search: {find: saturation, from: 0.5, to: 0.1}\n" + goals).text());
  const std::vector<std::vector<std::string>> commands{
      {"check", "run.yaml"}, {"run", "run.yaml"},    {"check", "sweep.yaml"},
      {"run", "sweep.yaml"}, {"run", "search.yaml"}, {"optimise", "sweep.yaml"}};
  for (const auto& command : commands) {
    const std::string said = refusal(folder, command);
    INFO(command[0] << " " << command[1] << ": " << said);
    const std::size_t first = said.find("\"smallest cycles\" is no objective");
    CHECK(first != std::string::npos);
    CHECK(said.find("is no objective", first + 30) == std::string::npos);
    const bool search = said.find("the search ends before it begins") != std::string::npos;
    CHECK(search == (command[1] == "search.yaml"));
  }
}
