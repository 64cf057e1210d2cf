// SPDX-License-Identifier: Apache-2.0
// Maps from names of the user to sections.
#include <algorithm>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "config/problem.h"
#include "config/schema.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

const Schema& lanes_schema() {
  static const Schema schema(
      {Param::text("name", "Name.").defaults_to(""),
       Param::integer("seed", "", "Seed.", 0).defaults_to(1)},
      {{"road",
        "Roads.",
        {Param::named_sections(
             "lanes", "Lanes by name.",
             {Param::integer("speed", "km/h", "Speed.", 1, 300).defaults_to(50),
              Param::integer("width", "m", "Width.", 1, 9).defaults_to(3).dumped_if_changed()})
             .dumped_if_changed()}}});
  return schema;
}

Configuration read_road(const std::string& text, const std::vector<std::string>& set = {}) {
  Document document = parse_document(text, "road.yaml");
  apply_overrides(document, set);
  return validate(document, lanes_schema());
}

std::string road_problems(const std::string& text) {
  std::string all;
  try {
    read_road(text);
  } catch (const ConfigError& error) {
    for (const Problem& problem : error.problems()) {
      all += problem.key + ": " + problem.what + "; " + problem.hint + "\n";
    }
  }
  return all;
}

const std::string kTwoLanes = "road: {lanes: {slow: {speed: 30}, fast: {width: 4}}}\n";

}  // namespace

TEST_CASE("sections of a map have their names, in the order of the file", "[config]") {
  const Configuration configuration = read_road(kTwoLanes);
  const std::vector<Section>& lanes = configuration.section("road").sections("lanes");
  REQUIRE(lanes.size() == 2);
  CHECK(lanes[0].own_name() == "slow");
  CHECK(lanes[0].integer("speed") == 30);
  CHECK(lanes[1].own_name() == "fast");
  CHECK(lanes[1].integer("speed") == 50);
  CHECK(lanes[1].integer("width") == 4);
  CHECK(read_road("seed: 2").section("road").sections("lanes").empty());
}

TEST_CASE("a map of sections is dumped as a file can have it, and hashed", "[config]") {
  const Configuration configuration = read_road(kTwoLanes);
  CHECK(configuration.effective()["road"].dump() ==
        R"({"lanes":{"slow":{"speed":30},"fast":{"speed":50,"width":4}}})");
  CHECK(read_road(configuration.effective().dump()).effective() == configuration.effective());
  CHECK_FALSE(read_road("seed: 2").effective().contains("road"));
  CHECK(configuration.id() != read_road(kTwoLanes, {"road.lanes.slow.speed=31"}).id());
}

TEST_CASE("a dotted name reaches into a map of sections and creates one", "[config]") {
  CHECK(read_road(kTwoLanes, {"road.lanes.slow.speed=31"})
            .section("road")
            .sections("lanes")[0]
            .integer("speed") == 31);
  CHECK(read_road("seed: 2", {"road.lanes.side.speed=9"})
            .section("road")
            .sections("lanes")[0]
            .own_name() == "side");
  CHECK(lanes_schema().variants("road.lanes.any.speed").size() == 1);
  CHECK(lanes_schema().variants("road.lanes.any.sped").empty());
  CHECK(lanes_schema().variants("road.lanes.any").empty());
  CHECK(lanes_schema().variants("road.lanes.any.speed.more").empty());
}

TEST_CASE("all problems of a map of sections have the names of their sections", "[config]") {
  CHECK(road_problems("road: {lanes: {slow: {sped: 3}, fast: {speed: 999}}}") ==
        "road.lanes.slow.sped: unknown key; did you mean road.lanes.slow.speed?\n"
        "road.lanes.fast.speed: 999 is too large; write an integer from 1 to 300\n");
  CHECK(road_problems("road: {lanes: [{speed: 3}]}") ==
        "road.lanes: is not a map; write {NAME: {key: value}, ...}\n");
  CHECK(road_problems("road: {lanes: {slow: 3}}") ==
        "road.lanes.slow: is not a map; write `{key: value}` or remove it\n");
  CHECK(road_problems("road: {lanes: {a.b: {speed: 3}}}") ==
        "road.lanes.a.b: dotted names are for --set and sweep; open a map for each part of the "
        "name\n");
}

TEST_CASE("lists of keys and the JSON Schema have the keys of a map of sections", "[config]") {
  const std::string text = parameter_text(lanes_schema());
  CHECK(text.find("road.lanes.NAME.speed\n    an integer from 1 to 300, km/h; default 50") !=
        std::string::npos);
  CHECK(text.find("road.lanes\n    a map of maps; default {}") != std::string::npos);
  const auto json = json_schema(lanes_schema());
  const auto& lanes = json["properties"]["road"]["properties"]["lanes"];
  CHECK(lanes["type"] == "object");
  CHECK(lanes["additionalProperties"]["properties"]["speed"]["maximum"] == 300);
  CHECK(lanes["additionalProperties"]["additionalProperties"] == false);
}
