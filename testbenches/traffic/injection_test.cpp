// SPDX-License-Identifier: Apache-2.0
#include "traffic/injection.h"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "support/test_catch.h"
#include "traffic/random_traffic.h"
#include "workload.h"

using namespace flitcast;

namespace {

Section load(double flits, double peak = 1.0, double burst = 100) {
  return workload(traffic_params(),
                  {{"load", flits}, {"peak_load", peak}, {"burst_length", burst}});
}

std::unique_ptr<Injection> make(const std::string& kind, const Section& section,
                                double mean_length) {
  return find(injections(), kind)->make(section, mean_length);
}

/// The rate in packets per cycle, averaged over many packets.
double rate(const Injection& injection, std::uint64_t seed, int packets) {
  Random random(seed);
  Injection::State state = injection.start(random);
  std::uint64_t cycles = 0;
  for (int i = 0; i < packets; ++i) cycles += injection.gap(state, random);
  return packets / static_cast<double>(cycles);
}

}  // namespace

TEST_CASE("geometric draws follow p (1 - p)^n", "[traffic]") {
  const double p = GENERATE(0.9, 0.5, 0.2, 0.03);
  const Geometric geometric(p);
  Random random(11);
  constexpr int kDraws = 100'000;
  std::vector<int> counts(40);
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t draw = geometric.draw(random);
    if (draw < counts.size()) ++counts[draw];
    sum += static_cast<double>(draw);
  }
  double expected = p * kDraws;
  for (const int count : counts) {
    CHECK(std::abs(count - expected) <= 5 * std::sqrt(expected) + 3);
    expected *= 1 - p;
  }
  const double deviation = std::sqrt(1 - p) / p / std::sqrt(kDraws);
  CHECK(std::abs(sum / kDraws - (1 - p) / p) < 5 * deviation);
}

TEST_CASE("a coin with probability 1 never fails and one with probability 0 still ends",
          "[traffic]") {
  Random random(1);
  const Geometric certain(1);
  const Geometric hopeless(1e-300);
  for (int i = 0; i < 100; ++i) {
    CHECK(certain.draw(random) == 0);
    CHECK(hopeless.draw(random) < std::uint64_t{1} << 62);
  }
  CHECK_THROWS_AS(Geometric(0), std::invalid_argument);
  CHECK_THROWS_AS(Geometric(1.5), std::invalid_argument);
}

TEST_CASE("Bernoulli injection offers its load", "[traffic]") {
  const double flits = GENERATE(0.02, 0.3, 1.0, 4.9);
  const auto injection = make("bernoulli", load(flits), 5);
  // The tolerance is 5 standard deviations.
  CHECK(std::abs(rate(*injection, 3, 200'000) * 5 / flits - 1) < 0.012);
}

TEST_CASE("Bernoulli injection at full load fills every cycle and at none stays silent",
          "[traffic]") {
  Random random(1);
  Injection::State state = 0;
  const auto full = make("bernoulli", load(5), 5);
  for (int i = 0; i < 100; ++i) CHECK(full->gap(state, random) == 1);
  CHECK(make("bernoulli", load(0), 5)->gap(state, random) == Injection::kNoMore);
  CHECK(make("on_off", load(0), 5)->gap(state, random) == Injection::kNoMore);
}

TEST_CASE("Bernoulli injection refuses more than a packet per cycle", "[traffic]") {
  CHECK_THAT(complaint([] { make("bernoulli", load(5.5), 5); }),
             Catch::Contains("workload.load") && Catch::Contains("use at most 5"));
}

TEST_CASE("bursts offer exactly the mean load", "[traffic]") {
  const double flits = GENERATE(0.05, 0.4, 0.8);
  const double burst = GENERATE(7.0, 40.0);
  const auto injection = make("on_off", load(flits, 1.0, burst), 2);
  // There are few bursts: 10^6 packets are about 50 000 bursts of 40 cycles.
  CHECK(std::abs(rate(*injection, 5, 1'000'000) * 2 / flits - 1) < 0.03);
}

TEST_CASE("bursts and silences have their mean lengths", "[traffic]") {
  // Every on cycle has a packet, so gaps of 1 lie inside bursts and longer gaps are off times.
  const auto injection = make("on_off", load(0.25, 1.0, 10), 1);
  Random random(2);
  Injection::State state = injection->start(random);
  double on = 0;
  double off = 0;
  int silences = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t gap = injection->gap(state, random);
    ++on;
    if (gap > 1) ++silences;
    off += static_cast<double>(gap - 1);
  }
  // The tolerance is 5 standard deviations: 10 / sqrt(20 000) each.
  CHECK(std::abs(on / silences - 10) < 0.4);
  CHECK(std::abs(off / silences - 30) < 1.1);
}

TEST_CASE("a burst is as likely in cycle 0 as later", "[traffic]") {
  const auto injection = make("on_off", load(0.25, 1.0, 10), 1);
  int in_first_cycle = 0;
  int in_tenth_cycle = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Random random(seed * 7919);
    Injection::State state = injection->start(random);
    std::uint64_t cycle = injection->gap(state, random) - 1;
    if (cycle == 0) ++in_first_cycle;
    while (cycle < 9) cycle += injection->gap(state, random);
    if (cycle == 9) ++in_tenth_cycle;
  }
  CHECK(std::abs(in_first_cycle - 5'000) < 310);  // The tolerance is 5 standard deviations of 61.
  CHECK(std::abs(in_tenth_cycle - 5'000) < 310);
}

TEST_CASE("an endless burst is Bernoulli traffic", "[traffic]") {
  const auto injection = make("on_off", load(0.5, 0.5), 5);
  CHECK(std::abs(rate(*injection, 3, 200'000) * 5 / 0.5 - 1) < 0.012);
}

TEST_CASE("bursts refuse loads that leave no space between them", "[traffic]") {
  CHECK_THAT(complaint([] { make("on_off", load(0.6, 0.5), 5); }),
             Catch::Contains("workload.load") && Catch::Contains("or 0.5 for"));
  CHECK_THAT(complaint([] { make("on_off", load(0.95, 1.0, 9), 5); }),
             Catch::Contains("use at most 0.9"));
  CHECK(complaint([] { make("on_off", load(0.9, 1.0, 9), 5); }).empty());
  CHECK_THAT(complaint([] { make("on_off", load(0.1, 6.0), 5); }),
             Catch::Contains("workload.peak_load") && Catch::Contains("use at most 5"));
}
