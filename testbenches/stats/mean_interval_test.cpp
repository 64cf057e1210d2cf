// SPDX-License-Identifier: Apache-2.0
#include "stats/mean_interval.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Unknown = MeanInterval::Unknown;

constexpr std::uint64_t kSpan = 100;  // Cycles of a span.
constexpr std::uint64_t kCycles = LatencySpans::kSpans * kSpan;
/// Traffic whose relaxation time is determined by the waits alone.
constexpr TrafficScale kUnit{1, 0};

/// Latencies of a window with their spans and histogram.
struct Latencies {
  explicit Latencies(std::uint64_t cycles = kCycles) : window(Cycle{1000}, cycles) {}

  void add(std::uint64_t cycle, std::uint64_t latency) {
    spans.add(window, Cycle{1000 + cycle}, latency);
    histogram.add(latency);
  }
  MeanInterval interval(double wait_variance = 0, const TrafficScale& traffic = kUnit) const {
    return {window, spans, histogram, wait_variance, traffic};
  }

  Window window;
  LatencySpans spans;
  Histogram histogram;
};

/// The latencies of 100 packets in every span, as a function of span and packet.
template <class Latency>
Latencies in_all_spans(Latency&& latency) {
  Latencies all;
  for (std::uint64_t cycle = 0; cycle < kCycles; ++cycle) {
    all.add(cycle, latency(cycle / kSpan, cycle % kSpan));
  }
  return all;
}

std::string reason(const MeanInterval& interval) { return to_text(interval.unknown); }

}  // namespace

TEST_CASE(
    "equal latencies have an interval of packets that a window can lack, and no relaxation time",
    "[stats]") {
  const Latencies all = in_all_spans([](auto, auto) { return 40; });
  const MeanInterval interval = all.interval(0, {5, 1e6, 8});
  // Packets that hold a channel for 8 cycles, of which there are fewer than 3 in a window on
  // average.
  CHECK(interval.half_width == 3.0 * 8 / kCycles);
  CHECK(interval.relaxation == 0);
}

TEST_CASE("spans that cancel in every group leave an interval of packets that a window can lack",
          "[stats]") {
  const Latencies all = in_all_spans([](auto span, auto) { return span % 2 == 0 ? 9 : 11; });
  CHECK(all.interval().half_width == 3.0 / kCycles);
}

// With z = 1 in the first half and -1 in the second, 14 of 15 products of neighbours are 1 and one
// is -1: r = 13/16 + 1/16.
TEST_CASE("spans that differ between the halves of a window are correlated", "[stats]") {
  const Latencies all = in_all_spans([](auto span, auto) { return span < 32 ? 41 : 39; });
  const MeanInterval interval = all.interval();
  CHECK(reason(interval) == "correlated spans");
  CHECK(interval.correlation == 0.8);
  CHECK(interval.is_settled());
}

TEST_CASE("fewer than 100 packets, or a sixteenth without one, are few", "[stats]") {
  Latencies few(6400);
  for (std::uint64_t i = 0; i < 99; ++i) few.add(i * 64, 40 + i % 3);
  CHECK(reason(few.interval()) == "few packets");
  CHECK(few.interval().sufficient_window() == 13000);  // 200 packets.
  few.add(6399, 40);
  CHECK(few.interval().half_width);
  Latencies gap(6400);
  for (std::uint64_t i = 0; i < 6000; ++i) gap.add(i, 40 + i % 3);
  CHECK(reason(gap.interval()) == "few packets");
}

TEST_CASE("an interval is stated from 40 relaxation times on", "[stats]") {
  const Latencies all = in_all_spans([](auto, auto packet) { return 40 + packet % 5; });
  const auto of = [&](double relaxations) { return all.interval(0, {1, kCycles / relaxations}); };
  CHECK(reason(of(39.9)) == "short window");
  CHECK(of(39.9).sufficient_window() == 13000);  // 80 of 160.4 cycles, of two digits.
  CHECK(of(40.1).half_width);
  CHECK(of(10).sufficient_window() == 52000);
  // The same by the variance of the waits: 4 v / L.
  CHECK(reason(all.interval(401, {10, 0})) == "short window");
  CHECK(all.interval(399, {10, 0}).half_width);
}

