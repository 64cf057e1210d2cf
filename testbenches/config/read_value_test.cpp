// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "config/param.h"
#include "config/yaml.h"
#include "support/test_catch.h"

using namespace flitcast;
using nlohmann::json;

namespace {

/// The value that `text` is to a key of that type, or the problem as text.
json read(Param::Type type, const std::string& text, double least = -HUGE_VAL,
          double most = HUGE_VAL) {
  Param param{"key", type, nullptr, "", "", least, most};
  param.choices = {"mesh", "torus", "no"};
  Reading reading;
  const YamlValue written = parse_yaml(text, {"f"}, reading.problems);
  const json value = read_value(written, param, "key", reading);
  return value.is_null() ? json{{"problem", reading.problems.at(0).what}} : value;
}

bool refused(const json& value) { return value.is_object(); }

}  // namespace

TEST_CASE("integers are plain decimal digits of 64 bits", "[config]") {
  const auto integer = [](const std::string& text) { return read(Param::Type::kInteger, text); };
  CHECK(integer("0") == 0);
  CHECK(integer("-7") == -7);
  CHECK(integer("9223372036854775807") == 9223372036854775807);
  for (const char* text :
       {"9223372036854775808", "1e3", "1_000", "0x10", "010", "0o10", "8.0", "+8", "\"8\"", "'8'",
        "eight", "true", "-", "[8]", "{a: 8}", "~", "8 8"}) {
    INFO(text);
    CHECK(refused(integer(text)));
  }
  CHECK(integer("1e3")["problem"] == "1e3 is not an integer in plain decimal digits");
  CHECK(integer("\"8\"")["problem"] == "\"8\" is text because of its quotes");
}

TEST_CASE("ranges include both ends", "[config]") {
  const auto integer = [](const char* text) { return read(Param::Type::kInteger, text, 1, 3); };
  CHECK(integer("1") == 1);
  CHECK(integer("3") == 3);
  CHECK(refused(integer("0")));
  CHECK(refused(integer("4")));
  const auto number = [](const char* text) { return read(Param::Type::kNumber, text, 0, 1); };
  CHECK(number("1") == 1.0);
  CHECK(refused(number("1.0000001")));
  CHECK(refused(number("-1e-9")));
}

TEST_CASE("numbers are finite decimals and come as doubles", "[config]") {
  const auto number = [](const std::string& text) { return read(Param::Type::kNumber, text); };
  CHECK(number("0.1") == 0.1);
  CHECK(number("2").is_number_float());
  CHECK(number("1e-3") == 0.001);
  CHECK(number(".5") == 0.5);
  CHECK_FALSE(std::signbit(number("-0.0").get<double>()));
  for (const char* text :
       {".inf", "inf", "nan", ".nan", "1e999", "0x1p3", "1_0.5", "00.5", "\"1\"", "1.2.3", "[1]"}) {
    INFO(text);
    CHECK(refused(number(text)));
  }
}

TEST_CASE("booleans are true and false and nothing else", "[config]") {
  const auto boolean = [](const std::string& text) { return read(Param::Type::kBoolean, text); };
  CHECK(boolean("true") == true);
  CHECK(boolean("false") == false);
  for (const char* text : {"yes", "no", "on", "off", "True", "1", "0", "\"true\"", "~"}) {
    INFO(text);
    CHECK(refused(boolean(text)));
  }
}

TEST_CASE("text stays as it is written", "[config]") {
  for (const char* text : {"no", "8x8", "1e3", "007", "on"}) {
    CHECK(read(Param::Type::kText, text) == text);
  }
  CHECK(read(Param::Type::kText, "\"~\"") == "~");
  CHECK(refused(read(Param::Type::kText, "~")));
  CHECK(refused(read(Param::Type::kText, "[a]")));
  CHECK(read(Param::Type::kChoice, "no") == "no");
  CHECK(refused(read(Param::Type::kChoice, "Mesh")));
}

TEST_CASE("a choice or an integer takes either and nothing else", "[config]") {
  CHECK(read(Param::Type::kChoiceOrInteger, "no") == "no");
  CHECK(read(Param::Type::kChoiceOrInteger, "4") == 4);
  CHECK(refused(read(Param::Type::kChoiceOrInteger, "yes")));
  CHECK(refused(read(Param::Type::kChoiceOrInteger, "\"4\"")));
}

TEST_CASE("a single value stands for a list of one", "[config]") {
  CHECK(read(Param::Type::kIntegers, "4") == json::array({4}));
  CHECK(read(Param::Type::kIntegers, "[4, 5]") == json::array({4, 5}));
  CHECK(read(Param::Type::kIntegers, "[]") == json::array());
  CHECK(read(Param::Type::kNumbers, "[4, 0.5]") == json::array({4.0, 0.5}));
  CHECK(refused(read(Param::Type::kIntegers, "[4, [5]]")));
  CHECK(read(Param::Type::kTexts, "a") == json::array({"a"}));
  CHECK(read(Param::Type::kTexts, "[a, 7]") == json::array({"a", "7"}));
  CHECK(refused(read(Param::Type::kTexts, "[a, {b: c}]")));
}

TEST_CASE("every faulty element of a list is reported where it stands", "[config]") {
  Reading reading;
  const std::vector<Problem>& problems = reading.problems;
  const YamlValue list = parse_yaml("[x, 1,\n y]", {"f"}, reading.problems);
  read_value(list, {"key", Param::Type::kIntegers}, "key", reading);
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].place.column == 2);
  CHECK(problems[1].place.line == 2);
}

TEST_CASE("a variant is a name, or a name with its numbers", "[config]") {
  const Param param =
      Param::variant("key", "", {"transpose"}, {"random"}, {"places", "pairs"}, -1, 100);
  const auto select = [&](const char* text) {
    Reading reading;
    const std::vector<Problem>& problems = reading.problems;
    const json value = read_value(parse_yaml(text, {"f"}, reading.problems), param, "key", reading);
    CHECK(value.is_null() == !problems.empty());
    for (const Problem& problem : problems) CHECK_FALSE(problem.hint.empty());
    return value;
  };
  CHECK(select("transpose") == "transpose");
  CHECK(select("{random: 7}") == json{{"random", 7}});
  CHECK(select("{pairs: [1, 2]}") == json{{"pairs", {1, 2}}});
  CHECK(select("[1, -1]") == json{{"places", {1, -1}}});
  for (const char* wrong : {"transposed", "random", "places", "{random: -1}", "{random: [1]}",
                            "{random: 1, pairs: [1]}", "{transpose: 1}", "[-2]", "[x]", "101"}) {
    CAPTURE(wrong);
    CHECK(select(wrong).is_null());
  }
}
