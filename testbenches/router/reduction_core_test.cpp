// SPDX-License-Identifier: Apache-2.0
#include "router/reduction_core.h"

#include <deque>
#include <random>
#include <utility>
#include <vector>

#include "router/core_bench.h"
#include "router/invariant.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// A reduction: its inputs and outputs. Its number is also that of its virtual channel.
struct Gathering {
  std::vector<unsigned> inputs;
  std::vector<unsigned> outputs;
};

template <int kWords = 1>
class ReductionBench : public BenchOf<ReductionCore<kWords>, ReductionBench<kWords>> {
  using Base = BenchOf<ReductionCore<kWords>, ReductionBench<kWords>>;

 public:
  using Base::Base;

  std::vector<Flit> packet(unsigned number, unsigned reduction, unsigned length) const {
    std::vector<Flit> flits = make_packet(number, 0, length);
    for (Flit& flit : flits) flit.route_field = static_cast<std::uint16_t>(reduction);
    return flits;
  }
  void combination(unsigned, unsigned, const Flit& head, Combination& what) const {
    const Gathering& gathering = gatherings[head.route_field];
    for (const unsigned input : gathering.inputs) {
      what.inputs.add(PortId{static_cast<std::uint16_t>(input)});
    }
    for (const unsigned output : gathering.outputs) {
      what.branches.add({PortId{static_cast<std::uint16_t>(output)},
                         VcSet{1} << head.route_field % Base::core.virtual_channels,
                         head.route_field});
    }
  }
  void combine(PacketSlot into, PacketSlot part) { parts.emplace_back(index(into), index(part)); }
  void depart(unsigned output, unsigned vc, unsigned slot, const Flit& flit) {
    Base::departures.push_back(
        {Base::cycle, output, vc, flit.head ? slot : 0, index(flit.packet), flit.remaining});
    hops.push_back(flit.hops);
  }

  std::vector<Gathering> gatherings;
  std::vector<std::pair<unsigned, unsigned>> parts;
  std::vector<unsigned> hops;  ///< Hops of the flits that departed.
};

RouterParams one_vc(unsigned depth) {
  RouterParams params;
  params.virtual_channels = 1;
  params.buffer_depth = depth;
  return params;
}

}  // namespace

TEST_CASE("a sum leaves with its last part, as fast as any other packet", "[router]") {
  RouterParams params = one_vc(4);
  params.combine = GENERATE(0U, 3U);
  ReductionBench<> bench(params, 3, 2);
  bench.gatherings = {{{0, 1, 2}, {1}}};
  for (const unsigned input : {2U, 0U, 1U}) {
    std::vector<Flit> flits = bench.packet(input, 0, 1);
    flits[0].hops = static_cast<std::uint16_t>(input);
    bench.arrive(input, 0, flits[0]);
    if (input != 1) bench.ticks_until(bench.cycle + 5);
  }
  bench.ticks_until(30);
  REQUIRE(bench.departures.size() == 1);
  CHECK(bench.departures[0] == Departure{10 + 2 + params.combine, 1, 0, 0, 0, 0});
  CHECK(bench.hops[0] == 2 + 1);
  CHECK(bench.parts == std::vector<std::pair<unsigned, unsigned>>{{0, 1}, {0, 2}});
  CHECK(bench.freed.size() == 3);
  CHECK(bench.core.combined == 2);
  CHECK(bench.core.copies == 0);
}

TEST_CASE("one stalled part stalls all others, and flits stream when none is stalled", "[router]") {
  ReductionBench<> bench(one_vc(4), 2, 1);
  bench.gatherings = {{{0, 1}, {0}}};
  const std::vector<Flit> a = bench.packet(0, 0, 6);
  const std::vector<Flit> b = bench.packet(1, 0, 6);
  for (unsigned f = 0; f < 6; ++f) {
    bench.arrive(0, 0, a[f]);
    if (f < 3) bench.arrive(1, 0, b[f]);
    if (f == 5) break;
    bench.tick();
    if (!bench.departures.empty()) bench.credit(0, 0);
    if (f == 3) break;  // The buffer of input 0 would overflow.
  }
  bench.ticks_until(20);
  CHECK(bench.departures.size() == 3);  // As many flits as input 1 has delivered.
  CHECK(bench.departures[2].cycle == bench.departures[0].cycle + 2);
}

TEST_CASE("a sum returns by several outputs, all of them at once", "[router]") {
  ReductionBench<> bench(one_vc(2), 2, 3);
  bench.gatherings = {{{0, 1}, {0, 2}}};
  bench.arrive(0, 0, bench.packet(0, 0, 1)[0]);
  bench.arrive(1, 0, bench.packet(1, 0, 1)[0]);
  bench.ticks_until(10);
  REQUIRE(bench.departures.size() == 2);
  CHECK(bench.departures[0].cycle == bench.departures[1].cycle);
  CHECK(bench.core.copies == 1);
  CHECK(bench.core.combined == 1);
}

