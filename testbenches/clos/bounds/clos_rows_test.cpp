// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/clos_bound_rows.h"
#include "conformance/clos_controller_rows.h"
#include "conformance/clos_crosspoint_rows.h"
#include "conformance/clos_join_leave_rows.h"
#include "conformance/clos_lemma1_rows.h"
#include "conformance/clos_minimum_rows.h"
#include "conformance/clos_params.h"
#include "conformance/clos_strategy_rows.h"
#include "conformance/clos_traffic_rows.h"
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

TEST_CASE("a wrong figure is reported with the expected and the computed value", "[conformance]") {
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

namespace {

/// One passing row of every kind in the table of Clos networks.
struct Sample {
  Verdict (*check)(const Row& row, Level level);
  std::string kind;
  std::string params;
  std::string expected;

  Verdict assess(const std::string& more = "") const {
    return check(row_of(kind, params + more, expected), Level::kStep);
  }
};

const std::vector<Sample> kSamples{
    {clos_bound_row, "m_thm3", "n=4 r=125", "m=25 x=3"},
    {clos_bound_row, "m_cor1", "n=8 d=9", "m=36 x=2"},
    {clos_bound_row, "m_asym", "n1=2 n2=8 r2=16", "m=18 x=5"},
    {clos_bound_row, "m_refined", "n=4 r=16", "m=15 x=3"},
    {clos_bound_row, "m_multirate", "n=4 r=8 b=3/10", "m=44 x=2"},
    {clos_bound_row, "m_multirate_asym", "n1=3 n2=4 r2=8 b=1/2", "m=25 x=2"},
    {clos_crosspoint_row, "crosspoints", "N=64 k=2 rule=thm3 n|N", "C=10736"},
    {clos_controller_row, "controller", "m=5 r=3 I=7 avail=16 M=4,6,0,7,3",
     "2:7 passes=1 SC=18 SA=8 PC=6 PA=3"},
    {clos_strategy_row, "strategy", "m=4 r=4 I=f avail=all M=5,f,b,0", "S1=3:f FF=0:a+2:4+3:1"},
    {clos_traffic_row, "g1", "n=4 r=4 m=4 strategy=S1 seed=42 events=1000 fmax=4 pconn=75",
     "maxpass=2"},
    {clos_traffic_row, "g2", "n=3 r=3 m=3 W=4 bmin=1 wmax=4 seed=7 events=2000 pconn=75",
     "requests=1194 blocked=377 maxpass=2 l2sum=21"},
    {clos_traffic_row, "blocking_trace", "n=2 r=3 m=3 strategy=S1",
     "C 0 0 = 0:1; C 2 2,4 = 0:6; C 4 3 = 1:2; C 5 5 = 2:4; D 2; C 1 2,4 = 1:4 2:2; D 0; C 2 0 = "
     "0:1; C 0 1 = B"},
    {clos_minimum_row, "min_m", "n=2 r=2 strategy=S1 (exhaustive)", "m=3"},
    {clos_minimum_row, "min_m", "n=2 r=2 strategy=any strategy (exhaustive)", "m=3"},
    {clos_minimum_row, "min_m", "n=2 r=2 strategy=S1 with leave events, adversarial ties", "m=3"},
    {clos_minimum_row, "rearrangeable", "n=2 r=2 multicast (exhaustive)", "m=2"},
    {clos_lemma1_row, "lemma1",
     "n=4 m=7 x=1 r=24 I=f,74,a9,d2 M=1f11,e122,702a4,19044a,622848,ac4011,d09084",
     "S1 and S2: M_j alone on middle j; I_1..I_3 use 2 each; I_4 blocked"},
    {clos_join_leave_row, "joinleave_trace", "n=3 r=4 m=6 strategy=S1 join=incremental",
     "C 0 6,9 = 0:c; L 0 9 = link-freed | M=4,0,0,0,0,0"},
};

}  // namespace

TEST_CASE("a row of the Clos table with a word that is not understood is no instance",
          "[conformance]") {
  for (const Sample& sample : kSamples) {
    INFO(sample.kind << ": " << sample.params);
    CHECK(passed(sample.assess()));
    for (const char* more : {" with faults", " c=2", ", one by one", " (at random)"}) {
      INFO(more);
      CHECK_THROWS_AS(sample.assess(more), std::invalid_argument);
    }
  }
}

TEST_CASE("a figure that is not understood is no figure that agrees", "[conformance]") {
  for (const Sample& sample : kSamples) {
    // These rows hold traces and claims.
    if (sample.expected.find(';') != std::string::npos) continue;
    Sample more = sample;
    more.expected += " joules=3";
    INFO(sample.kind);
    CHECK_THROWS_AS(more.assess(), std::invalid_argument);
  }
}

// Sizes at which the options change the minimum take seconds and more, so the test distinguishes
// the rows by the words that they refuse.
TEST_CASE("rows on members that leave and on open ties are computed accordingly", "[conformance]") {
  const auto verify = [](const std::string& strategy, const std::string& more) {
    return Sample{clos_minimum_row, "min_m", "n=2 r=2 strategy=" + strategy + more, "m=3"}.assess();
  };
  CHECK(passed(verify("SPREAD", " with leave events")));
  CHECK_THROWS_WITH(verify("SPREAD", " adversarial ties"), Catch::Contains("has no ties"));
  CHECK_THROWS_WITH(verify("any strategy", " with leave events, adversarial ties"),
                    Catch::Contains("has no ties"));
  CHECK(passed(verify("S2", " (exhaustive) with leave events, adversarial ties")));
}
