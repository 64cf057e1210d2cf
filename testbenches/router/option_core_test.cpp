// SPDX-License-Identifier: Apache-2.0
#include "router/option_core.h"

#include <algorithm>
#include <vector>

#include "router/option_sets.h"
#include "router/random_run.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using OptionBench = CoreBench<1, OptionCore>;
using OptionNeighbours = Neighbours<1, OptionCore>;

RandomRun option_run(unsigned seed) {
  RandomRun run;
  run.params.virtual_channels = 2 + seed % 3;
  run.params.buffer_depth = 1 + seed % 6;
  run.params.pipeline.route = seed % 3;
  run.params.whole_packet_credit = seed % 4 == 3;
  run.inputs = 2 + seed % 4;
  run.outputs = 2 + seed / 2 % 4;
  run.slow_period = 1 + seed % 2;
  run.seed = seed;
  run.packets_per_vc = 4;
  return run;
}

RouterParams params_with(const RouterOptions& options, unsigned virtual_channels) {
  RouterParams params;
  params.virtual_channels = virtual_channels;
  params.buffer_depth = 32;
  params.options = options;
  return params;
}

RouterOptions speculation() {
  RouterOptions options;
  options.speculation = true;
  return options;
}

/// The cycles in which the flits of two packets leave by separate outputs: one of four flits in VC
/// 0 of an input and one in another VC, whose flits have all arrived by cycle 0.
std::vector<std::uint64_t> two_packets(unsigned input_speedup, unsigned other_vc) {
  RouterOptions options;
  options.input_speedup = input_speedup;
  OptionBench bench(params_with(options, 4), 3, 3);
  for (const Flit& flit : make_packet(0, 1, 4)) bench.arrive(0, 0, flit);
  for (const Flit& flit : make_packet(1, 2, 4)) bench.arrive(0, other_vc, flit);
  bench.ticks_until(30);
  std::vector<std::uint64_t> cycles;
  for (const Departure& departure : bench.departures) cycles.push_back(departure.cycle);
  return cycles;
}

}  // namespace

TEST_CASE("without options the core behaves as the wormhole core, cycle by cycle", "[router]") {
  const unsigned seed = GENERATE(range(0U, 24U));
  RandomRun run = option_run(seed);
  run.params.pipeline.vc_allocation = seed % 4;
  const auto plain = run.play<1>();
  const auto general = run.play<1, OptionCore>();
  REQUIRE(plain.bench.departures.size() == plain.flits_sent);
  CHECK(by_port(general.bench.departures, &Departure::output) ==
        by_port(plain.bench.departures, &Departure::output));
  CHECK(by_port(general.bench.freed, &Freed::input) == by_port(plain.bench.freed, &Freed::input));
}

TEST_CASE("with options a tick in which nothing can move changes nothing", "[router]") {
  const unsigned seed = GENERATE(range(0U, 5U));
  for (const RouterOptions& options : option_sets()) {
    RandomRun run = option_run(seed);
    run.params.options = options;
    with_core_of(options, [&](auto with) {
      const auto eager = run.play<1, decltype(with)::template Core>();
      run.lazy = true;
      const auto lazy = run.play<1, decltype(with)::template Core>();
      CHECK(lazy.bench.departures == eager.bench.departures);
      CHECK(lazy.bench.ticks < eager.bench.ticks);
    });
  }
}

TEST_CASE("with options no input starves at an output that all request", "[router]") {
  constexpr unsigned kInputs = 4;
  for (const RouterOptions& options : option_sets()) {
    with_core_of(options, [&](auto with) {
      Neighbours<1, decltype(with)::template Core> network(params_with(options, 2), kInputs, 2);
      for (unsigned input = 0; input < kInputs; ++input) {
        for (unsigned n = 0; n < 2 * 400; ++n) network.send(input, n % 2, 1, 3);
      }
      network.run(2000);
      std::vector<unsigned> flits(kInputs * 2, 0);
      for (const Departure& departure : network.bench.departures) {
        const unsigned packet = departure.packet % (2 * 400);
        ++flits[departure.packet / (2 * 400) * 2 + packet % 2];
      }
      const auto [least, most] = std::minmax_element(flits.begin(), flits.end());
      CAPTURE(static_cast<int>(options.allocator), options.iterations, options.speculation);
      CHECK(*least > 0);
      CHECK(*least * 4 > *most);
    });
  }
}

