// SPDX-License-Identifier: Apache-2.0
#include "router/adaptive_core.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "router/core_bench.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Offers the same routing options to every packet.
class AdaptiveBench : public BenchOf<AdaptiveCore<1>, AdaptiveBench> {
 public:
  AdaptiveBench(const RouterParams& params, unsigned outputs) : BenchOf(params, 4, outputs) {
    offered.clear();
  }

  void alternatives(unsigned, unsigned, const Flit&, Alternatives& options) const {
    options = offered;
  }
  std::uint64_t coins(const Flit& head) const {
    return Random::stream(index(head.packet), 0).next();
  }
  void depart(unsigned output, unsigned vc, unsigned slot, const Flit& flit) {
    departures.push_back(
        {cycle, output, vc, flit.head ? slot : 0, index(flit.packet), flit.remaining});
    if (flit.head) fields.push_back(flit.route_field);
  }

  /// Feeds a whole packet, one flit per cycle; then runs some cycles.
  void send(unsigned number, unsigned input, unsigned length) {
    for (const Flit& flit : make_packet(number, 0, length)) {
      arrive(input, 0, flit);
      tick();
    }
    ticks_until(cycle + 8);
  }
  /// The output by which a packet has left; -1 if it has not.
  int output_of(unsigned number) const {
    for (const Departure& departure : departures) {
      if (departure.packet == number) return static_cast<int>(departure.output);
    }
    return -1;
  }

  Alternatives offered;
  std::vector<unsigned> fields;  ///< Route fields of the heads that have left.
};

RouterParams adaptive_params(OutputSelection selection, unsigned depth = 4) {
  RouterParams params;
  params.virtual_channels = 1;
  params.buffer_depth = depth;
  params.selection = selection;
  params.adaptive = true;
  return params;
}

Alternative alternative(std::uint16_t output, std::uint8_t priority = 0, bool waits = true) {
  Alternative made;
  made.output = PortId{output};
  made.route_field = static_cast<std::uint16_t>(100 + output);
  made.vcs = 1;
  made.priority = priority;
  made.waits = waits;
  return made;
}

}  // namespace

TEST_CASE("a packet takes the open option of the highest priority, and its route field",
          "[router]") {
  AdaptiveBench bench(adaptive_params(OutputSelection::kFreeCredits, 2), 2);
  bench.offered.add(alternative(0, 0));
  bench.offered.add(alternative(1, 1));
  const auto long_packet = make_packet(7, 0, 3);
  bench.arrive(0, 0, long_packet[0]);
  bench.ticks_until(5);
  bench.send(8, 1, 1);  // Packet 7 holds output 1 until its tail has left.
  CHECK(bench.output_of(7) == 1);
  CHECK(bench.output_of(8) == 0);
  CHECK(bench.fields == std::vector<unsigned>{101, 100});
}

TEST_CASE("an option that must not be waited for is open only while there is space behind it",
          "[router]") {
  const bool whole_packets = GENERATE(false, true);
  RouterParams params = adaptive_params(OutputSelection::kFreeCredits, 3);
  params.whole_packet_credit = whole_packets;
  AdaptiveBench bench(params, 2);
  bench.offered.add(alternative(0, 0));
  bench.offered.add(alternative(1, 1, false));
  bench.send(1, 0, whole_packets ? 2 : 3);  // Leaves one slot for two flits, or no slot for one.
  bench.send(2, 1, 2);
  CHECK(bench.output_of(1) == 1);
  CHECK(bench.output_of(2) == 0);
  bench.credit(1, 0);
  bench.credit(0, 0);
  bench.credit(0, 0);
  bench.tick();
  bench.send(3, 2, 2);
  CHECK(bench.output_of(3) == 1);
}

TEST_CASE("with only such options a packet waits for space, and a credit wakes it", "[router]") {
  AdaptiveBench bench(adaptive_params(OutputSelection::kFreeCredits, 1), 1);
  bench.lazy = true;
  bench.offered.add(alternative(0, 0, false));
  bench.send(1, 0, 1);
  bench.send(2, 1, 1);
  CHECK(bench.output_of(2) == -1);
  bench.credit(0, 0);
  bench.ticks_until(bench.cycle + 5);
  CHECK(bench.output_of(2) == 0);
}