TEST_CASE("a window that is advised for a precision is that of correlated waits and of latencies",
          "[stats]") {
  // Latencies of 40 to 44 cycles, their mean is 42 and their variance 2; a window of 10 relaxation
  // times states no interval.
  const Latencies all = in_all_spans([](auto, auto packet) { return 40 + packet % 5; });
  const double relaxation = kCycles / 10.0;
  for (const double waits : {0.0, 1.5}) {
    const MeanInterval interval = all.interval(waits, {1, relaxation});
    REQUIRE_FALSE(interval.half_width);
    // The square of the half-width is 8 t v / W for correlated waits of variance v and 4 * 2 / n
    // for one packet in each cycle; twice the window is advised, or 80 t.
    const auto window = [&](double half_width) {
      return 2 * (8 * relaxation * waits + 4 * 2) / (half_width * half_width);
    };
    CHECK(interval.sufficient_window(0.0001) == Approx(window(0.0042)).epsilon(0.06));
    CHECK(interval.sufficient_window(0.5) == 52000);
  }
}

TEST_CASE("a half-width that is too wide for a precision asks for the square of the ratio, twice",
          "[stats]") {
  const Latencies all = in_all_spans([](auto span, auto packet) {
    return 100 + 20 * (packet % 2) + 2 * static_cast<int>(span * 7 % 13 % 3);
  });
  const MeanInterval interval = all.interval();
  REQUIRE(interval.half_width);
  const double widest = 0.0005 * all.histogram.mean();
  const double ratio = *interval.half_width / widest;
  REQUIRE(ratio > 1);
  CHECK(interval.sufficient_window(0.0005) == Approx(2 * kCycles * ratio * ratio).epsilon(0.06));
}

TEST_CASE("the relaxation time is the longest of waits, skewness, load and bursts", "[stats]") {
  const Latencies even = in_all_spans([](auto, auto packet) { return 40 + packet % 5; });
  CHECK(even.interval(10, {5, 0}).relaxation == 4 * 10.0 / 5);
  CHECK(TrafficScale::of(5, 0.9, 0, 8).slowest == Approx(0.9 * 5 / 0.01));
  CHECK(TrafficScale::of(5, 0.9, 700, 8).slowest == 700);
  CHECK(TrafficScale::of(5, 1.0, 0, 8).slowest == 0);
  CHECK(TrafficScale::of(5, 1.0, 0, 8).longest_service == 8);
  // One packet of 100 takes 1000 cycles more: the moments are p (1-p) d^2 and p (1-p) (1-2p) d^3.
  const Latencies rare = in_all_spans([](auto, auto packet) { return packet == 0 ? 1050 : 50; });
  const double skew = 0.98 * 1000;
  CHECK(rare.interval(0, {2, 0}).relaxation == Approx(skew * skew / 2).epsilon(0.01));
}

// Groups of 4 spans deviate by d, of which neighbours are independent by their signs.
TEST_CASE("the half-width is that of the definition, the larger of 16 and 8 groups", "[stats]") {
  const int signs[] = {1, 1, -1, 1, -1, -1, 1, -1, -1, 1, 1, -1, 1, 1, -1, -1};
  const Latencies all = in_all_spans(
      [&](auto span, auto packet) { return 100 + 20 * (packet % 2) + 2 * signs[span / 4]; });
  const double count = 6400, mean = 110, deviation = std::sqrt(100 + 4.0);
  const auto half_width = [&](int groups, double student) {
    double squares = 0, products = 0, last = 0;
    for (int g = 0; g < groups; ++g) {
      double rest = 0;
      for (int i = 0; i < 16 / groups; ++i) rest += 400 * 2 * signs[g * 16 / groups + i];
      squares += rest * rest;
      products += last * rest;
      last = rest;
    }
    const double r = std::clamp(products / squares + 1.0 / groups, 0.0, 0.8);
    return student * std::sqrt(squares * groups / (groups - 1.0) * (1 + r) / (1 - r)) / count;
  };
  const double h = std::max(half_width(16, 2.131450), half_width(8, 2.364624));
  CHECK(all.histogram.mean() == mean);
  REQUIRE(all.interval().half_width);
  CHECK(*all.interval().half_width == Approx(h / (1 - h / deviation)));
}

