// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/merged_table.h"

#include <algorithm>
#include <cmath>

#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Json = nlohmann::ordered_json;

PointResult point(std::size_t number, const Json& values, const Json& result) {
  return {number, values, result};
}

Json run_of(double latency, const std::string& status = "ok") {
  return {{"id", "i" + std::to_string(latency)},
          {"status", status},
          {"wall_seconds", latency},
          {"host", "h"},
          {"links", Json::array({1, 2})},
          {"latency_cycles", {{"mean", latency}, {"histogram", Json::array()}}}};
}

/// Returns the cell of a row in the column with this name.
Json cell(const MergedTable& table, std::size_t row, const std::string& name) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), name);
  REQUIRE(found != table.columns.end());
  return table.rows.at(row).at(static_cast<std::size_t>(found - table.columns.begin()));
}

}  // namespace

TEST_CASE("a table has the swept keys first, then figures by name, and no time and no list",
          "[sim]") {
  const MergedTable table =
      results_table({"seed", "topology.sizes"},
                    {point(0, {{"seed", 1}, {"topology.sizes", {2, 3}}}, run_of(20.5)),
                     point(2, {{"seed", 2}, {"topology.sizes", {8}}},
                           {{"status", "ok"}, {"reason", "a, \"b\""}})});
  CHECK(table.csv() ==
        "seed,topology.sizes,point,id,status,reason,latency_cycles.mean\n"
        "1,\"[2,3]\",0,i20.500000,ok,,20.5\n"
        "2,[8],2,,ok,\"a, \"\"b\"\"\",\n");
}

TEST_CASE("means are over the runs of a combination, with Student's interval", "[sim]") {
  const std::vector<std::string> keys{"workload.load", "seed"};
  std::vector<PointResult> points;
  const auto add = [&](std::size_t number, double load, double latency, const char* status) {
    points.push_back(
        point(number, {{"workload.load", load}, {"seed", number % 3}}, run_of(latency, status)));
  };
  add(0, 0.1, 10, "ok");
  add(1, 0.1, 12, "ok");
  add(2, 0.1, 17, "saturated");
  add(4, 0.2, 30, "ok");  // Points 3 and 5 have failed.
  const MergedTable table = means_table(keys, 3, points);
  REQUIRE(table.rows.size() == 2);
  CHECK(cell(table, 0, "workload.load") == 0.1);
  CHECK(cell(table, 0, "runs") == 3);
  CHECK(cell(table, 0, "runs_ok") == 2);
  CHECK(cell(table, 0, "status").is_null());
  CHECK(cell(table, 1, "status") == "ok");
  CHECK(cell(table, 0, "latency_cycles.mean") == 13);
  // The squares are 9 + 1 + 16, with two degrees of freedom.
  const double half_width = 4.302653 * std::sqrt(26.0 / 2 / 3);
  CHECK(std::abs(cell(table, 0, "latency_cycles.mean.half_width_95").get<double>() - half_width) <
        1e-9);
  CHECK(cell(table, 1, "latency_cycles.mean") == 30);
  CHECK(cell(table, 1, "latency_cycles.mean.half_width_95").is_null());
  CHECK(std::count(table.columns.begin(), table.columns.end(), "seed") == 0);
}

TEST_CASE("numbers that repetitions never change have no interval", "[sim]") {
  const auto of = [](std::size_t number, int nodes) {
    return point(number, {{"seed", number}}, {{"status", "ok"}, {"topology", {{"nodes", nodes}}}});
  };
  const MergedTable table = means_table({"seed"}, 2, {of(0, 16), of(1, 16), of(2, 25), of(3, 25)});
  CHECK(table.columns == std::vector<std::string>{"runs", "runs_ok", "topology.nodes", "status"});
}

TEST_CASE("of the runs of a combination those that are ok count apart, whatever the others are",
          "[sim]") {
  std::vector<PointResult> points;
  for (const char* status : {"ok", "saturated", "deadlock", "stopped", "imprecise", "ok"}) {
    points.push_back(point(points.size(), {{"seed", points.size()}}, run_of(10, status)));
  }
  const MergedTable table = means_table({"seed"}, points.size(), points);
  REQUIRE(table.rows.size() == 1);
  CHECK(cell(table, 0, "runs") == 6);
  CHECK(cell(table, 0, "runs_ok") == 2);
}

TEST_CASE("no cell of a table begins as a formula does, except for numbers", "[sim]") {
  const MergedTable table = results_table(
      {"workload.file"}, {point(0, {{"workload.file", "=1+1"}}, run_of(-20.5, "+a,b")),
                          point(1, {{"workload.file", "@x"}}, run_of(2, "-"))});
  CHECK(table.csv() ==
        "workload.file,point,id,status,latency_cycles.mean\n"
        "'=1+1,0,i-20.500000,\"'+a,b\",-20.5\n"
        "'@x,1,i2.000000,'-,2.0\n");
}
