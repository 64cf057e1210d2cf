// SPDX-License-Identifier: Apache-2.0
#include "stats/batch_means.h"

#include <cmath>
#include <vector>

#include "base/random.h"
#include "support/test_catch.h"

using flitcast::BatchMeans;
using flitcast::Cycle;
using flitcast::Random;

TEST_CASE("the half-width is Student's for ten known means", "[stats]") {
  BatchMeans batches(Cycle{1000}, Cycle{1100});
  for (std::uint64_t i = 0; i < 10; ++i) {  // Batch i has mean i, from two values.
    batches.add(Cycle{1000 + 10 * i}, 2 * i);
    batches.add(Cycle{1009 + 10 * i}, 0);
  }
  // The variance of 0 .. 9 is 82.5 / 9, so the half-width is 2.262157 * sqrt(82.5 / 9 / 10).
  REQUIRE(batches.half_width());
  CHECK(std::abs(*batches.half_width() - 2.16585) < 1e-5);
}

TEST_CASE("an empty batch leaves the half-width open", "[stats]") {
  BatchMeans batches(Cycle{0}, Cycle{100});
  for (std::uint64_t cycle = 0; cycle < 90; ++cycle) batches.add(Cycle{cycle}, 1);
  CHECK_FALSE(batches.half_width());
  batches.add(Cycle{90}, 1);
  CHECK(batches.half_width() == 0.0);
}

TEST_CASE("about 95 of 100 intervals of independent values cover the true mean", "[stats]") {
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    BatchMeans batches(Cycle{0}, Cycle{1000});
    double sum = 0;
    for (std::uint64_t cycle = 0; cycle < 1000; ++cycle) {
      const std::uint64_t value = random.below(101);
      batches.add(Cycle{cycle}, value);
      sum += static_cast<double>(value);
    }
    const double error = sum / 1000 - 50;
    if (std::abs(error) <= *batches.half_width()) ++covered;
  }
  CHECK(covered > 929);  // 950 +- 3 standard deviations of sqrt(1000 * 0.95 * 0.05) = 6.9.
  CHECK(covered < 971);
}

TEST_CASE("merged batches equal batches that saw everything", "[stats]") {
  BatchMeans whole(Cycle{0}, Cycle{100});
  BatchMeans even = whole;
  BatchMeans odd = whole;
  Random random(1);
  for (std::uint64_t cycle = 0; cycle < 100; ++cycle) {
    const std::uint64_t value = random.below(50);
    whole.add(Cycle{cycle}, value);
    (cycle % 2 == 0 ? even : odd).add(Cycle{cycle}, value);
  }
  odd.merge(even);
  CHECK(odd.half_width() == whole.half_width());
}

namespace {

/// Batches with these means, of one value each.
BatchMeans batches_of(const std::vector<std::uint64_t>& means) {
  BatchMeans batches(Cycle{0}, Cycle{10});
  for (std::uint64_t i = 0; i < means.size(); ++i) batches.add(Cycle{i}, means[i]);
  return batches;
}

}  // namespace

TEST_CASE("a first part that differs from the rest is a transient, with its bias", "[stats]") {
  const auto one = batches_of({50, 100, 101, 99, 100, 101, 99, 100, 101, 99}).transient();
  CHECK(one.batches == 1);
  CHECK(one.bias == Approx(0.05));  // The mean is 95 instead of 100.
  const auto high = batches_of({160, 140, 101, 99, 100, 101, 99, 100, 99, 101}).transient();
  CHECK(high.batches == 2);
  CHECK(high.bias == Approx(0.1));
}

TEST_CASE("the rise is that of a straight line through the batches", "[stats]") {
  CHECK(batches_of({0, 10, 20, 30, 40, 50, 60, 70, 80, 90}).rise() == 100.0);
  CHECK(batches_of({7, 7, 7, 7, 7, 7, 7, 7, 7, 7}).rise() == 0.0);
  CHECK_FALSE(batches_of({7, 7}).rise());
}

TEST_CASE("a rising or an even sequence has no transient that chance does not explain", "[stats]") {
  CHECK(batches_of({10, 20, 30, 40, 50, 60, 70, 80, 90, 100}).transient().batches == 0);
  CHECK(batches_of({7, 7, 7, 7, 7, 7, 7, 7, 7, 7}).transient().batches == 0);
  CHECK(batches_of({7, 7, 7}).transient().batches == 0);  // The other batches are empty.
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    std::vector<std::uint64_t> means;
    for (int i = 0; i < 10; ++i) {  // The sum of twelve is nearly normal.
      std::uint64_t mean = 100000;
      for (int k = 0; k < 12; ++k) mean += random.below(1000);
      means.push_back(mean);
    }
    found += batches_of(means).transient().batches != 0;
  }
  CHECK(found < 10);  // Three tests at 99.9 % each, which are not independent.
}

TEST_CASE("batches of a window that is made longer are those of the longer one", "[stats]") {
  for (const std::uint64_t span : {100, 107, 1000}) {
    Random random(span);
    BatchMeans longer(Cycle{50}, Cycle{50 + 4 * span});
    BatchMeans widened(Cycle{50}, Cycle{50 + span});
    for (std::uint64_t cycle = 0; cycle < 4 * span; ++cycle) {
      if (cycle == span || cycle == 2 * span) widened.widen();
      const std::uint64_t value = random.below(100);
      longer.add(Cycle{50 + cycle}, value);
      widened.add(Cycle{50 + cycle}, value);
    }
    CHECK(widened.half_width() == longer.half_width());
    CHECK(widened.rise() == longer.rise());
  }
}