TEST_CASE("an interval as wide as the latencies scatter is not stated", "[stats]") {
  // Eighths of the window alternate: their standard error is 0.89 standard deviations.
  const Latencies all = in_all_spans([](auto span, auto) { return span / 8 % 2 == 0 ? 40 : 60; });
  CHECK(reason(all.interval()) == "wide");
  CHECK(all.interval().sufficient_window() == 13000);  // Twice the window.
}

TEST_CASE("the mean is that of the packets where spans have unequal numbers of them", "[stats]") {
  Latencies all;
  for (std::uint64_t cycle = 0; cycle < kCycles; ++cycle) {
    // Every second span has one packet of 10, the others have 99 of 20.
    const bool full = cycle / kSpan % 2 == 1;
    if (full ? cycle % kSpan != 0 : cycle % kSpan == 0) all.add(cycle, full ? 20 : 10);
  }
  CHECK(all.histogram.mean() == 19.9);
  const auto count = static_cast<double>(all.histogram.count());
  CHECK(all.interval().half_width == 3 / count);  // Each group has the same share of both.
}

TEST_CASE("merged latencies are the same bits in any order of partitions", "[stats]") {
  Random random(3);
  Latencies whole;
  std::vector<Latencies> parts(7);
  for (std::uint64_t cycle = 0; cycle < kCycles; ++cycle) {
    const std::uint64_t latency = 20 + random.below(500);
    whole.add(cycle, latency);
    parts[random.below(7)].add(cycle, latency);
  }
  for (const bool forwards : {true, false}) {
    Latencies merged;
    for (std::size_t i = 0; i < 7; ++i) {
      const Latencies& part = parts[forwards ? i : 6 - i];
      merged.spans.merge(part.spans);
      merged.histogram.merge(part.histogram);
    }
    REQUIRE(merged.interval().half_width);
    CHECK(merged.interval().half_width == whole.interval().half_width);
    CHECK(merged.interval().relaxation == whole.interval().relaxation);
  }
}

TEST_CASE("a window that is doubled to its whole length equals the whole window", "[stats]") {
  for (const std::uint64_t cycles : {6400, 6421, 10007}) {
    Random random(cycles);
    Latencies whole(cycles);
    Latencies part(cycles);
    part.window = Window(Cycle{1000}, cycles, 4);
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
      if (Cycle{1000 + cycle} == part.window.end()) {
        part.window.widen();
        part.spans.widen();
      }
      const std::uint64_t latency = 20 + random.below(50);
      whole.add(cycle, latency);
      part.add(cycle, latency);
    }
    CHECK(part.window.is_whole());
    CHECK(part.window.end() == whole.window.end());
    CHECK(part.interval().half_width == whole.interval().half_width);
  }
}

namespace {

/// Spans with these means of 16 groups.
LatencySpans spans_of(const std::vector<std::uint64_t>& means) {
  Latencies all(means.size());
  for (std::uint64_t i = 0; i < means.size(); ++i) all.add(i, means[i]);
  return all.spans;
}

}  // namespace

TEST_CASE("a first part that differs from the rest is a transient, with its bias", "[stats]") {
  const Transient one = transient_of(
      spans_of({20, 100, 101, 99, 100, 101, 99, 100, 101, 99, 100, 101, 99, 100, 101, 99}), 0);
  CHECK(one.share == 1 / 16.0);
  CHECK(one.bias == Approx(0.05));  // The mean is 95 instead of 100.
  const Transient high = transient_of(
      spans_of({190, 170, 101, 99, 100, 101, 99, 100, 99, 101, 100, 100, 101, 99, 101, 99}), 0);
  CHECK(high.share == 2 / 16.0);
  CHECK(high.bias == Approx(0.1));
}

