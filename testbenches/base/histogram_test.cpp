// SPDX-License-Identifier: Apache-2.0
#include "base/histogram.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "support/test_catch.h"

using flitcast::Histogram;
using flitcast::Random;

namespace {

/// Values of all magnitudes, small ones first.
std::vector<std::uint64_t> samples(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(random.next() >> random.below(64));
  return values;
}

Histogram histogram_of(const std::vector<std::uint64_t>& values) {
  Histogram histogram;
  for (const std::uint64_t value : values) histogram.add(value);
  return histogram;
}

}  // namespace

TEST_CASE("an empty histogram answers zero", "[base]") {
  const Histogram histogram;
  CHECK(histogram.count() == 0);
  CHECK(histogram.mean() == 0);
  CHECK(histogram.min() == 0);
  CHECK(histogram.max() == 0);
  CHECK(histogram.quantile(0.5) == 0);
}

TEST_CASE("quantiles are exact below 256", "[base]") {
  Histogram histogram;
  for (std::uint64_t value = 0; value < 256; ++value) histogram.add(255 - value);
  CHECK(histogram.quantile(0) == 0);
  CHECK(histogram.quantile(0.5) == 127);   // Rank 128 of 0, 1, ...
  CHECK(histogram.quantile(0.95) == 243);  // Rank ceil(243.2).
  CHECK(histogram.quantile(1) == 255);
  CHECK(histogram.mean() == 127.5);
}

TEST_CASE("every single value is told within 1/128, never too small", "[base]") {
  for (const std::uint64_t value : samples(20'000, 1)) {
    Histogram histogram;
    histogram.add(value);
    histogram.add(~std::uint64_t{0});  // So that the bucket's bound is not clipped to the value.
    const std::uint64_t told = histogram.quantile(0.5);
    INFO(value << " told as " << told);
    REQUIRE(told >= value);
    REQUIRE(told - value <= value / 128);
  }
}

TEST_CASE("quantiles agree with sorting within 1/128", "[base]") {
  std::vector<std::uint64_t> values = samples(5'000, 2);
  const Histogram histogram = histogram_of(values);
  std::sort(values.begin(), values.end());
  for (const double share : {0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * 5'000));
    const std::uint64_t exact = values[rank - 1];
    CHECK(histogram.quantile(share) >= exact);
    CHECK(histogram.quantile(share) - exact <= exact / 128);
  }
  CHECK(histogram.max() == values.back());
  CHECK(histogram.min() == values.front());
}

TEST_CASE("the mean is exact where 64 bits would overflow", "[base]") {
  Histogram histogram;
  for (int i = 0; i < 3; ++i) histogram.add(std::uint64_t{1} << 63);
  CHECK(histogram.mean() == 0x1p63);
}

TEST_CASE("a quantile is never above the maximum", "[base]") {
  Histogram histogram;
  histogram.add(1'000'001);
  CHECK(histogram.quantile(0.99) == 1'000'001);
}

TEST_CASE("merged histograms equal one that saw everything", "[base]") {
  const std::vector<std::uint64_t> values = samples(1'000, 3);
  const Histogram whole = histogram_of(values);
  Histogram merged = histogram_of({values.begin() + 300, values.end()});
  merged.merge(histogram_of({values.begin(), values.begin() + 300}));
  merged.merge(Histogram());
  CHECK(merged.count() == whole.count());
  CHECK(merged.mean() == whole.mean());
  CHECK(merged.min() == whole.min());
  CHECK(merged.max() == whole.max());
  for (int percent = 0; percent <= 100; ++percent) {
    CHECK(merged.quantile(percent / 100.0) == whole.quantile(percent / 100.0));
  }
}

TEST_CASE("central moments are exact below 256 and off by the width of a bucket above", "[base]") {
  CHECK(Histogram().central_moments().second == 0);
  const Histogram even = histogram_of({10, 14, 14, 18});
  CHECK(even.central_moments().second == 8);
  CHECK(even.central_moments().third == 0);
  const Histogram equal = histogram_of({31'875, 31'875, 31'875});
  CHECK(equal.central_moments().second == 0);
  const std::vector<std::uint64_t> values = samples(1'000, 5);
  double mean = 0, second = 0, third = 0;
  for (const std::uint64_t value : values) mean += static_cast<double>(value) / 1000;
  for (const std::uint64_t value : values) {
    const double distance = static_cast<double>(value) - mean;
    second += distance * distance / 1000;
    third += distance * distance * distance / 1000;
  }
  CHECK(histogram_of(values).central_moments().second == Approx(second).epsilon(0.01));
  CHECK(histogram_of(values).central_moments().third == Approx(third).epsilon(0.02));
}
