// SPDX-License-Identifier: Apache-2.0
#include "config/problem.h"

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
