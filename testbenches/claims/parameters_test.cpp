// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "config/problem.h"
#include "sim/claims/statement.h"
#include "support/test_catch.h"

using namespace flitcast;
using claims::Outcome;

namespace {

claims::Machine machine() {
  return {
      [](const Section&) {
        return claims::Figures{{{"a", 3}, {"new", {4, 20}}}};
      },
      {Param::integers("sizes", "", "Sizes.", 3), Param::text("network", "A network."),
       Param::integer("theorem", "", "A number.", 1, 4),
       Param::integers("source", "", "A node.", 0).defaults_to({0}),
       Param::choice("ports", "Ports.", {"all_port", "one_port"}),
       Param::integer("m", "", "Middles.", 1).defaults_to(1),
       Param::integer("n", "", "Ports.", 1).defaults_to(1),
       Param::integer("r", "", "Switches.", 1).defaults_to(1),
       Param::text("from", "A node.").defaults_to(""), Param::text("to", "A node.").defaults_to(""),
       Param::texts("input", "Inputs.").defaults_to(nlohmann::json::array()),
       Param::integer("random_requests", "", "Requests.", 0).defaults_to(0)}};
}

claims::Statement sample() {
  claims::Statement statement;
  statement.id = "sample.statement";
  statement.verdict = "holds";
  statement.machine = machine();
  statement.example = "sizes=[4,4] network=Q3 theorem 1";
  statement.outcome_when = "1";
  return statement;
}

// As JSON without quotes.
std::string read(const std::string& text) {
  std::string json = claims::parameters_of(sample(), text).effective().dump();
  json.erase(std::remove(json.begin(), json.end(), '"'), json.end());
  return json;
}

std::string refusal(const std::string& text) {
  try {
    claims::parameters_of(sample(), text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("parameters are read as the documents write them", "[claims]") {
  const std::vector<std::pair<const char*, const char*>> forms{
      {"network=T(5,7), theorem 2", "network:T(5,7),theorem:2"},
      {"n = 6; r = 2", "n:6,r:2"},
      {"n: 6", "n:6"},
      {"sizes=5,7", "sizes:[5,7]"},
      {"sizes 5, 7 theorem 2", "sizes:[5,7]"},
      {"sizes=3..6", "sizes:[3,4,5,6]"},
      {"T(6, 7) theorem 3", "network:T(6,7),theorem:3"},
      {"Q5", "network:Q5"},
      {"n1=5, n2=7", "sizes:[5,7]"},
      {"n2=7", "sizes:[4,7]"},
      {"n1=3 n2=3 n3=6", "sizes:[3,3,6]"},
      {"M(5,4) source (2,1), one-port", "source:[2,1],ports:one_port"},
      {"source 7", "source:[7]"},
      {"v(5, 3, 4)", "m:5,n:3,r:4"},
      {"(n,r) = (2,3)", "n:2,r:3"},
      {"m = n = r = 3", "m:3,n:3,r:3"},
      {"n'=4", "n:4"},
      {"that state, request input={1, 2}", "input:[1,2]"},
      {"one port", "ports:one_port"},
      {"One-Port", "ports:one_port"},
      {"1000 random requests", "random_requests:1000"},
      {"sizes=[5,7] 2 n", "sizes:[5,7]"},
      {"6 n x 2 r", "n:6,r:2"},
      {"6 n and 2 r", "n:6,r:2"},
      {"n=3, 011 -> 101", "from:011,to:101"},
      {"M of the example, n=2 (the figure network)", "n:2"},
      {"{\"sizes\": [5, 7], \"network\": \"Q4\"}", "sizes:[5,7],network:Q4"}};
  for (const auto& [text, values] : forms) {
    INFO(text << " gives " << read(text));
    CHECK(has(read(text), values));
  }
}

TEST_CASE("parameters that do not fit are all refused, with what is possible", "[claims]") {
  const std::string text = refusal("theorem=9, sizes=[2,4], wombat, sources=3");
  CHECK(has(text, "sample.statement theorem: "));
  CHECK(has(text, "an integer from 1 to 4"));
  CHECK(has(text, "sample.statement sizes"));
  CHECK(has(text, "\"wombat\" is no parameter"));
  CHECK(has(text, "source"));
  CHECK(has(refusal("theorem"), "has no value"));
  CHECK(has(refusal("n4=2"), "a dimension too many"));
  CHECK(has(refusal("theorem 2, 6"), "\"6\" is no parameter"));
  CHECK(has(refusal("5 wombats"), "\"5\" is no parameter"));
  CHECK(has(refusal("5 wombats"), "\"wombats\" is no parameter"));
  CHECK(has(refusal("(n,r)=(2)"), "as many values"));
}

namespace {

Outcome outcome(const std::vector<std::string>& compares,
                const std::vector<std::string>& prints = {}, const std::string& given = "") {
  claims::Statement statement = sample();
  statement.compares = compares;
  statement.prints = prints;
  statement.outcome = given;
  return claims::find(statement, claims::parameters_of(statement, "")).outcome;
}

}  // namespace

TEST_CASE("the outcome follows from the comparisons", "[claims]") {
  CHECK(outcome({"a = 3", "a <= 3", "new = [4, 20]"}) == Outcome::kEquality);
  CHECK(outcome({"a <= 4"}) == Outcome::kHolds);
  CHECK(outcome({"a >= 4"}) == Outcome::kFails);
  CHECK(outcome({"a = 4"}) == Outcome::kFails);
  CHECK(outcome({"new = [4, 21]"}) == Outcome::kFails);
  CHECK(outcome({"a = 3"}, {"a = 4"}) == Outcome::kPageErrs);
  CHECK(outcome({"a = 4"}, {"a = 4"}) == Outcome::kFails);
  CHECK(outcome({"a <= 4"}, {}, "open") == Outcome::kOpen);
  CHECK(outcome({"a <= 2"}, {}, "open") == Outcome::kFails);
  CHECK(outcome({"a <= 2"}, {}, "not shown") == Outcome::kNotShown);
}

TEST_CASE("conditions and sizes of a statement are refused with what is possible", "[claims]") {
  claims::Statement statement = sample();
  statement.needs = {"even(n1)", "P < 100"};
  CHECK_NOTHROW(claims::find(statement, claims::parameters_of(statement, "sizes=4,5")));
  CHECK_THROWS_WITH(claims::find(statement, claims::parameters_of(statement, "sizes=5,50")),
                    Catch::Matchers::Contains("even(n1)") && Catch::Matchers::Contains("P < 100"));
}

TEST_CASE("formulas have the values of arithmetic", "[claims]") {
  const claims::Values values{{"n", 7}, {"list", {3, 1, 2}}};
  const auto value = [&](const std::string& formula) {
    return claims::value_text(claims::evaluate(formula, values));
  };
  CHECK(value("2 + 3*4^2/8 - -1") == "9");
  CHECK(value("ceil(n/2) + floor(n/2)") == "7");
  CHECK(value("ceil(7/3*3) + floor(0.1*3/0.3)") == "8");
  CHECK(value("log(2, 8) + log(2, 9) + log(5, 1)") == "7");
  CHECK(value("C(5, 2) + mod(n, 4)") == "13");
  CHECK(value("[n, 2*n]") == "7 14");
  CHECK(value("list(i, 1, 3, i^2)") == "1 4 9");
  CHECK(value("sum(i, 1, n, i)") == "28");
  CHECK(value("largest(list) - smallest(list) + total(list) + size(list) + at(list, 1)") == "14");
  CHECK(value("if(odd(n), 1, nothing)") == "1");
  CHECK(value("product(list) + ('a word' = 'a word') + ('a' = 'b')") == "7");
  CHECK(value("n >= 7 and not n < 7 or 0") == "yes");
  CHECK(value("list = [3, 1, 2]") == "yes");
  for (const char* wrong : {"", "n +", "(n", "m", "f(n)", "n n", "at(list, 9)", "largest([])"}) {
    INFO(wrong);
    CHECK_THROWS_AS(value(wrong), std::invalid_argument);
  }
}

TEST_CASE("a verdict expects the outcomes that it names, and equality where it says holds",
          "[claims]") {
  claims::Statement statement = sample();
  statement.verdict = "holds with equality";
  CHECK(statement.expects(Outcome::kEquality));
  CHECK_FALSE(statement.expects(Outcome::kHolds));
  CHECK_FALSE(statement.expects(Outcome::kPageErrs));
  statement.verdict = "holds with equality for even n; else it holds";
  CHECK(statement.expects(Outcome::kHolds));
  statement.verdict = "holds for n = 1; else the page errs";
  CHECK(statement.expects(Outcome::kEquality));
  CHECK(statement.expects(Outcome::kPageErrs));
  CHECK_FALSE(statement.expects(Outcome::kFails));
}