TEST_CASE("selections take the emptier output, the next one, or any", "[router]") {
  const auto outputs = [](OutputSelection selection, unsigned packets) {
    AdaptiveBench bench(adaptive_params(selection, 60), 3);
    for (std::uint16_t output = 0; output < 3; ++output) bench.offered.add(alternative(output));
    std::vector<int> taken;
    for (unsigned packet = 0; packet < packets; ++packet) {
      bench.send(packet, 0, packet == 0 ? 5 : 1);
      taken.push_back(bench.output_of(packet));
    }
    return taken;
  };
  // There are 5 flits behind output 0; then each packet takes the emptiest output, round-robin
  // among equals.
  CHECK(outputs(OutputSelection::kFreeCredits, 7) == std::vector<int>{0, 1, 2, 1, 2, 1, 2});
  CHECK(outputs(OutputSelection::kRoundRobin, 7) == std::vector<int>{0, 1, 2, 0, 1, 2, 0});
  const auto any = outputs(OutputSelection::kRandom, 40);
  for (const int output : {0, 1, 2}) CHECK(std::count(any.begin(), any.end(), output) > 5);
}

TEST_CASE("credits count more than the turn of an output", "[router]") {
  AdaptiveBench bench(adaptive_params(OutputSelection::kFreeCredits, 60), 3);
  for (std::uint16_t output = 0; output < 3; ++output) bench.offered.add(alternative(output));
  std::vector<int> taken;
  for (unsigned packet = 0; packet < 7; ++packet) {
    bench.send(packet, 0, packet == 1 ? 5 : 1);
    taken.push_back(bench.output_of(packet));
  }
  // There are 5 flits behind output 1, whose turn it is after each packet by output 0.
  CHECK(taken == std::vector<int>{0, 1, 2, 0, 2, 0, 2});
}

TEST_CASE("a router that decides at once takes the lowest cost and keeps to it", "[router]") {
  AdaptiveBench bench(adaptive_params(OutputSelection::kFreeCredits, 60), 2);
  Alternative dear = alternative(1, 1);
  dear.weight = 2;
  dear.surcharge = 3;
  bench.offered.add(alternative(0));
  bench.offered.add(dear);
  bench.offered.decide_at_once();
  bench.send(0, 0, 3);  // Costs 0 and 3: output 0.
  bench.send(1, 0, 1);  // Costs 3 and 3: output 1, by priority.
  bench.send(2, 0, 1);  // Costs 3 and 2 + 3.
  bench.send(3, 0, 1);  // Costs 4 and 5.
  bench.send(4, 0, 1);  // Costs 5 and 5.
  for (const auto& [packet, output] :
       std::vector<std::pair<unsigned, int>>{{0, 0}, {1, 1}, {2, 0}, {3, 0}, {4, 1}}) {
    INFO("packet " << packet);
    CHECK(bench.output_of(packet) == output);
  }
}

TEST_CASE("between equal costs the choice is random", "[router]") {
  int first = 0;
  for (unsigned packet = 0; packet < 100; ++packet) {
    AdaptiveBench bench(adaptive_params(OutputSelection::kFreeCredits), 2);
    bench.offered.add(alternative(0));
    bench.offered.add(alternative(1));
    bench.offered.decide_at_once();
    bench.send(packet, 0, 1);
    first += bench.output_of(packet) == 0 ? 1 : 0;
  }
  CHECK(first > 30);
  CHECK(first < 70);
}

TEST_CASE("among the options that are drawn the cheapest is taken", "[router]") {
  const auto taken = [](std::size_t drawn) {
    std::set<int> outputs;
    for (unsigned packet = 0; packet < 60; ++packet) {
      AdaptiveBench bench(adaptive_params(OutputSelection::kFreeCredits), 3);
      for (std::uint16_t output = 0; output < 3; ++output) {
        bench.offered.add(alternative(output));
        (bench.offered.end() - 1)->surcharge = output;  // Output 2 is the most expensive.
      }
      bench.offered.decide_at_once(drawn);
      bench.send(packet, 0, 1);
      outputs.insert(bench.output_of(packet));
    }
    return outputs;
  };
  CHECK(taken(1) == std::set<int>{0, 1, 2});
  CHECK(taken(2) == std::set<int>{0, 1});
  CHECK(taken(3) == std::set<int>{0});
}

TEST_CASE("a routing that offers no option, or too many, is detected", "[router]") {
  AdaptiveBench bench(adaptive_params(OutputSelection::kFreeCredits), 1);
  bench.arrive(0, 0, make_packet(0, 0, 1)[0]);
  CHECK_THROWS_AS(bench.tick(), InvariantError);
  for (int n = 0; n < 3; ++n) bench.offered.add(alternative(0));
  bench.arrive(1, 0, make_packet(1, 0, 1)[0]);
  CHECK_THROWS_AS(bench.tick(), InvariantError);
}
