// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "stats/mean_interval.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// The density of Student's t for some degrees of freedom.
double density(double t, double degrees) {
  const double pi = std::acos(-1);
  return std::exp(std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2)) /
         std::sqrt(degrees * pi) * std::pow(1 + t * t / degrees, -(degrees + 1) / 2);
}

/// The integral from 0 to t, by Simpson's rule.
double share_up_to(double t, double degrees) {
  constexpr int kSteps = 20000;
  const double step = t / kSteps;
  double sum = density(0, degrees) + density(t, degrees);
  for (int i = 1; i < kSteps; ++i) sum += (i % 2 == 1 ? 4 : 2) * density(i * step, degrees);
  return sum * step / 3;
}

}  // namespace

TEST_CASE("Student's 97.5 % points cut the integral of the density there", "[stats]") {
  double before = 13;
  for (std::size_t degrees = 1; degrees <= 200; ++degrees) {
    INFO(degrees << " degrees of freedom");
    const double t = student_95(degrees);
    CHECK(std::abs(share_up_to(t, static_cast<double>(degrees)) - 0.475) < 1e-7);
    CHECK(t < before);
    before = t;
  }
}

TEST_CASE("an interval is that of the mean, and a single value has none", "[stats]") {
  CHECK_FALSE(half_width_95({}).has_value());
  CHECK_FALSE(half_width_95({3}).has_value());
  CHECK(half_width_95({3, 3, 3}) == 0);
  // The standard deviation is sqrt 2, divided by sqrt 2.
  CHECK(std::abs(*half_width_95({1, 3}) - 12.706205) < 1e-9);
  CHECK(mean_of({1, 3, 8}) == 4);
}
