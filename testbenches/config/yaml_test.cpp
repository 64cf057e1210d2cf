// SPDX-License-Identifier: Apache-2.0
#include "config/yaml.h"

#include "support/test_catch.h"

using namespace flitcast;
using Kind = YamlValue::Kind;

namespace {

YamlValue parse(const std::string& text) {
  std::vector<Problem> problems;
  YamlValue value = parse_yaml(text, {"f"}, problems);
  if (!problems.empty()) throw ConfigError(problems);
  return value;
}

std::string problem(const std::string& text) {
  try {
    parse(text);
    return {};
  } catch (const ConfigError& error) {
    return error.what();
  }
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("values keep their text, their quotes and their place", "[config]") {
  const YamlValue map = parse("a: no\nb:\n  - 1e3\n  - \"8\"\nc:\n");
  REQUIRE(map.kind == Kind::kMap);
  CHECK(map.find("a")->value.text == "no");
  const YamlValue& list = map.find("b")->value;
  REQUIRE(list.items.size() == 2);
  CHECK(list.items[0].text == "1e3");
  CHECK_FALSE(list.items[0].quoted);
  CHECK(list.items[1].quoted);
  CHECK(list.items[1].place.line == 4);
  CHECK(list.items[1].place.column == 5);
  CHECK(map.find("c")->value.kind == Kind::kNothing);
  CHECK(map.find("c")->place.line == 5);
  CHECK(map.find("d") == nullptr);
}

TEST_CASE("JSON is read, indented by tabs or not", "[config]") {
  const YamlValue map = parse("{\n\t\"a\": [1, {\"b\": \"\\u00e4\"}],\n\t\"c\": null\n}\n");
  CHECK(map.find("a")->value.items.at(1).find("b")->value.text == "\xc3\xa4");
  CHECK(map.find("c")->value.kind == Kind::kNothing);
}

TEST_CASE("an alias is a copy of what it names", "[config]") {
  const YamlValue map = parse("a: &x {k: [1, 2]}\nb: *x\n");
  CHECK(map.find("b")->value.find("k")->value.items.at(1).text == "2");
}

TEST_CASE("a key that comes twice is a problem, wherever it is", "[config]") {
  CHECK(problem("a: 1\nb: {c: 1, c: 2}\na: 2\n") ==
        "f:2:11: b.c: comes twice, first in line 2; keep one of the two\n"
        "f:3:1: a: comes twice, first in line 1; keep one of the two");
}

TEST_CASE("what the program does not read is said to be so", "[config]") {
  CHECK(problem("a: &x {b: 1}\nc:\n  <<: *x\n").find("f:3:3: c.<<: merge keys") == 0);
  CHECK(problem("? [a]\n: 1\n").find("f:1:3: a key that is not a word") == 0);
  CHECK(problem("a: !!int 3\n").find("f:1:4: the tag") == 0);
  CHECK(problem("a: 1\n---\nb: 1\n").find("f:2:1: a second document") == 0);
  CHECK(problem("a: &x [*x]\n").find("f:1:8: an alias inside") == 0);
}

TEST_CASE("wrong syntax is shown with its place", "[config]") {
  CHECK(problem("a: 1\nb: [1, 2\nc: 3\n").find("f:3:2: ") == 0);
  CHECK(problem("a: *nowhere\n").find("f:1:4: ") == 0);
  CHECK(problem("a: 1\n b: 2\n").find("f:2:") == 0);
  CHECK(problem("a:\n\tb: 2\n")
            .find("; correct the YAML syntax here or just before; indent with "
                  "blanks, not tabs") != std::string::npos);
  // The parser repeats what it read: the line break belongs to the text, not to the message.
  CHECK(problem("a: \"\\\r\"\n").find('\r') == std::string::npos);
}

TEST_CASE("bytes that no text has are refused before they confuse the parser", "[config]") {
  CHECK(problem("a: 1\nb\x04: 2\n").find("f:2:2: control character 4") == 0);
  CHECK(problem(std::string("a: \0", 4)).find("f:1:4: control character 0") == 0);
  CHECK(problem("a: \xff\n").find("f: is not UTF-8") == 0);
  CHECK(problem("a: \"\\_\"\n").find("f:1:4: the escape") == 0);
}

TEST_CASE("deep nesting and exploding aliases end with a message", "[config]") {
  for (const char* opener : {"[", "{a: ", "- ", "? ", "a: [", "[?", "!x "}) {
    INFO(opener);
    CHECK_FALSE(problem(repeated(opener, 100'000)).empty());
  }
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 20; ++i) {
    const std::string self = "a" + std::to_string(i), last = "*a" + std::to_string(i - 1);
    bomb += self + ": &" + self + " [" + last + repeated(", " + last, 9) + "]\n";
  }
  CHECK(problem(bomb).find("more than 1000000 values") != std::string::npos);
  std::string tower = "a0: &a0 [1]\n";
  for (int i = 1; i < 200; ++i) {
    const std::string self = "a" + std::to_string(i);
    tower += self + ": &" + self + " [*a" + std::to_string(i - 1) + "]\n";
  }
  CHECK(problem(tower).find("nested more than 64 levels") != std::string::npos);
}