TEST_CASE("a sum has the hops of its farthest part, whatever the input of that part", "[router]") {
  const auto farthest = GENERATE(0U, 1U, 2U);
  ReductionBench<> bench(one_vc(2), 3, 1);
  bench.gatherings = {{{0, 1, 2}, {0}}};
  for (const unsigned input : {0U, 1U, 2U}) {
    Flit flit = bench.packet(input, 0, 1)[0];
    flit.hops = static_cast<std::uint16_t>(input == farthest ? 7 : 2 + input);
    bench.arrive(input, 0, flit);
  }
  bench.ticks_until(10);
  REQUIRE(bench.hops.size() == 1);
  CHECK(bench.hops[0] == 7 + 1);
}

TEST_CASE("a packet of one part takes no time to be combined", "[router]") {
  RouterParams params = one_vc(2);
  params.combine = 9;
  ReductionBench<> bench(params, 2, 2);
  bench.gatherings = {{{1}, {0, 1}}};
  bench.arrive(1, 0, bench.packet(0, 0, 1)[0]);
  bench.ticks_until(20);
  REQUIRE(bench.departures.size() == 2);
  CHECK(bench.departures[0].cycle == params.pipeline.route + params.pipeline.vc_allocation);
}

// Input 1 has a packet of reduction 1 in front of the part for which input 0 waits.
TEST_CASE("only parts of the same reduction are combined", "[router]") {
  ReductionBench<> bench(one_vc(4), 2, 2);
  bench.gatherings = {{{0, 1}, {0}}, {{1}, {1}}};
  bench.arrive(0, 0, bench.packet(0, 0, 1)[0]);
  bench.arrive(1, 0, bench.packet(1, 1, 1)[0]);
  bench.tick();
  bench.arrive(1, 0, bench.packet(2, 0, 1)[0]);
  bench.ticks_until(20);
  REQUIRE(bench.departures.size() == 2);
  CHECK((bench.departures[0].output == 1 && bench.departures[0].packet == 1));
  CHECK((bench.departures[1].output == 0 && bench.departures[1].packet == 0));
  CHECK(bench.parts == std::vector<std::pair<unsigned, unsigned>>{{0, 2}});
}

// Combining both heads takes so long that all flits arrive meanwhile.
TEST_CASE("two reductions that share an input take turns there", "[router]") {
  RouterParams params = one_vc(4);
  params.virtual_channels = 2;
  params.combine = 9;
  ReductionBench<> bench(params, 3, 2);
  bench.gatherings = {{{0, 1}, {0}}, {{1, 2}, {1}}};
  for (unsigned f = 0; f < 3; ++f) {
    bench.arrive(0, 0, bench.packet(0, 0, 3)[f]);
    bench.arrive(1, 0, bench.packet(1, 0, 3)[f]);
    bench.arrive(2, 1, bench.packet(3, 1, 3)[f]);
    bench.tick();
    bench.arrive(1, 1, bench.packet(2, 1, 3)[f]);
    bench.tick();
  }
  bench.ticks_until(40);
  REQUIRE(bench.departures.size() == 6);
  std::vector<std::uint64_t> cycles;  // The cycles in which input 1 sends a flit.
  for (const Freed& freed : bench.freed) {
    if (freed.input == 1) cycles.push_back(freed.cycle);
  }
  REQUIRE(cycles.size() == 6);
  for (std::size_t c = 1; c < cycles.size(); ++c) CHECK(cycles[c] > cycles[c - 1]);
}

TEST_CASE("parts of unequal length, and packets at inputs of no part, are errors", "[router]") {
  ReductionBench<> bench(one_vc(2), 2, 1);
  bench.gatherings = {{{0, 1}, {0}}, {{1}, {0}}};
  bench.arrive(0, 0, bench.packet(0, 0, 1)[0]);
  bench.arrive(1, 0, bench.packet(1, 0, 2)[0]);
  CHECK_THROWS_AS(bench.ticks_until(10), InvariantError);
  ReductionBench<> other(one_vc(2), 2, 1);
  other.gatherings = bench.gatherings;
  other.arrive(0, 0, other.packet(0, 1, 1)[0]);
  CHECK_THROWS_AS(other.ticks_until(10), InvariantError);
}

