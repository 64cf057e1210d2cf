// SPDX-License-Identifier: Apache-2.0
#include "stats/verdict.h"

#include "delivery.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Latencies of packets that are created every cycle of the window [1000, 2000).
template <class Latency>
LatencyProbe probe_of(Latency&& latency) {
  LatencyProbe probe(Window(Cycle{1000}, 1000));
  for (std::uint64_t cycle = 1000; cycle < 2000; ++cycle) {
    probe.delivered(delivery(cycle, cycle, cycle + latency(cycle - 1000)));
  }
  return probe;
}

LatencyProbe steady() {
  return probe_of([](std::uint64_t cycle) { return 40 + cycle % 7; });
}

/// The evidence of a run with these latencies, in which all packets arrived and no backlog grew.
struct Run : Evidence {
  /// @param slowest  TrafficScale::slowest.
  explicit Run(const LatencyProbe& latencies, double slowest = 0)
      : Evidence{1000, 1000,      5000,   latencies.count(), latencies.count(), {}, 0, 5,
                 {},   latencies, of_mean},
        of_mean(latencies.interval({1e9, slowest})) {
    growth.emplace();
  }
  MeanInterval of_mean;
};
Run evidence_of(const LatencyProbe& latency) { return Run(latency); }

constexpr QueueGrowth::Part kBehind{3, 900, 450, 10000, 400};

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a run in which nothing grows and all arrives is ok, without a word", "[stats]") {
  const LatencyProbe latency = steady();
  const Verdict verdict = assess(evidence_of(latency));
  CHECK(verdict.status == Status::kOk);
  CHECK(verdict.reason.empty());
  CHECK(verdict.notes.empty());
}

TEST_CASE("growth beyond chance of the whole, a source or a destination is saturation", "[stats]") {
  const LatencyProbe latency = steady();
  Run evidence(latency);
  evidence.growth->whole = kBehind;
  CHECK(assess(evidence).status == Status::kSaturated);
  CHECK(says(assess(evidence).reason, "the backlog grew by 900 flits"));
  evidence.growth->source = kBehind;
  CHECK(says(assess(evidence).reason, "the backlog of node 3 grew by 900 flits"));
  evidence.growth->destination = kBehind;
  CHECK(says(assess(evidence).reason, "the backlog for node 3 grew by 900 flits"));
}

TEST_CASE("a packet of the window that is missing after the drain is saturation", "[stats]") {
  const LatencyProbe latency = steady();
  Run evidence(latency);
  ++evidence.due;
  CHECK(assess(evidence).status == Status::kSaturated);
  CHECK(says(assess(evidence).reason, "1 deliveries of the window were not made 5000 cycles"));
}

TEST_CASE("a load beyond the capacity is saturation whatever the window shows", "[stats]") {
  const LatencyProbe latency = steady();
  Run evidence(latency);
  evidence.over_capacity = "0.15 is more than 0.1429";
  CHECK(assess(evidence).status == Status::kSaturated);
  CHECK(assess(evidence).reason == "0.15 is more than 0.1429");
}

TEST_CASE("a window without a packet is unmeasured", "[stats]") {
  const LatencyProbe latency(Window(Cycle{1000}, 1000));
  Run evidence(latency);
  CHECK(assess(evidence).status == Status::kUnmeasured);
  CHECK(assess(evidence).reason == "no packet was created in the window");
  evidence.due = evidence.made = 3;  // All packets were dropped.
  CHECK(assess(evidence).reason == "no packet of the window arrived");
}

TEST_CASE("a start that the mean hides is noted, one that bends it is not in steady state",
          "[stats]") {
  const LatencyProbe slight = probe_of(
      [](std::uint64_t cycle) { return (cycle < 100 ? 30 : 40) + cycle % 7 + cycle / 100 % 2; });
  CHECK(assess(evidence_of(slight)).status == Status::kOk);
  REQUIRE(assess(evidence_of(slight)).notes.size() == 1);
  CHECK(says(assess(evidence_of(slight)).notes[0], "the first 125 cycles of the window"));
  CHECK(says(assess(evidence_of(slight)).notes[0], "set measure.warmup to 1250 or more"));

  const LatencyProbe strong = probe_of(
      [](std::uint64_t cycle) { return (cycle < 200 ? 10 : 80) + cycle % 7 + cycle / 100 % 2; });
  CHECK(assess(evidence_of(strong)).status == Status::kNotSteady);
  CHECK(says(assess(evidence_of(strong)).reason, "the first 250 cycles of the window"));
  // In a window of less than 40 relaxation times, calm and busy parts are no transient.
  CHECK(assess(Run(strong, 24)).status == Status::kNotSteady);
  CHECK(assess(Run(strong, 26)).status == Status::kOk);
}

TEST_CASE("a network that fills up for the whole window is not in steady state, not saturated",
          "[stats]") {
  const LatencyProbe flight = probe_of([](std::uint64_t) { return 3000; });
  Run evidence(flight);
  evidence.growth->whole = kBehind;
  CHECK(assess(evidence).status == Status::kNotSteady);
  const LatencyProbe rising = probe_of([](std::uint64_t cycle) { return 3000 + cycle / 10; });
  Run overloaded(rising);
  overloaded.growth->whole = kBehind;
  CHECK(assess(overloaded).status == Status::kSaturated);
}

