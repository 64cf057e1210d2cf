// SPDX-License-Identifier: Apache-2.0
#include "config/problem.h"

#include <algorithm>

#include "support/test_catch.h"

using namespace flitcast;

TEST_CASE("a problem shows the parts that are known", "[config]") {
  CHECK(Problem{{"a.yaml", 2, 3}, "s.k", "bad", "mend"}.text() == "a.yaml:2:3: s.k: bad; mend");
  CHECK(Problem{{"a.yaml", 2, 0}, "", "bad", "mend"}.text() == "a.yaml:2: bad; mend");
  CHECK(Problem{{"a.yaml", 0, 0}, "s.k", "bad", ""}.text() == "a.yaml: s.k: bad");
  CHECK(Problem{{}, "s.k", "bad", "mend"}.text() == "s.k: bad; mend");
}

TEST_CASE("problems are ordered by place, not by text", "[config]") {
  const ConfigError error({{{"a", 10, 1}, "", "d", ""},
                           {{"a", 2, 10}, "", "c", ""},
                           {{"a", 2, 9}, "", "b", ""},
                           {{"a", 2, 9}, "", "a", ""}});
  CHECK(std::string(error.what()) == "a:2:9: b\na:2:9: a\na:2:10: c\na:10:1: d");
  CHECK(error.problems().front().what == "b");
}

TEST_CASE("a problem is one line without control characters, whatever the user wrote", "[config]") {
  const Problem problem{{"a\033.csv", 1, 1}, "k\n", std::string("bad\0\x7f", 5), "mend\xc2\x9b"};
  CHECK(problem.text() == "a\\x1b.csv:1:1: k\\x0a: bad\\x00\\x7f; mend\\xc2\\x9b");
  CHECK(ConfigError(problem).what() == problem.text());
}

TEST_CASE("of many problems each is told once, fifty at most, and the others are counted",
          "[config]") {
  std::vector<Problem> problems;
  for (int line = 1; line <= 70; ++line) {
    for (int times = 0; times < 3; ++times) problems.push_back({{"a", line, 0}, "", "bad", ""});
  }
  const std::string text = ConfigError(problems, 5).what();
  CHECK(std::count(text.begin(), text.end(), '\n') == 50);
  CHECK(text.find("a:50: bad\n25 more problems are not shown") != std::string::npos);
  problems.resize(150);
  CHECK(std::string(ConfigError(problems).what()).find("more problems") == std::string::npos);
}