namespace {

/// Rounds of some reductions, one per virtual channel, under random stalls on both sides.
template <int kWords>
struct StalledReductions {
  StalledReductions(const RouterParams& params, const std::vector<Gathering>& gatherings,
                    unsigned seed, bool lazy)
      : bench(params, 4, 3) {
    bench.gatherings = gatherings;
    bench.lazy = lazy;
    std::mt19937 random(seed);
    const std::size_t vcs = params.virtual_channels;
    std::vector<std::deque<Flit>> queues(4 * vcs);
    std::vector<unsigned> space(4 * vcs, params.buffer_depth);
    unsigned number = 0;
    for (unsigned turn = 0; turn < 10; ++turn) {
      for (unsigned r = 0; r < gatherings.size(); ++r) {
        const unsigned longest = params.whole_packet_credit ? params.buffer_depth : 5;
        const unsigned length = 1 + static_cast<unsigned>(random()) % longest;
        sent += length * gatherings[r].inputs.size();
        expected += length * gatherings[r].outputs.size();
        for (const unsigned input : gatherings[r].inputs) {
          for (const Flit& flit : bench.packet(number++, r, length)) {
            queues[input * vcs + r].push_back(flit);
          }
        }
      }
    }
    std::deque<std::pair<unsigned, unsigned>> credits;
    for (unsigned cycle = 0; cycle < 4000; ++cycle) {
      for (unsigned input = 0; input < 4; ++input) {
        const std::size_t vc = random() % vcs;
        std::deque<Flit>& queue = queues[input * vcs + vc];
        if (random() % 3 == 0 || queue.empty() || space[input * vcs + vc] == 0) continue;
        bench.arrive(input, static_cast<unsigned>(vc), queue.front());
        queue.pop_front();
        --space[input * vcs + vc];
      }
      if (!credits.empty() && random() % 4 != 0) {
        bench.credit(credits.front().first, credits.front().second);
        credits.pop_front();
      }
      const std::size_t departed = bench.departures.size();
      const std::size_t freed = bench.freed.size();
      bench.tick();
      for (std::size_t d = departed; d < bench.departures.size(); ++d) {
        credits.emplace_back(bench.departures[d].output, bench.departures[d].vc);
      }
      for (std::size_t f = freed; f < bench.freed.size(); ++f) {
        ++space[bench.freed[f].input * vcs + bench.freed[f].vc];
      }
    }
  }

  ReductionBench<kWords> bench;
  std::size_t sent = 0;
  std::size_t expected = 0;
};

const std::vector<Gathering>& overlapping() {
  static const std::vector<Gathering> some{{{0, 1, 2}, {0}}, {{1, 3}, {0, 1, 2}}, {{2}, {2}}};
  return some;
}

RouterParams params_for(unsigned seed) {
  RouterParams params;
  params.virtual_channels = 3;
  params.buffer_depth = 1 + seed % 4;
  params.pipeline.route = seed % 3;
  params.pipeline.vc_allocation = seed / 3 % 3;
  params.combine = seed % 2 * 3;
  params.whole_packet_credit = seed % 5 == 4;
  return params;
}

}  // namespace

TEST_CASE("under any stalls every round of every reduction leaves once and in order", "[router]") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const StalledReductions<1> run(params_for(seed), overlapping(), seed, false);
    REQUIRE(run.bench.departures.size() == run.expected);
    CHECK(run.bench.freed.size() == run.sent);
    CHECK(run.bench.core.combined + run.expected - run.bench.core.copies == run.sent);
    std::vector<unsigned> last(9, 0);  // Indexed by output and VC.
    std::vector<unsigned> left(9, 0);
    for (const Departure& departure : run.bench.departures) {
      const unsigned output_vc = departure.output * 3 + departure.vc;
      REQUIRE((left[output_vc] == 0 ? departure.packet + 1 > last[output_vc]
                                    : departure.packet + 1 == last[output_vc] &&
                                          departure.remaining == left[output_vc] - 1));
      last[output_vc] = departure.packet + 1;
      left[output_vc] = departure.remaining;
    }
    for (unsigned i = 0; i < run.bench.core.vc_index(4, 0); ++i) {
      REQUIRE(run.bench.core.inputs[i].output == InputVc::kNone);
    }
  }
}

TEST_CASE("reductions depend neither on sleep nor on the number of mask words", "[router]") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const StalledReductions<1> awake(params_for(seed), overlapping(), seed, false);
    const StalledReductions<1> lazy(params_for(seed), overlapping(), seed, true);
    const StalledReductions<4> wide(params_for(seed), overlapping(), seed, false);
    CAPTURE(seed);
    CHECK(lazy.bench.departures == awake.bench.departures);
    CHECK(wide.bench.departures == awake.bench.departures);
    CHECK(lazy.bench.ticks < awake.bench.ticks);
  }
}
