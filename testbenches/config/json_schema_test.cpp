// SPDX-License-Identifier: Apache-2.0
#include "config/schema.h"
#include "example.h"
#include "support/test_catch.h"

using namespace example;

TEST_CASE("the JSON Schema has the types, ranges and defaults of the table", "[config]") {
  const auto json = json_schema(schema());
  const auto& router = json["properties"]["router"]["properties"];
  const auto& depth = router["buffer_depth"];
  CHECK(depth["anyOf"][0].dump() == R"({"type":"integer","minimum":1,"maximum":64})");
  CHECK(depth["anyOf"][1]["type"] == "string");  // A number with a unit.
  CHECK(depth["description"] == "Depth. [flits]");
  CHECK(depth["default"] == 8);
  CHECK(router["pipeline"]["properties"]["route"]["anyOf"][0]["maximum"] == 8);
  CHECK(router["pipeline"]["additionalProperties"] == false);
  CHECK(json["properties"]["topology"]["additionalProperties"] == false);
  CHECK(json["additionalProperties"] == false);
}

TEST_CASE("extra properties stand beside the sections", "[config]") {
  const auto json = json_schema(schema(), {{"sweep", {{"type", "object"}}}}, "sweep");
  CHECK(json["properties"]["sweep"]["type"] == "object");
  CHECK(json["if"].dump() == R"({"not":{"required":["sweep"]}})");
}
