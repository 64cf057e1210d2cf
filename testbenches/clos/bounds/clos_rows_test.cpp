// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>

#include "conformance/clos_bound_rows.h"
#include "conformance/clos_crosspoint_rows.h"
#include "conformance/clos_params.h"
#include "support/test_catch.h"

using namespace flitcast::conformance;

namespace {

Row row_of(const std::string& kind, const std::string& params, const std::string& expected) {
  return {1, {{"kind", kind}, {"params", params}, {"expected", expected}}};
}

Verdict bound(const std::string& kind, const std::string& params, const std::string& expected) {
  return clos_bound_row(row_of(kind, params, expected), Level::kBoth);
}

Verdict crosspoints(const std::string& params, const std::string& expected) {
  return clos_crosspoint_row(row_of("crosspoints", params, expected), Level::kBoth);
}

bool passed(const Verdict& verdict) { return verdict.kind == Verdict::Kind::kPassed; }

}  // namespace

TEST_CASE("a row of every kind of bound is recomputed", "[conformance]") {
  CHECK(passed(bound("m_thm3", "n=4 r=125", "m=25 x=3")));
  CHECK(passed(bound("m_cor1", "n=8 d=9", "m=36 x=2")));
  CHECK(passed(bound("m_asym", "n1=2 n2=8 r2=16", "m=18 x=5")));
  CHECK(passed(bound("m_refined", "n=4 r=16", "m=15 x=3 snb=49 n2=16")));
  CHECK(passed(bound("m_multirate", "n=4 r=8 b=3/10", "m=44 x=2 unicast=19")));
  CHECK(passed(bound("m_multirate_asym", "n1=3 n2=4 r2=8 b=1/2", "m=25 x=2")));
}

TEST_CASE("a wrong figure is named with what was expected and what came out", "[conformance]") {
  const Verdict verdict = bound("m_refined", "n=4 r=16", "m=15 x=2 snb=49 n2=15");
  REQUIRE(verdict.differences.size() == 2);
  CHECK(verdict.differences[0].what == "x");
  CHECK(verdict.differences[0].expected == "2");
  CHECK(verdict.differences[0].got == "3");
  CHECK(verdict.differences[1].what == "n2");
}

TEST_CASE("bound rows that describe nothing are refused", "[conformance]") {
  CHECK_THROWS_AS(bound("m_guess", "n=4 r=16", "m=1"), std::invalid_argument);
  CHECK_THROWS_AS(bound("m_thm3", "n=4", "m=1"), std::invalid_argument);
  CHECK_THROWS_AS(bound("m_thm3", "n=4 r=-1", "m=1"), std::invalid_argument);
  CHECK_THROWS_AS(bound("m_thm3", "n=4 r=16", ""), std::invalid_argument);
  CHECK_THROWS_AS(bound("m_thm3", "n=4 r=16", "m=17 y=3"), std::invalid_argument);
  CHECK_THROWS_AS(bound("m_multirate", "n=4 r=16 b=2", "m=17"), std::invalid_argument);
}

TEST_CASE("a plan is compared level by level, a crossbar has none", "[conformance]") {
  const std::string params = "N=64 k=2 rule=thm3 n|N";
  CHECK(passed(crosspoints(params, "C=10736 plan=(16,4,61) (2,2,4)")));
  CHECK(passed(crosspoints(params, "C=10736")));
  CHECK(passed(crosspoints("N=64 k=0 rule=thm3 n|N", "C=4096 plan=")));
  CHECK(passed(crosspoints("N=1024 k=1 rule=refined n|N", "C=562176 plan=(32,32,183)")));
  CHECK_FALSE(passed(crosspoints(params, "C=10735 plan=(16,4,61) (2,2,4)")));
  const Verdict verdict = crosspoints(params, "C=10736 plan=(16,4,61)");
  REQUIRE(verdict.differences.size() == 1);
  CHECK(verdict.differences[0].got == "(16,4,61) (2,2,4)");
  CHECK_THROWS_AS(crosspoints("N=7 k=1 rule=thm3", "C=49"), std::invalid_argument);
  CHECK_THROWS_AS(crosspoints("N=16 k=1 rule=guess", "C=624"), std::invalid_argument);
}

TEST_CASE("words of a field are read by key, bare words by themselves", "[conformance]") {
  const ClosParams params("n=4  seed=18446744073709551615 M=3,f,0 rule=thm3 n|N");
  CHECK(params.size("n") == 4);
  CHECK(params.count("seed") == ~std::uint64_t{0});
  CHECK(params.has("n|N"));
  CHECK_FALSE(params.has("r"));
  CHECK(params.masks("M", 4).size() == 3);
  CHECK(params.masks("M", 4)[0] == flitcast::from_hex("3", 4));
  CHECK_THROWS_AS(params.masks("M", 3), std::invalid_argument);
  CHECK_THROWS_AS(params.text("r"), std::invalid_argument);
  CHECK_THROWS_AS(params.size("seed"), std::invalid_argument);
  CHECK_THROWS_AS(ClosParams("n=18446744073709551616").count("n"), std::invalid_argument);
  CHECK_THROWS_AS(ClosParams("n=").count("n"), std::invalid_argument);
  CHECK_THROWS_AS(ClosParams("n=4 n=5"), std::invalid_argument);
}
