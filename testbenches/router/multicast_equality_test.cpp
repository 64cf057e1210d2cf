// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <random>

#include "router/multicast_bench.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Runs both cores under the same random arrivals and credits and compares them after every cycle.
template <int kWords>
class Lockstep {
 public:
  Lockstep(const RouterParams& params, unsigned inputs, unsigned outputs, unsigned seed)
      : unicast_(params, inputs, outputs),
        multicast_(params, inputs, outputs),
        vcs_(params.virtual_channels),
        longest_(params.whole_packet_credit ? std::min(5U, params.buffer_depth) : 5),
        space_(inputs * vcs_, params.buffer_depth),
        queues_(inputs * vcs_),
        held_(outputs * vcs_, 0),
        random_(seed) {
    unicast_.lazy = multicast_.lazy = true;
  }

  void slow_down(unsigned output, unsigned period) {
    unicast_.core.connect_output(output, {period});
    multicast_.core.connect_output(output, {period});
  }

  void run(unsigned cycles, unsigned source_percent, unsigned sink_percent) {
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
      for (unsigned input = 0; input < queues_.size() / vcs_; ++input) {
        if (random_() % 100 < source_percent) play_source(input);
      }
      for (unsigned output = 0; output < held_.size() / vcs_; ++output) {
        if (random_() % 100 < sink_percent) play_sink(output);
      }
      tick();
    }
  }
  std::size_t departed() const { return unicast_.departures.size(); }

 private:
  void play_source(unsigned input) {
    const unsigned vc = static_cast<unsigned>(random_()) % vcs_;
    std::deque<Flit>& queue = queues_[input * vcs_ + vc];
    if (queue.empty()) new_packet(queue);
    if (space_[input * vcs_ + vc] == 0) return;
    --space_[input * vcs_ + vc];
    unicast_.arrive(input, vc, queue.front());
    multicast_.arrive(input, vc, queue.front());
    queue.pop_front();
  }

  void new_packet(std::deque<Flit>& queue) {
    const auto output = static_cast<unsigned>(random_() % (held_.size() / vcs_));
    const unsigned length = 1 + static_cast<unsigned>(random_()) % longest_;
    std::vector<Flit> flits = multicast_.packet({output}, length);
    for (Flit& flit : flits) flit.destination = NodeId{output};
    queue.assign(flits.begin(), flits.end());
  }

  void play_sink(unsigned output) {
    const unsigned vc = static_cast<unsigned>(random_()) % vcs_;
    if (held_[output * vcs_ + vc] == 0) return;
    --held_[output * vcs_ + vc];
    unicast_.credit(output, vc);
    multicast_.credit(output, vc);
  }

  void tick() {
    const std::size_t departed = unicast_.departures.size();
    const std::size_t freed = unicast_.freed.size();
    unicast_.tick();
    multicast_.tick();
    REQUIRE(multicast_.ticks == unicast_.ticks);
    const auto departures = by_port(unicast_.departures, &Departure::output, departed);
    const auto given_back = by_port(unicast_.freed, &Freed::input, freed);
    REQUIRE(by_port(multicast_.departures, &Departure::output, departed) == departures);
    REQUIRE(by_port(multicast_.freed, &Freed::input, freed) == given_back);
    for (const Departure& departure : departures) {
      ++held_[departure.output * vcs_ + departure.vc];
    }
    for (const Freed& slot : given_back) ++space_[slot.input * vcs_ + slot.vc];
  }

  CoreBench<kWords> unicast_;
  MulticastBench<kWords> multicast_;
  unsigned vcs_;
  unsigned longest_;
  std::vector<unsigned> space_;           // Per input VC.
  std::vector<std::deque<Flit>> queues_;  // Remaining flits of a packet that is arriving.
  std::vector<unsigned> held_;            // Flits per output VC whose credit has not returned.
  std::mt19937 random_;
};

template <int kWords>
std::size_t compare(const RouterParams& params, unsigned inputs, unsigned outputs, unsigned seed) {
  Lockstep<kWords> lockstep(params, inputs, outputs, seed);
  if (seed % 3 == 1) lockstep.slow_down(seed % outputs, 1 + seed % 4);
  lockstep.run(150, 90, 90);
  lockstep.run(150, 20, 90);
  lockstep.run(150, 90, 20);
  return lockstep.departed();
}

}  // namespace

TEST_CASE("packets with one branch each behave as in the wormhole core, cycle by cycle",
          "[router]") {
  const bool synchronous = GENERATE(false, true);
  const unsigned virtual_channels = GENERATE(1U, 2U, 3U, 4U, 8U);
  unsigned seed = virtual_channels;
  for (unsigned route = 0; route <= 3; ++route) {
    for (unsigned vc_allocation = 0; vc_allocation <= 3; ++vc_allocation, ++seed) {
      RouterParams params;
      params.virtual_channels = virtual_channels;
      params.buffer_depth = 1 + seed % 6;
      params.pipeline.route = route;
      params.pipeline.vc_allocation = vc_allocation;
      params.whole_packet_credit = seed / 2 % 2 == 1;
      params.synchronous_copies = synchronous;
      const unsigned inputs = 2 + seed % 5;
      const unsigned outputs = 2 + seed / 4 % 6;
      CAPTURE(route, vc_allocation, params.buffer_depth, inputs, outputs, seed);
      CHECK(compare<1>(params, inputs, outputs, seed) > 100);
      CHECK(compare<2>(params, 2 * inputs, 2 * outputs, seed) > 100);
    }
  }
}
