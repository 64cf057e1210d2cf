// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "clos/bounds/designs.h"
#include "clos/bounds/theorems.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

struct Range {
  double least = 1e30;
  double most = 0;
};

/// Rounds to one decimal, as ranges are printed.
double rounded(double value) { return std::round(value * 10) / 10; }

bool equal(const Exponent& exponent, unsigned numerator, unsigned denominator) {
  return exponent.numerator == numerator && exponent.denominator == denominator;
}

}  // namespace

TEST_CASE("plans stay within the measured factors of Theorem 5", "[clos]") {
  CrosspointPlans plans(find(middle_rules(), "thm3")->make);
  Range ranges[3];
  for (std::uint64_t ports = 1 << 8; ports <= 1 << 24; ports *= 2) {
    for (unsigned k = 1; k <= 3; ++k) {
      const double ratio =
          static_cast<double>(plans.at(ports, k).crosspoints) / theorem5_growth(ports, k);
      Range& range = ranges[k - 1];
      range = {std::min(range.least, ratio), std::max(range.most, ratio)};
    }
  }
  const Range expected[] = {{4.8, 5.2}, {8.2, 11.0}, {8.9, 15.8}};
  for (unsigned k = 1; k <= 3; ++k) {
    INFO("k " << k << ": " << ranges[k - 1].least << " to " << ranges[k - 1].most);
    CHECK(rounded(ranges[k - 1].least) == expected[k - 1].least);
    CHECK(rounded(ranges[k - 1].most) == expected[k - 1].most);
  }
}

TEST_CASE("the powers of Theorem 5 are 3/2, 4/3, 5/4 and 1, 5/3, 9/4", "[clos]") {
  CHECK(equal(theorem5_power(1), 3, 2));
  CHECK(equal(theorem5_power(2), 4, 3));
  CHECK(equal(theorem5_power(3), 5, 4));
  CHECK(equal(theorem5_log_power(1), 1, 1));
  CHECK(equal(theorem5_log_power(2), 5, 3));
  CHECK(equal(theorem5_log_power(3), 9, 4));
}

TEST_CASE("a fixed limit of 3 passes grows no slower than Masson's network", "[clos]") {
  CHECK(equal(fixed_limit_power(1), 2, 1));
  CHECK(equal(fixed_limit_power(3), 5, 3));
  CHECK(equal(fixed_limit_power(4), 13, 8));
}

TEST_CASE("of the constructive three-stage networks this design has the smallest power", "[clos]") {
  const auto power = [](const CrosspointGrowth& growth) {
    return static_cast<double>(growth.power.numerator) / growth.power.denominator;
  };
  std::size_t compared = 0;
  for (const CrosspointGrowth& growth : crosspoint_growths()) {
    if (!growth.constructive || growth.stages != 3) continue;
    ++compared;
    CHECK((growth.design == "Yang and Masson" ? power(growth) == 1.5 : power(growth) > 1.5));
  }
  CHECK(compared == 4);
}

TEST_CASE("growth is refused where its logarithms are not positive", "[clos]") {
  CHECK_THROWS_AS(theorem5_growth(2, 1), std::invalid_argument);
  CHECK_THROWS_AS(theorem5_growth(16, 0), std::invalid_argument);
  CHECK_THROWS_AS(fixed_limit_power(0), std::invalid_argument);
}
