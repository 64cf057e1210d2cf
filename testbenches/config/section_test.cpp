// SPDX-License-Identifier: Apache-2.0
#include "config/section.h"

#include "support/test_catch.h"

using namespace flitcast;
using nlohmann::json;

TEST_CASE("values come by key and type, and anything else is our mistake", "[config]") {
  const Section section = Section::of("s", {{"flag", true},
                                            {"count", 3},
                                            {"share", 0.5},
                                            {"word", "x"},
                                            {"sizes", json::array({4, 5})}});
  CHECK(section.boolean("flag"));
  CHECK(section.integer("count") == 3);
  CHECK(section.number("share") == 0.5);
  CHECK(section.number("count") == 3.0);
  CHECK(section.text("word") == "x");
  CHECK(section.integers("sizes") == std::vector<std::int64_t>{4, 5});
  CHECK(section.integers("count") == std::vector<std::int64_t>{3});
  CHECK(section.numbers("sizes") == std::vector<double>{4, 5});
  CHECK_THROWS_AS(section.integer("share"), std::logic_error);
  CHECK_THROWS_AS(section.text("count"), std::logic_error);
  CHECK_THROWS_AS(section.integers("word"), std::logic_error);
  CHECK_THROWS_AS(section.boolean("flags"), std::logic_error);
}

TEST_CASE("a fault shows where the key was written, or the section if it was not", "[config]") {
  const Section section("s", {"f.yaml", 4, 1}, {{"a", 1}, {"b", 2}}, {{"a", {"f.yaml", 5, 6}}});
  CHECK(section.problem("a", "bad", "mend").text() == "f.yaml:5:6: s.a: bad; mend");
  CHECK(section.problem("b", "bad", "mend").text() == "f.yaml:4:1: s.b: bad; mend");
  CHECK_THROWS_AS(section.fail("a", "bad", "mend"), ConfigError);
}

TEST_CASE("paths are relative to the file, those of --set to the working folder", "[config]") {
  const Section section("s", {"dir/f.yaml", 4, 1},
                        {{"a", "x.csv"}, {"b", "x.csv"}, {"c", "/x.csv"}},
                        {{"a", {"dir/f.yaml", 5, 6}},
                         {"b", {"--set s.b=dir/x.csv", 0, 0}},
                         {"c", {"dir/f.yaml", 6, 6}}});
  CHECK(section.path("a") == "dir/x.csv");
  CHECK(section.path("b") == "x.csv");
  CHECK(section.path("c") == "/x.csv");
}

TEST_CASE("a file is looked for beside the experiment before it is in the working folder",
          "[config]") {
  const auto path_in = [](const std::string& folder) {
    const Place place{folder + "f.yaml", 4, 1};
    return Section("s", place, {{"a", "."}}, {{"a", place}}).path("a");
  };
  CHECK(path_in("/") == "/.");  // Both folders have something of that name.
  CHECK(path_in("no/such/folder/") == ".");
}
