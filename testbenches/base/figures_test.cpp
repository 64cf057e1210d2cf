// SPDX-License-Identifier: Apache-2.0
#include "base/figures.h"

#include "support/test_catch.h"

using namespace flitcast;
using nlohmann::ordered_json;

namespace {

struct Kettle {
  unsigned litres = 2;
  std::vector<double> temperatures{20.5, 100};
  bool lid = false;
  double warmest() const { return temperatures.back(); }
};

const FigureTable<Kettle> kTable{
    {"volume", "litres", "Volume of the water.", &Kettle::litres},
    {"heat.warmest", "degrees", "Warmest of all measurements.", &Kettle::warmest},
    {"heat.count", "", "Of measurements.", [](const Kettle& k) { return k.temperatures.size(); }},
    {"lid", "", "Only if it has one.",
     [](const Kettle& k) { return k.lid ? ordered_json("shut") : ordered_json(); }},
};

ordered_json written(const Kettle& kettle) {
  ordered_json result{{"name", "kettle"}};
  kTable.write(kettle, result);
  return result;
}

}  // namespace

TEST_CASE("figures stand in groups, in the order of their table", "[figures]") {
  CHECK(written(Kettle{}).dump() ==
        R"({"name":"kettle","volume":2,"heat":{"warmest":100.0,"count":2}})");
}

TEST_CASE("a figure that does not apply is absent", "[figures]") {
  Kettle kettle;
  CHECK_FALSE(written(kettle).contains("lid"));
  kettle.lid = true;
  CHECK(written(kettle).at("lid") == "shut");
}

TEST_CASE("a list has an object for each part, none for no part", "[figures]") {
  const std::vector<Kettle> kettles(2);
  CHECK(kTable.list(kettles).size() == 2);
  CHECK(kTable.list(kettles)[1].at("heat").at("count") == 2);
  CHECK(kTable.list(std::vector<Kettle>{}).dump() == "[]");
}

TEST_CASE("a table tells what its figures mean by their full names", "[figures]") {
  const std::vector<FigureMeaning> meanings = kTable.meanings("kettles.");
  REQUIRE(meanings.size() == 4);
  CHECK(meanings[1].name == "kettles.heat.warmest");
  CHECK(meanings[1].unit == "degrees");
  CHECK(meanings[1].meaning == "Warmest of all measurements.");
}

TEST_CASE("a figure is found by its full name, in a list by its number", "[figures]") {
  ordered_json result = written(Kettle{});
  result["kettles"] = kTable.list(std::vector<Kettle>(2));
  CHECK(figure_at(result, "heat.warmest") == 100);
  CHECK(figure_at(result, "kettles[1].heat.count") == 2);
  CHECK(figure_at(result, "kettles[1]") == result["kettles"][1]);
  for (const char* none :
       {"warmth", "heat.none", "kettles[2].volume", "heat[0].count", "volume.x"}) {
    INFO(none);
    CHECK(figure_at(result, none).is_null());
  }
}
