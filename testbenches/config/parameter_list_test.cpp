// SPDX-License-Identifier: Apache-2.0
#include "config/parameter_list.h"

#include "example.h"
#include "support/test_catch.h"

using namespace example;

TEST_CASE("the parameter list has a line for every param", "[config]") {
  const std::string text = parameter_text(schema());
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 16);
  CHECK(text.find("an integer from 1 to 64  ") != std::string::npos);
  CHECK(text.find("topology.kind: mesh or torus") != std::string::npos);
}

TEST_CASE("the parameter list for programs leaves out what does not apply", "[config]") {
  const auto list = parameter_json(schema());
  CHECK(list.at(3).dump() ==
        R"({"name":"topology.sizes","type":"integers","unit":"routers","minimum":1.0,)"
        R"("maximum":64.0,"when":[{"key":"topology.kind","values":["mesh","torus"]}],)"
        R"("help":"Sizes."})");
}