TEST_CASE("who takes longer than the warm-up and half the window may be filling the network",
          "[stats]") {
  const auto status = [](std::uint64_t cycles) {
    const LatencyProbe flight = probe_of([cycles](std::uint64_t) { return cycles; });
    Run evidence(flight);
    evidence.growth->whole = kBehind;
    return assess(evidence).status;
  };
  CHECK(status(1600) == Status::kNotSteady);
  CHECK(status(1400) == Status::kSaturated);
}

TEST_CASE("a window shorter than a packet is noted", "[stats]") {
  const LatencyProbe latency = steady();
  Run evidence(latency);
  evidence.longest_packet = 1001;
  REQUIRE(assess(evidence).notes.size() == 1);
  CHECK(says(assess(evidence).notes[0], "shorter than a packet, which takes 1001"));
  evidence.longest_packet = 1000;
  CHECK(assess(evidence).notes.empty());
}

TEST_CASE("a mean that is known less well than was asked for is imprecise", "[stats]") {
  const LatencyProbe latency =
      probe_of([](std::uint64_t cycle) { return 40 + cycle * cycle * 7 % 13; });
  Run evidence(latency);
  REQUIRE(evidence.interval.half_width);
  const double known = *evidence.interval.half_width / latency.packet_latency().mean();
  evidence.precision = known * 1.01;
  CHECK(assess(evidence).status == Status::kOk);
  evidence.precision = known / 2;  // A window of 4 times the length would do, of 8 times surely.
  CHECK(assess(evidence).status == Status::kImprecise);
  CHECK(says(assess(evidence).reason, ": set measure.window to 8000 or more"));
  evidence.growth->whole = kBehind;
  CHECK(assess(evidence).status == Status::kSaturated);
  Run blind(latency, 100);
  blind.precision = 0.5;
  CHECK(assess(blind).status == Status::kImprecise);
  CHECK(says(assess(blind).reason,
             "known to an unknown precision (short window), not to the "
             "50 % asked for: set measure.window to 8000 or more"));
}

TEST_CASE("an overload that began in the window is told with its cycle", "[stats]") {
  const LatencyProbe latency = steady();
  Run evidence(latency);
  evidence.growth->whole = kBehind;
  evidence.growth->collapse = {1500, 0.355, 0.2831};
  CHECK(says(assess(evidence).reason,
             "; the network kept up until cycle 1500 and accepted 0.283 of 0.355 flits per "
             "node and cycle since"));
}

namespace {

/// The verdict on a class that creates a packet of a flit in every cycle of the window [1000,
/// 2000).
template <class Latency>
Verdict of_class(Latency&& latency, std::uint64_t longest_packet = 10) {
  const LatencyProbe all = steady();
  Run evidence(all);
  evidence.longest_packet = longest_packet;
  ClassProbe probe(Window(Cycle{1000}, 1000), {});
  for (std::uint64_t cycle = 1000; cycle < 2000; ++cycle) {
    probe.delivered(delivery(cycle, cycle, cycle + latency(cycle - 1000)));
  }
  Verdict verdict = assess(evidence);
  assess_class("ask", probe, evidence, verdict);
  return verdict;
}

/// Latencies that rise by one cycle in `cycles`.
auto rising(std::uint64_t cycles) {
  return [=](std::uint64_t cycle) { return 40 + cycle % 7 + cycle / cycles; };
}

}  // namespace

TEST_CASE("a class whose latencies rise by a tenth of the window is saturated", "[stats]") {
  CHECK(of_class(rising(9)).status == Status::kSaturated);
  CHECK(says(of_class(rising(9)).reason,
             "latencies of class ask rose by 111 cycles in the window of 1000"));
  CHECK(of_class(rising(11)).status == Status::kOk);
  CHECK(of_class(rising(1000)).status == Status::kOk);
  CHECK(of_class(rising(9), 11).status == Status::kOk);
  // A rise by chance, where spans differ as much.
  CHECK(of_class([](std::uint64_t cycle) {
          return 140 + (cycle / 63 % 2 == 0 ? 0 : 400) + (cycle < 500 ? 0 : 60);
        }).status == Status::kOk);
}

TEST_CASE("latencies of a class that rise are no overload while chance explains what waits",
          "[stats]") {
  // Three deviations of 1000 packets are 95; of those below 100 and 92 wait at the end.
  const auto rise = [](std::uint64_t last) {
    return [=](std::uint64_t cycle) { return 1 + cycle * last / 1000; };
  };
  CHECK(of_class(rise(110)).status == Status::kSaturated);
  CHECK(of_class(rise(100)).status == Status::kOk);
}

TEST_CASE("the verdict on all packets stands before that on a class", "[stats]") {
  const LatencyProbe latency = steady();
  Run evidence(latency);
  evidence.growth->whole = kBehind;
  ClassProbe probe(Window(Cycle{1000}, 1000), {});
  for (std::uint64_t cycle = 1000; cycle < 2000; ++cycle) {
    probe.delivered(delivery(cycle, cycle, 2 * cycle));
  }
  Verdict verdict = assess(evidence);
  assess_class("ask", probe, evidence, verdict);
  CHECK(says(verdict.reason, "the backlog grew by 900 flits"));
}
