// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>
#include <vector>

#include "clos/bounds/bounds.h"
#include "clos/bounds/designs.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

struct PlanLine {
  std::uint64_t ports;
  std::vector<std::uint64_t> crosspoints;  ///< Crosspoints for k = 0, 1, 2, 3.
  std::vector<std::string> plans;
};

const std::vector<PlanLine> kPlanTable{
    {16, {256, 624, 1040, 4160}, {"", "(4,4,13)", "(4,4,13) (2,2,4)", "(2,8,10) (2,4,6) (2,2,4)"}},
    {64,
     {4096, 6528, 10736, 17408},
     {"", "(4,16,17)", "(16,4,61) (2,2,4)", "(8,8,34) (2,4,6) (2,2,4)"}},
    {256,
     {65536, 63744, 94288, 128816},
     {"", "(16,16,83)", "(16,16,83) (4,4,13)", "(16,16,83) (4,4,13) (2,2,4)"}},
    {1024,
     {1048576, 589824, 761856, 1016832},
     {"", "(32,32,192)", "(32,32,192) (4,8,15)", "(32,32,192) (8,4,29) (2,2,4)"}},
    {4096,
     {16777216, 5296128, 6344320, 8157968},
     {"", "(64,64,431)", "(64,64,431) (4,16,17)", "(64,64,431) (16,4,61) (2,2,4)"}},
    {16384,
     {268435456, 46006272, 48738560, 61281792},
     {"", "(128,128,936)", "(64,256,505) (16,16,83)", "(128,128,936) (16,8,73) (2,4,6)"}},
    {32768,
     {1073741824, 133300224, 131477760, 162541008},
     {"", "(128,256,1017)", "(128,256,1017) (16,16,83)", "(128,256,1017) (16,16,83) (4,4,13)"}},
    {65536,
     {4294967296, 401276928, 346615808, 436443392},
     {"", "(256,256,2041)", "(128,512,1078) (16,32,93)", "(128,512,1078) (16,32,93) (4,8,15)"}},
    {1048576,
     {1099511627776, 28965863424, 18736054272, 21255713280},
     {"", "(1024,1024,9208)", "(512,2048,4887) (32,64,212)",
      "(512,2048,4887) (32,64,212) (4,16,17)"}},
};

/// The recursion in its simplest form; 0 if there is no plan.
std::uint64_t fewest(std::uint64_t ports, std::size_t k) {
  if (k == 0) return ports * ports;
  std::uint64_t best = 0;
  for (std::uint64_t n = 2; n < ports; ++n) {
    if (ports % n != 0) continue;
    const std::uint64_t inner = fewest(ports / n, k - 1);
    if (inner == 0) continue;
    const std::uint64_t m = theorem3(n, ports / n).m;
    const std::uint64_t crosspoints = 2 * ports * m + m * inner;
    if (best == 0 || crosspoints < best) best = crosspoints;
  }
  return best;
}

CrosspointPlans by(const std::string& rule) {
  return CrosspointPlans(find(middle_rules(), rule)->make);
}

}  // namespace

TEST_CASE("crosspoints and plans by Theorem 3 are those of the table", "[clos]") {
  CrosspointPlans plans = by("thm3");
  for (const PlanLine& line : kPlanTable) {
    for (std::size_t k = 0; k <= 3; ++k) {
      const CrosspointPlan plan = plans.at(line.ports, k);
      INFO("N " << line.ports << ", k " << k);
      CHECK(plan.crosspoints == line.crosspoints[k]);
      CHECK(to_text(plan) == line.plans[k]);
    }
  }
}

TEST_CASE("a plan costs no more than any plan that the recursion can reach", "[clos]") {
  CrosspointPlans plans = by("thm3");
  for (std::uint64_t ports = 1; ports <= 400; ++ports) {
    for (std::size_t k = 0; k <= 4; ++k) {
      const std::optional<CrosspointPlan> plan = plans.find(ports, k);
      INFO("N " << ports << ", k " << k);
      REQUIRE((plan ? plan->crosspoints : 0) == fewest(ports, k));
    }
  }
}

