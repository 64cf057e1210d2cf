// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <optional>
#include <utility>

#include "router/option_core.h"
#include "router/option_sets.h"
#include "router/random_run.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using OutputVcName = std::pair<unsigned, unsigned>;

/// Checks all departures of a router, flit by flit.
class Referee {
 public:
  Referee(const RandomRun& run) : run_(run) {}

  void see(const Departure& departure) {
    REQUIRE(departure.output < run_.outputs);
    REQUIRE(departure.vc < run_.params.virtual_channels);
    const OutputVcName name{departure.output, departure.vc};
    REQUIRE((last_cycle_.count(departure.output) == 0 ||
             last_cycle_[departure.output] < departure.cycle));
    last_cycle_[departure.output] = departure.cycle;
    follow_packet(departure, name);
  }

  std::size_t packets_complete() const { return complete_; }

 private:
  void follow_packet(const Departure& departure, const OutputVcName& name) {
    std::optional<Departure>& open = open_[name];
    if (open) {
      REQUIRE(departure.packet == open->packet);
      REQUIRE(departure.remaining == open->remaining - 1);
    } else {
      REQUIRE(departure.slot == packets_[name]++ % ring_slots(run_.params));
      // Packets are numbered in the order in which an input VC sends them.
      const unsigned input_vc = departure.packet / run_.packets_per_vc;
      REQUIRE(departure.packet == input_vc * run_.packets_per_vc + heads_[input_vc]++);
    }
    open = departure;
    if (departure.remaining != 0) return;
    open.reset();
    ++complete_;
  }

  const RandomRun run_;
  std::map<OutputVcName, unsigned> packets_;
  std::map<OutputVcName, std::optional<Departure>> open_;
  std::map<unsigned, std::uint64_t> last_cycle_;
  std::map<unsigned, unsigned> heads_;
  std::size_t complete_ = 0;
};

template <int kWords, template <int> class Core = WormholeCore>
void check(const RandomRun& run) {
  const Neighbours<kWords, Core> network = run.play<kWords, Core>();
  Referee referee(run);
  for (const Departure& departure : network.bench.departures) referee.see(departure);
  CHECK(referee.packets_complete() == network.packets);
  CHECK(network.bench.departures.size() == network.flits_sent);
  CHECK(network.bench.freed.size() == network.flits_sent);
  CHECK(network.most_held <= run.params.buffer_depth);
}

}  // namespace

TEST_CASE("random stalls lose, duplicate and reorder nothing", "[router]") {
  const unsigned virtual_channels = GENERATE(1U, 2U, 3U, 5U, 8U);
  unsigned seed = virtual_channels;
  for (unsigned depth = 1; depth <= 9; ++depth) {
    for (const bool cut_through : {false, true}) {
      RandomRun run;
      run.params.virtual_channels = virtual_channels;
      run.params.buffer_depth = depth;
      run.params.whole_packet_credit = cut_through;
      run.params.pipeline.route = seed % 4;
      run.params.pipeline.vc_allocation = seed / 4 % 4;
      run.inputs = 2 + seed % 8;
      run.outputs = 2 + seed / 3 % 8;
      run.packets_per_vc = 4;
      run.slow_period = 1 + seed % 3;
      run.seed = seed++;
      CAPTURE(depth, cut_through, run.inputs, run.outputs, run.seed);
      check<2>(run);
    }
  }
}

TEST_CASE("nothing is lost in a router of one word, in order and in full", "[router]") {
  RandomRun run;
  run.seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U);
  run.params.virtual_channels = 4;
  run.params.buffer_depth = run.seed;
  run.inputs = run.outputs = 5;
  check<1>(run);
}

TEST_CASE("rings sized for the shortest packet lose no flit, at any depth", "[router]") {
  for (unsigned depth = 1; depth <= 12; ++depth) {
    RandomRun run;
    run.params.shortest_packet = GENERATE(2U, 3U, 5U, 6U);
    run.params.virtual_channels = 2;
    run.params.buffer_depth = depth;
    run.inputs = run.outputs = 4;
    run.seed = depth;
    CAPTURE(depth);
    check<1>(run);
  }
}

TEST_CASE("a ring has a slot for each packet that can be in the buffer", "[router]") {
  const auto slots = [](unsigned depth, unsigned shortest) {
    RouterParams params;
    params.buffer_depth = depth;
    params.shortest_packet = shortest;
    return ring_slots(params);
  };
  CHECK(slots(1, 1) == 1);
  CHECK(slots(8, 1) == 8);
  CHECK(slots(2, 5) == 2);  // The slots of a tail and a head.
  CHECK(slots(6, 5) == 2);
  CHECK(slots(7, 5) == 3);  // One more slot for a packet between them.
  CHECK(slots(12, 5) == 4);
  CHECK(slots(1, 5) == 1);
}

TEST_CASE("random stalls lose nothing in a router with options", "[router]") {
  unsigned seed = 0;
  for (const RouterOptions& options : option_sets()) {
    for (unsigned depth = 1; depth <= 7; depth += 2) {
      RandomRun run;
      run.params.virtual_channels = 2 + seed % 4;
      run.params.buffer_depth = depth;
      run.params.whole_packet_credit = seed % 3 == 1;
      run.params.pipeline.route = seed % 3;
      run.params.options = options;
      run.inputs = 2 + seed % 5;
      run.outputs = 2 + seed / 3 % 5;
      run.packets_per_vc = 4;
      run.slow_period = 1 + seed % 3;
      run.seed = seed++;
      CAPTURE(depth, run.inputs, run.outputs, run.seed);
      with_core_of(options, [&](auto with) {
        check<1, decltype(with)::template Core>(run);
        check<2, decltype(with)::template Core>(run);
      });
    }
  }
}
