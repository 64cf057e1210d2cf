// SPDX-License-Identifier: Apache-2.0
#include "stats/verdict.h"

#include "delivery.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Latencies of packets that are created every cycle of the window [1000, 2000).
template <class Latency>
LatencyProbe probe_of(Latency&& latency) {
  LatencyProbe probe(Cycle{1000}, Cycle{2000});
  for (std::uint64_t cycle = 1000; cycle < 2000; ++cycle) {
    probe.delivered(delivery(cycle, cycle, cycle + latency(cycle - 1000)));
  }
  return probe;
}

LatencyProbe steady() {
  return probe_of([](std::uint64_t cycle) { return 40 + cycle % 7; });
}

/// The evidence of a run with these latencies, in which all packets arrived and no backlog grew.
Evidence evidence_of(const LatencyProbe& latency) {
  Evidence evidence{1000, 1000, 5000, latency.count(), latency.count(), {}, 0, 5, {}, latency};
  evidence.growth.emplace();
  return evidence;
}

constexpr QueueGrowth::Part kBehind{3, 900, 450, 10000, 400};

bool contains(const std::string& text, const std::string& part) {
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
  Evidence evidence = evidence_of(latency);
  evidence.growth->whole = kBehind;
  CHECK(assess(evidence).status == Status::kSaturated);
  CHECK(contains(assess(evidence).reason, "the backlog grew by 900 flits"));
  evidence.growth->source = kBehind;
  CHECK(contains(assess(evidence).reason, "the backlog of node 3 grew by 900 flits"));
  evidence.growth->destination = kBehind;
  CHECK(contains(assess(evidence).reason, "the backlog for node 3 grew by 900 flits"));
}

TEST_CASE("a packet of the window that is missing after the drain is saturation", "[stats]") {
  const LatencyProbe latency = steady();
  Evidence evidence = evidence_of(latency);
  ++evidence.due;
  CHECK(assess(evidence).status == Status::kSaturated);
  CHECK(contains(assess(evidence).reason, "1 deliveries of the window were not made 5000 cycles"));
}

TEST_CASE("a load beyond the capacity is saturation whatever the window shows", "[stats]") {
  const LatencyProbe latency = steady();
  Evidence evidence = evidence_of(latency);
  evidence.over_capacity = "0.15 is more than 0.1429";
  CHECK(assess(evidence).status == Status::kSaturated);
  CHECK(assess(evidence).reason == "0.15 is more than 0.1429");
}

TEST_CASE("a window without a packet is unmeasured", "[stats]") {
  const LatencyProbe latency(Cycle{1000}, Cycle{2000});
  Evidence evidence = evidence_of(latency);
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
  CHECK(contains(assess(evidence_of(slight)).notes[0], "the first 100 cycles of the window"));
  CHECK(contains(assess(evidence_of(slight)).notes[0], "set measure.warmup to 1200 or more"));

  const LatencyProbe strong = probe_of(
      [](std::uint64_t cycle) { return (cycle < 200 ? 10 : 80) + cycle % 7 + cycle / 100 % 2; });
  CHECK(assess(evidence_of(strong)).status == Status::kNotSteady);
  CHECK(contains(assess(evidence_of(strong)).reason, "the first 200 cycles of the window"));
}

TEST_CASE("a network that fills up for the whole window is not in steady state, not saturated",
          "[stats]") {
  const LatencyProbe flight = probe_of([](std::uint64_t) { return 3000; });
  Evidence evidence = evidence_of(flight);
  evidence.growth->whole = kBehind;
  CHECK(assess(evidence).status == Status::kNotSteady);
  const LatencyProbe rising = probe_of([](std::uint64_t cycle) { return 3000 + cycle / 10; });
  Evidence overloaded = evidence_of(rising);
  overloaded.growth->whole = kBehind;
  CHECK(assess(overloaded).status == Status::kSaturated);
}

TEST_CASE("who takes longer than the warm-up and half the window may be filling the network",
          "[stats]") {
  const auto status = [](std::uint64_t cycles) {
    const LatencyProbe flight = probe_of([cycles](std::uint64_t) { return cycles; });
    Evidence evidence = evidence_of(flight);
    evidence.growth->whole = kBehind;
    return assess(evidence).status;
  };
  CHECK(status(1600) == Status::kNotSteady);
  CHECK(status(1400) == Status::kSaturated);
}

TEST_CASE("a window shorter than a packet is noted", "[stats]") {
  const LatencyProbe latency = steady();
  Evidence evidence = evidence_of(latency);
  evidence.longest_packet = 1001;
  REQUIRE(assess(evidence).notes.size() == 1);
  CHECK(contains(assess(evidence).notes[0], "shorter than a packet, which takes 1001"));
  evidence.longest_packet = 1000;
  CHECK(assess(evidence).notes.empty());
}

TEST_CASE("a mean that is known less well than was asked for is imprecise", "[stats]") {
  const LatencyProbe latency =
      // The mean is 42 +- 1.5.
      probe_of([](std::uint64_t cycle) { return 40 + cycle / 100 % 2 * 4; });
  const double known = *latency.relative_half_width();
  CHECK(known == *latency.batches().half_width() / latency.packet_latency().mean());
  Evidence evidence = evidence_of(latency);
  evidence.precision = known * 1.01;
  CHECK(assess(evidence).status == Status::kOk);
  evidence.precision = known * 0.99;
  CHECK(assess(evidence).status == Status::kImprecise);
  CHECK(
      contains(assess(evidence).reason, "the mean latency is known to 3.59 %, not to the 3.55 %"));
  evidence.growth->whole = kBehind;
  CHECK(assess(evidence).status == Status::kSaturated);
}
