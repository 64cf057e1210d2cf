// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "config/schema.h"
#include "example.h"
#include "support/test_catch.h"

using namespace example;

TEST_CASE("the parameter list has every param by its full name, with all about it below",
          "[config]") {
  const std::string text = parameter_text(schema());
  std::istringstream lines(text);
  std::size_t names = 0;
  for (std::string line; std::getline(lines, line);) names += line.at(0) != ' ';
  CHECK(names == 21);
  CHECK(text.find(
            "topology.sizes\n    an integer from 1 to 64, or a list of them, routers; required\n"
            "    while topology.kind: mesh or torus\n    Sizes.\n") != std::string::npos);
}

TEST_CASE("the parameter list for programs leaves out what does not apply", "[config]") {
  const auto list = parameter_json(schema());
  CHECK(list.at(3).dump() ==
        R"({"name":"topology.sizes","type":"integers","unit":"routers","minimum":1.0,)"
        R"("maximum":64.0,"when":[{"key":"topology.kind","values":["mesh","torus"]}],)"
        R"("help":"Sizes."})");
}
