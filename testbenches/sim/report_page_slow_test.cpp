// SPDX-License-Identifier: Apache-2.0
// Size of pages with many large results.
#include <map>
#include <string>

#include "sim/report/report.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Json = nlohmann::ordered_json;

/// Returns a result with `links` links; real results list at most 1024.
Json large_result(int links = 1024) {
  Json result{{"name", "large"},
              {"status", "ok"},
              {"config", {{"seed", 1}}},
              {"topology", {{"name", "mesh 16x16"}, {"channels", 960}}},
              {"latency_cycles", {{"mean", 20.5}, {"histogram", Json::array()}}},
              {"layout", Json::array()},
              {"links", Json::array()}};
  for (int r = 0; r < 256; ++r) result["layout"].push_back({r % 16, r / 16});
  for (int l = 0; l < links; ++l) {
    result["links"].push_back(
        {{"kind", "router"}, {"from", l / 4}, {"port", l % 4}, {"to", l % 256}, {"load", 0.12345}});
  }
  return result;
}

/// Links of each of thousands of results.
constexpr int kFewLinks = 16;

ReportRuns runs_of(std::size_t count, int links = 1024) {
  ReportRuns runs{"large", {"workload.load"}, {}, count};
  for (std::size_t r = 0; r < count; ++r) {
    runs.results.push_back({r, {{"workload.load", r}}, large_result(links)});
  }
  return runs;
}

}  // namespace

TEST_CASE("a page of 40 large networks draws all of them, in less than 1.5 MB", "[sim]") {
  const Json data = report_data(runs_of(40));
  CHECK(data["runs"].size() == 40);
  CHECK(data["layouts"].size() == 1);
  CHECK(data["without_details"] == 0);
  CHECK(report_page(data).size() < 1'500'000);
}

TEST_CASE(
    "where there is no space for drawings of all runs, the first have them and all have a row",
    "[sim]") {
  const Json data = report_data(runs_of(400));
  const std::size_t drawn = data["runs"].size();
  CHECK(drawn > 100);
  CHECK(data["without_details"] == 400 - drawn);
  CHECK(data["runs"][drawn - 1]["label"] == "workload.load = " + std::to_string(drawn - 1));
  CHECK(data["rows"].size() == 400);
  CHECK(report_page(data).size() < 1'500'000);
}

TEST_CASE("of thousands of runs a page shows a part, spread over all keys, and says which",
          "[sim]") {
  ReportRuns runs{"many", {"router.virtual_channels", "workload.load", "seed"}, {}, 6000};
  for (std::size_t r = 0; r < runs.points; ++r) {
    const Json values{
        {"router.virtual_channels", r / 3000}, {"workload.load", r / 2 % 1500}, {"seed", r % 2}};
    runs.results.push_back({r, values, large_result(kFewLinks)});
    runs.results.back().result["reason"] = std::string(300, 'x') + std::to_string(r);
  }
  const Json data = report_data(runs);
  CHECK(data["one_in"] == 3);
  CHECK(data["rows"].size() > 1900);
  CHECK(data["rows"].size() < 2100);
  std::map<std::string, std::size_t> of_key;
  for (const Json& row : data["rows"]) {
    ++of_key["VCs " + row[0].dump()];
    ++of_key["seed " + row[2].dump()];
  }
  for (const auto& [key, count] : of_key) {
    INFO(key);
    CHECK(count > data["rows"].size() * 45 / 100);
  }
  CHECK(of_key.size() == 4);
  CHECK(data["without_details"].get<std::size_t>() + data["runs"].size() == runs.points);
  CHECK(report_page(data).size() < 1'500'000);
}

TEST_CASE("what thousands of runs have in common takes no room, so that all have a row", "[sim]") {
  ReportRuns runs = runs_of(3000, kFewLinks);
  for (PointResult& run : runs.results) {
    run.result["reason"] = std::string(300, 'x');
    run.result["latency_cycles"]["mean"] = run.point;
  }
  const Json data = report_data(runs);
  CHECK(data["one_in"] == 1);
  CHECK(data["rows"].size() == 3000);
  CHECK(data["same"]["reason"] == std::string(300, 'x'));
  CHECK(data["rows"][7].size() + data["same"].size() == data["columns"].size());
  CHECK(report_page(data).size() < 1'500'000);
}
