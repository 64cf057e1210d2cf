// SPDX-License-Identifier: Apache-2.0
// Lists of sections in an experiment file.
#include <algorithm>
#include <string>
#include <vector>

#include "example.h"
#include "support/test_catch.h"

using namespace example;

namespace {

const std::string kTwoFlows = kRing +
                              "workload:\n"
                              "  flows:\n"
                              "    - {name: a}\n"
                              "    - {name: b, kind: bursty, burst: 2}\n";

}  // namespace

TEST_CASE("a list of sections has every key of each, written or not", "[config]") {
  const Configuration configuration = read(kTwoFlows);
  const std::vector<Section>& flows = configuration.section("workload").sections("flows");
  REQUIRE(flows.size() == 2);
  CHECK(flows[0].text("name") == "a");
  CHECK(flows[0].text("kind") == "steady");
  CHECK_FALSE(flows[0].has("burst"));
  CHECK(flows[1].integer("burst") == 2);
  CHECK(flows[1].place("burst").line == 5);
  CHECK(read(kRing).section("workload").sections("flows").empty());
}

TEST_CASE("a list of sections is dumped as a file can have it", "[config]") {
  const Configuration configuration = read(kTwoFlows);
  const auto& dumped = configuration.effective()["workload"]["flows"];
  CHECK(dumped.dump() ==
        R"([{"name":"a","kind":"steady"},{"name":"b","kind":"bursty","burst":2}])");
  CHECK(read(configuration.effective().dump()).effective() == configuration.effective());
  CHECK(read(kRing).effective()["workload"].contains("flows") == false);
  CHECK(configuration.id() != read(kTwoFlows, {"workload.flows[1].burst=3"}).id());
}

TEST_CASE("all problems of a list of sections are told at their places", "[config]") {
  CHECK(problems(kRing + "workload: {flows: [{kind: bursty, brust: 2}, {name: b, burst: 99}]}") ==
        "net.yaml:2:20: workload.flows[0].name: is missing; write text\n"
        "net.yaml:2:35: workload.flows[0].brust: unknown key; did you mean "
        "workload.flows[0].burst?\n"
        "net.yaml:2:56: workload.flows[1].burst: does not apply while workload.flows[1].kind is "
        "steady; remove it, or set workload.flows[1].kind to bursty");
  CHECK(problems(kRing + "workload: {flows: {name: a}}") ==
        "net.yaml:2:19: workload.flows: is not a list; write [{key: value}, ...]");
  CHECK(problems(kRing + "workload: {flows: [3]}") ==
        "net.yaml:2:20: workload.flows[0]: is not a map; write `{key: value}` or remove it");
}

TEST_CASE("a key can apply only where a list of sections is empty", "[config]") {
  CHECK(read(kRing).section("workload").boolean("alone"));
  CHECK_FALSE(read(kTwoFlows).section("workload").has("alone"));
  CHECK(problems(kTwoFlows + "  alone: true\n") ==
        "net.yaml:6:3: workload.alone: does not apply while workload.flows is [...]; remove it, or "
        "set workload.flows to []");
}

TEST_CASE("an assignment can change one section of a list", "[config]") {
  const Configuration configuration =
      read(kTwoFlows, {"workload.flows[1].burst=7", "workload.flows[0]={name: c}"});
  const std::vector<Section>& flows = configuration.section("workload").sections("flows");
  CHECK(flows[0].text("name") == "c");
  CHECK(flows[1].integer("burst") == 7);
  CHECK(problems(kTwoFlows, {"workload.flows[2].burst=7"}) ==
        "--set workload.flows[2].burst=7: workload.flows[2].burst: there is no item 2 in the list; "
        "name one from 0 to 1");
  CHECK(problems(kTwoFlows, {"workload.flows[01].burst=7"}) ==
        "--set workload.flows[01].burst=7: an item has a number that begins with 0; write it "
        "without this 0");
  CHECK(problems(kRing, {"workload.flows[0].burst=7"}).find("write the list in the file") !=
        std::string::npos);
}

TEST_CASE("the list of parameters has the keys of a list of sections behind it", "[config]") {
  std::vector<std::string> names;
  for (const auto& entry : parameter_json(schema())) names.push_back(entry["name"]);
  const auto flows = std::find(names.begin(), names.end(), "workload.flows");
  REQUIRE(names.end() - flows > 3);
  CHECK(flows[1] == "workload.flows[].name");
  CHECK(flows[3] == "workload.flows[].burst");
  CHECK(parameter_text(schema()).find("while workload.flows[].kind: bursty") != std::string::npos);
}