TEST_CASE("with speculation a head wins the switch one cycle earlier", "[router]") {
  const unsigned route = GENERATE(0U, 1U, 3U);
  for (const bool speculates : {false, true}) {
    RouterParams params = params_with(speculates ? speculation() : RouterOptions{}, 2);
    params.pipeline.route = route;
    OptionBench bench(params, 3, 3);
    bench.ticks_until(10);
    const std::vector<Flit> flits = make_packet(7, 2, 2);
    bench.arrive(0, 1, flits[0]);
    bench.tick();
    bench.arrive(0, 1, flits[1]);
    bench.ticks_until(30);
    const std::uint64_t grant = 10 + route + (speculates ? 0 : 1);
    CHECK(bench.departures ==
          std::vector<Departure>{{grant, 2, 0, 0, 7, 1},
                                 {std::max(grant + 1, std::uint64_t{11}), 2, 0, 0, 7, 0}});
  }
}

TEST_CASE("a speculative grant gives way to any other at its input or output", "[router]") {
  const bool same_input = GENERATE(false, true);
  OptionBench bench(params_with(speculation(), 2), 3, 3);
  for (const Flit& flit : make_packet(0, 2, 6)) bench.arrive(0, 0, flit);
  bench.ticks_until(1);
  // The head of packet 1 would speculate in cycle 2, in which packet 0 sends its second flit.
  const unsigned output = same_input ? 1 : 2;
  bench.arrive(same_input ? 0 : 1, 1, make_packet(1, output, 1)[0]);
  bench.ticks_until(20);
  REQUIRE(bench.departures.size() == 7);
  CHECK(bench.departures[1] == Departure{2, 2, 0, 0, 0, 4});
  for (const Departure& departure : bench.departures) {
    if (departure.packet == 1) CHECK(departure.cycle > 2);
  }
}

TEST_CASE("a speculative grant is void without an output VC", "[router]") {
  OptionBench bench(params_with(speculation(), 1), 3, 3);
  for (unsigned input = 0; input < 3; ++input) {
    bench.arrive(input, 0, make_packet(input, 2, 1)[0]);
  }
  bench.ticks_until(20);
  REQUIRE(bench.departures.size() == 3);
  // With one VC a packet holds it for one cycle, because its tail leaves at once.
  for (unsigned n = 0; n < 3; ++n) CHECK(bench.departures[n].cycle == 1 + n);
}

TEST_CASE("with input speed-up an even and an odd VC of a port send in one cycle", "[router]") {
  using Cycles = std::vector<std::uint64_t>;
  CHECK(two_packets(1, 1) == Cycles{2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(two_packets(2, 1) == Cycles{2, 2, 3, 3, 4, 4, 5, 5});
  CHECK(two_packets(2, 2) == Cycles{2, 3, 4, 5, 6, 7, 8, 9});
}

// The credit of the tail returns 5 cycles after the tail has won the switch; the next head is
// granted the VC in that cycle and the switch in the next.
TEST_CASE("reuse by tail credit lets one VC carry L of L + 5 flits", "[router]") {
  const unsigned length = GENERATE(1U, 2U, 4U, 8U);
  RouterOptions options;
  options.vc_reuse = VcReuse::kTailCredit;
  OptionNeighbours network(params_with(options, 1), 2, 2);
  for (unsigned n = 0; n < 500; ++n) network.send(0, 0, 1, length);
  network.run(50);
  CHECK(network.count(100 * (length + 5)) == 100 * length);
}
