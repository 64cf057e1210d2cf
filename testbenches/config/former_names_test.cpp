// SPDX-License-Identifier: Apache-2.0
#include "example.h"
#include "support/test_catch.h"

using namespace example;

namespace {

// router.mode was router.style, `fast` was `native`, and router.pipeline.route was
// router.stages.way.
Schema renamed() {
  return Schema(
      {{"name", Type::kText, ""}, {"seed", Type::kInteger, 1, "", "", 0}},
      {{"router",
        "",
        {Param::choice("mode", "", {"fast", "exact"})
             .formerly("style")
             .formerly_choosing({{"native", "fast"}}),
         Param::integer("pipeline.route", "", "", 0, 8).defaults_to(1).formerly("stages.way")}}});
}

struct Read {
  std::string effective;
  std::string id;
  std::string notes;
};

Read read_renamed(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Document document = parse_document(text, "net.yaml");
  apply_overrides(document, overrides);
  use_present_names(document, renamed());
  std::string notes;
  for (const Problem& note : document.notes) notes += note.text() + "\n";
  const Configuration c = validate(document, renamed());
  return {c.effective().dump(), c.id(), notes};
}

}  // namespace

TEST_CASE("a former name of a key or a choice means the present one, with a note", "[config]") {
  const Read present = read_renamed("router: {mode: fast, pipeline: {route: 3}}");
  const Read former = read_renamed("router: {style: native, stages: {way: 3}}");
  CHECK(present.notes.empty());
  CHECK(former.effective == present.effective);
  CHECK(former.id == present.id);
  CHECK(former.notes ==
        "net.yaml:1:10: note: router.style is now router.mode; the old name goes with version 0.3\n"
        "net.yaml:1:17: note: router.mode: native is now fast; the old name goes with version 0.3\n"
        "net.yaml:1:34: note: router.stages.way is now router.pipeline.route; the old name goes "
        "with version 0.3\n");
  CHECK(validate(parse_document("router: {style: exact}", "net.yaml"), renamed()).id() ==
        read_renamed("router: {mode: exact}").id);
}

TEST_CASE("keys that stand beside a former one keep their values", "[config]") {
  const Schema schema(
      {{"name", Type::kText, ""}, {"seed", Type::kInteger, 1, "", "", 0}},
      {{"router",
        "",
        {Param::integer("pipeline.route", "", "", 0, 8).defaults_to(1).formerly("stages.way"),
         Param::integer("stages.depth", "", "", 0, 8).defaults_to(1)}}});
  Document document = parse_document("router: {stages: {way: 3, depth: 5}}", "net.yaml");
  use_present_names(document, schema);
  const Configuration read = validate(document, schema);
  CHECK(read.section("router").count("pipeline.route") == 3);
  CHECK(read.section("router").count("stages.depth") == 5);
}

TEST_CASE("former names are accepted from the command line", "[config]") {
  const Read former = read_renamed("name: x", {"router.style=exact"});
  CHECK(former.effective == read_renamed("name: x", {"router.mode=exact"}).effective);
  CHECK(former.notes ==
        "--set router.style=exact: note: router.style is now router.mode; the old name goes with "
        "version 0.3\n");
}

TEST_CASE("a key under both its names is a problem, as is a wrong value under the former one",
          "[config]") {
  CHECK_THROWS_WITH(read_renamed("router: {style: native, mode: exact}"),
                    "net.yaml:1:10: router.style: is the former name of router.mode, which is "
                    "given as well; leave it out");
  CHECK_THROWS_WITH(read_renamed("router: {style: slow}"),
                    "net.yaml:1:17: router.mode: \"slow\" is not a choice; write one of fast, "
                    "exact");
}

TEST_CASE("former names under a full dotted name, as sweeps use, become the present ones",
          "[config]") {
  Document document = parse_document("router.style: [native, exact]", "net.yaml");
  YamlEntry entry = document.root.entries.front();
  use_present_names(entry, document, renamed());
  CHECK(entry.key == "router.mode");
  CHECK(entry.value.items.at(0).text == "fast");
  CHECK(entry.value.items.at(1).text == "exact");
  CHECK(document.notes.size() == 2);
}

TEST_CASE("lists show present names alone, and the JSON Schema marks former ones", "[config]") {
  CHECK(parameter_text(renamed()).find("style") == std::string::npos);
  CHECK(parameter_json(renamed()).dump().find("native") == std::string::npos);
  const auto json = json_schema(renamed());
  CHECK(json["properties"]["router"]["properties"]["style"]["allOf"][1]["deprecated"] == true);
}

TEST_CASE("a former name that still names something is a mistake of the table", "[config]") {
  const auto table = [](Param param) {
    return Schema({}, {{"s", "", {{"old", Type::kInteger, 1}, std::move(param)}}});
  };
  CHECK_THROWS_AS(table(Param::boolean("new", true, "").formerly("old")), std::logic_error);
  CHECK_THROWS_AS(table(Param::choice("new", "", {"a", "b"}).formerly_choosing({{"a", "b"}})),
                  std::logic_error);
}
