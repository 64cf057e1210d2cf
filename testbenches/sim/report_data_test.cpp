// SPDX-License-Identifier: Apache-2.0
// The data of a page of results.
#include "sim/report/report.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Json = nlohmann::ordered_json;

/// A result of one link whose drawings take some 400 kB.
Json large_result() {
  Json histogram = Json::array();
  for (int bucket = 0; bucket < 40000; ++bucket) histogram.push_back({bucket, 7});
  return {{"name", "large"},
          {"status", "ok"},
          {"config", {{"seed", 1}}},
          {"topology", {{"name", "mesh 2"}, {"channels", 2}}},
          {"latency_cycles", {{"mean", 20.5}, {"histogram", histogram}}},
          {"layout", {{0, 0}, {1, 0}}},
          {"links", {{{"kind", "router"}, {"from", 0}, {"port", 0}, {"to", 1}, {"load", 0.1}}}}};
}

}  // namespace

TEST_CASE("runs whose drawings do not fit on a page are counted, and keep their rows", "[sim]") {
  ReportRuns runs{"large", {"workload.load"}, {}, 6};
  for (std::size_t r = 0; r < runs.points; ++r) {
    runs.results.push_back({r, {{"workload.load", r}}, large_result()});
  }
  const Json data = report_data(runs);
  CHECK(data["runs"].size() == 2);
  CHECK(data["without_details"] == 4);
  CHECK(data["rows"].size() == 6);
}