TEST_CASE("the crosspoints of a plan are those of its levels", "[clos]") {
  for (const std::string rule : {"thm3", "refined", "permutation"}) {
    const CrosspointPlan plan = by(rule).at(6912, 3);
    std::uint64_t crosspoints = plan.levels.back().r * plan.levels.back().r;
    std::uint64_t ports = plan.levels.back().r;
    for (std::size_t level = plan.levels.size(); level-- > 0;) {
      CHECK(plan.levels[level].r == ports);
      ports *= plan.levels[level].n;
      crosspoints = plan.levels[level].middles.m * (2 * ports + crosspoints);
    }
    CHECK(ports == 6912);
    CHECK(crosspoints == plan.crosspoints);
  }
}

TEST_CASE("rules differ: 589824, 562176 and 190464 crosspoints for 1024 ports", "[clos]") {
  CHECK(by("thm3").at(1024, 1).crosspoints == 589824);
  const CrosspointPlan refined = by("refined").at(1024, 1);
  CHECK(refined.crosspoints == 562176);
  CHECK(to_text(refined) == "(32,32,183)");
  const CrosspointPlan permutation = by("permutation").at(1024, 1);
  CHECK(permutation.crosspoints == 190464);
  CHECK(to_text(permutation) == "(16,64,31)");
}

TEST_CASE("three stages first beat the crossbar at N = 228", "[clos]") {
  CrosspointPlans plans = by("thm3");
  for (std::uint64_t ports = 4; ports < 228; ++ports) {
    const std::optional<CrosspointPlan> plan = plans.find(ports, 1);
    if (plan) REQUIRE(plan->crosspoints >= ports * ports);
  }
  CHECK(plans.at(228, 1).crosspoints == 51471);
  CHECK(plans.at(228, 1).crosspoints < 228 * 228);
}

TEST_CASE("five stages beat three from 32768 on, seven never beat five up to 2^20", "[clos]") {
  CrosspointPlans plans = by("thm3");
  for (std::uint64_t ports = 16; ports <= 1 << 20; ports *= 2) {
    const std::uint64_t three = plans.at(ports, 1).crosspoints;
    const std::uint64_t five = plans.at(ports, 2).crosspoints;
    INFO("N " << ports);
    CHECK((three < ports * ports) == (ports >= 256));
    CHECK((five < three) == (ports >= 32768));
    CHECK(plans.at(ports, 3).crosspoints > five);
  }
}

TEST_CASE("of plans of equal cost the one with the smallest n is taken", "[clos]") {
  // 16 middle switches for n = 2 and 21 for n = 3 of 6 ports cost the same.
  const MiddleRule even = [](std::uint64_t n, std::uint64_t) {
    return Bound{n == 2 ? std::uint64_t{16} : std::uint64_t{21}, 1};
  };
  const CrosspointPlan plan = CrosspointPlans(even).at(6, 1);
  CHECK(plan.crosspoints == 16 * (12 + 9));
  CHECK(plan.crosspoints == 21 * (12 + 4));
  CHECK(to_text(plan) == "(2,3,16)");
}

TEST_CASE("ports with too few prime factors have no plan, and the message says so", "[clos]") {
  CrosspointPlans plans = by("thm3");
  CHECK_FALSE(plans.find(7, 1).has_value());
  CHECK_FALSE(plans.find(1, 1).has_value());
  CHECK_FALSE(plans.find(6, 2).has_value());
  CHECK(plans.find(8, 2).has_value());
  CHECK(plans.at(7, 0).crosspoints == 49);
  CHECK_THROWS_WITH(plans.at(7, 1), Catch::Matchers::StartsWith("7 ports make no 3-stage network: "
                                                                "7 is a prime"));
  CHECK_THROWS_AS(plans.at(6, 2), std::invalid_argument);
  CHECK_THROWS_AS(plans.at(0, 1), std::invalid_argument);
  CHECK_THROWS_AS(plans.at((std::uint64_t{1} << 32) + 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(plans.at(std::uint64_t{1} << 32, 0), std::overflow_error);
}

TEST_CASE("numbers with many divisors up to 2^24 and beyond are planned at once", "[clos]") {
  CrosspointPlans plans = by("thm3");
  CHECK(plans.at(14414400, 3).levels.size() == 3);  // It has 504 divisors, the most below 2^24.
  CHECK(plans.at(std::uint64_t{1} << 24, 3).levels.size() == 3);
  // The cheapest plan fits in 64 bits although other plans and the crossbar do not.
  CHECK(plans.at(std::uint64_t{1} << 32, 3).crosspoints < (std::uint64_t{1} << 51));
}