TEST_CASE("a rising or an even sequence has no transient that chance does not explain", "[stats]") {
  std::vector<std::uint64_t> rising;
  for (std::uint64_t i = 1; i <= 16; ++i) rising.push_back(10 * i);
  CHECK(transient_of(spans_of(rising), 0).share == 0);
  CHECK(transient_of(spans_of(std::vector<std::uint64_t>(16, 7)), 0).share == 0);
  CHECK(transient_of(LatencySpans(), 0).share == 0);
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    std::vector<std::uint64_t> means;
    for (int i = 0; i < 16; ++i) {  // The sum of twelve is nearly normal.
      std::uint64_t mean = 100000;
      for (int k = 0; k < 12; ++k) mean += random.below(1000);
      means.push_back(mean);
    }
    found += transient_of(spans_of(means), 0).share != 0;
  }
  CHECK(found < 12);  // Five tests at 99.9 % each, which are not independent.
}

TEST_CASE("neighbours that are correlated make a difference less significant", "[stats]") {
  const LatencySpans spans =
      spans_of({90, 101, 99, 102, 98, 100, 101, 99, 102, 98, 100, 101, 99, 102, 98, 100});
  CHECK(transient_of(spans, 0).share != 0);
  CHECK(transient_of(spans, 0.8).share == 0);
}

namespace {

struct Coverage {
  int stated = 0;
  int covered = 0;
};

/// Intervals of a queue with fixed service of 5 cycles and random arrivals, whose mean wait is
/// known (Pollaczek and Khinchine), in windows of several relaxation times.
Coverage coverage_of_queue(double load, double relaxations, int runs) {
  constexpr double kService = 5;
  const double wait = load * kService / (2 * (1 - load));
  const double relaxation = load * kService / ((1 - load) * (1 - load));
  const auto cycles = static_cast<std::uint64_t>(relaxations * relaxation);
  const double warmup = 20 * relaxation;
  Coverage coverage;
  for (int run = 0; run < runs; ++run) {
    Random random(static_cast<std::uint64_t>(run) + 1);
    Latencies seen(cycles);
    double now = 0, idle_from = 0, sum = 0, squares = 0;
    while (true) {
      now += -std::log1p(-random.uniform()) * kService / load;
      if (now >= warmup + static_cast<double>(cycles)) break;
      const double waited = std::max(0.0, idle_from - now);
      idle_from = std::max(idle_from, now) + kService;
      if (now < warmup) continue;
      // In hundredths of a cycle, so that rounding does not matter.
      seen.add(static_cast<std::uint64_t>(now - warmup), std::uint64_t(100 * (waited + kService)));
      sum += waited;
      squares += waited * waited;
    }
    const auto count = static_cast<double>(seen.histogram.count());
    const double variance = squares / count - sum / count * (sum / count);
    // The square of a hundred cancels in 4 v / L and in (m / s)^2 / L.
    const MeanInterval scaled = seen.interval(
        1e4 * variance, {1e4 * kService, TrafficScale::of(kService, load, 0, kService).slowest});
    if (!scaled.half_width) continue;
    ++coverage.stated;
    const double error = seen.histogram.mean() / 100 - kService - wait;
    coverage.covered += std::abs(error) <= *scaled.half_width / 100 ? 1 : 0;
  }
  return coverage;
}

}  // namespace

TEST_CASE("intervals of a single queue are stated in long windows only, and cover", "[stats]") {
  constexpr int kRuns = 400;
  for (const double load : {0.8, 0.9}) {
    INFO("load " << load);
    CHECK(coverage_of_queue(load, 10, kRuns).stated == 0);
    const Coverage edge = coverage_of_queue(load, 45, kRuns);
    CHECK(edge.stated - edge.covered <= 0.08 * kRuns);
    const Coverage far = coverage_of_queue(load, 100, kRuns);
    CHECK(far.stated >= 0.7 * kRuns);
    CHECK(far.covered >= 0.93 * far.stated);
  }
}

TEST_CASE("about 97 of 100 intervals of independent values cover the true mean", "[stats]") {
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    Latencies all(1024);
    for (std::uint64_t cycle = 0; cycle < 1024; ++cycle) all.add(cycle, random.below(101));
    REQUIRE(all.interval().unknown != Unknown::kShortWindow);
    covered += std::abs(all.histogram.mean() - 50) <= all.interval().half_width.value_or(0);
  }
  CHECK(covered > 950);
}
