// SPDX-License-Identifier: Apache-2.0
#include "config/configuration.h"
#include "sim/sweep/sweep.h"
#include "support/test_catch.h"

using namespace flitcast;

TEST_CASE("the table of experiments does not contradict itself and explains every key", "[sim]") {
  const Schema& schema = experiment_schema();
  for (const SectionTable& section : schema.sections()) {
    CHECK_FALSE(section.help.empty());
    for (const Param& param : section.params) {
      INFO(section.name << "." << param.key);
      CHECK_FALSE(param.help.empty());
    }
  }
}

TEST_CASE("the smallest experiment names what is built, and how it is used", "[sim]") {
  const std::string text =
      "topology: {kind: ring, nodes: 8}\n"
      "routing: {kind: dimension_order}\n"
      "workload: {kind: traffic}\n";
  const Configuration c = validate(parse_document(text, "ring.yaml"), experiment_schema());
  CHECK(c.name() == "ring");
  CHECK(c.section("router").integer("virtual_channels") == 4);
  CHECK(c.section("measure").integer("window") == 10000);
  CHECK_FALSE(c.effective().contains("run"));
  const Configuration again =
      validate(parse_document(c.effective().dump(), "x.json"), experiment_schema());
  CHECK(again.effective() == c.effective());
}

TEST_CASE("the published JSON Schema knows the sweep", "[sim]") {
  const auto json = experiment_json_schema();
  const auto& names = json["properties"]["sweep"]["propertyNames"]["anyOf"][0]["enum"];
  CHECK(std::count(names.begin(), names.end(), "router.pipeline.route") == 1);
}
