// SPDX-License-Identifier: Apache-2.0
#include "config/schema.h"

#include "example.h"
#include "support/test_catch.h"

using namespace example;

namespace {

/// True if a section of these params is accepted.
bool stands(std::vector<Param> params) {
  try {
    Schema({}, {{"s", "", std::move(params)}});
    return true;
  } catch (const std::logic_error&) {
    return false;
  }
}

Param only(Param param, const std::string& key, const std::string& value) {
  return only_while(key, value, {std::move(param)}).front();
}

}  // namespace

TEST_CASE("equal keys of several entries merge into one with several values", "[config]") {
  const Schema table = schema();
  const auto sizes = table.find("topology")->variants("sizes");
  REQUIRE(sizes.size() == 1);
  CHECK(sizes[0]->when.all[0].values == std::vector<std::string>{"mesh", "torus"});
  CHECK(table.find("topology")->variants("nodes").size() == 2);
}

TEST_CASE("an entry's own conditions hold besides that of the entry", "[config]") {
  const Schema table = schema();
  const auto& conditions = table.find("workload")->variants("hot_share").at(0)->when.all;
  REQUIRE(conditions.size() == 2);
  CHECK(conditions[0].key == "kind");
  CHECK(conditions[1].key == "pattern");
}

TEST_CASE("full names list every key once in table order", "[config]") {
  const auto names = schema().full_names();
  CHECK(names.at(0) == "name");
  CHECK(names.at(3) == "topology.sizes");
  CHECK(std::count(names.begin(), names.end(), "topology.nodes") == 1);
  CHECK(names.back() == "run.threads");
}

TEST_CASE("a table that contradicts itself is refused", "[config]") {
  const Param a{"a", Type::kInteger, 1};
  const Param b{"b", Type::kInteger, 1};
  const Param kind = choice("kind", {"x", "y"}, "x");
  CHECK(stands({kind, only(a, "kind", "x")}));
  CHECK_FALSE(stands({only(a, "kind", "x"), kind}));
  CHECK_FALSE(stands({only(a, "kin", "x")}));
  // Which of the two kinds counts is not known before both.
  const Param late = only(choice("late", {"x", "y"}, "x"), "kind", "x");
  const Param other_late = only(choice("late", {"x", "z"}, "z"), "kind", "y");
  CHECK(stands({kind, late, other_late, only(a, "late", "x")}));
  CHECK_FALSE(stands({kind, late, only(a, "late", "x"), other_late}));
  CHECK_FALSE(stands({a, {"a", Type::kNumber, 1}}));
  CHECK_FALSE(stands({kind, a, only({"a", Type::kNumber, 1}, "kind", "x")}));
  CHECK_FALSE(stands({a, {"a.b", Type::kInteger, 1}}));
  CHECK_FALSE(stands({{"a", Type::kInteger, 5, "", "", 0, 4}}));
  CHECK_FALSE(stands({{"a", Type::kBoolean, "no"}}));
  CHECK_FALSE(stands({choice("kind", {}, nullptr)}));
  CHECK_FALSE(stands({choice("kind", {"x"}, "z")}));
}
