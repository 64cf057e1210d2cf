// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <random>
#include <vector>

#include "router/multicast_bench.h"

namespace flitcast {

/// A MulticastCore between neighbours. Every input VC has an unbounded source queue, from which one
/// flit per cycle enters if there is space. Every output has a queue of credits in order of
/// departure, of which one returns per cycle.
template <int kWords = 1>
class MulticastNeighbours {
 public:
  struct Sent {
    unsigned input = 0;
    unsigned vc = 0;
    unsigned length = 0;
  };

  MulticastNeighbours(const RouterParams& params, unsigned inputs, unsigned outputs)
      : bench(params, inputs, outputs),
        vcs_(params.virtual_channels),
        queues_(inputs * vcs_),
        space_(inputs * vcs_, params.buffer_depth),
        last_(inputs, 0),
        credits_(outputs) {}

  /// Appends a packet to the source queue of an input VC; returns its number.
  unsigned send(unsigned input, unsigned vc, const std::vector<unsigned>& outputs,
                unsigned length) {
    const std::vector<Flit> flits = bench.packet(outputs, length);
    std::deque<Flit>& queue = queues_[input * vcs_ + vc];
    queue.insert(queue.end(), flits.begin(), flits.end());
    packets.push_back({input, vc, length});
    flits_sent += length;
    copies_sent += length * outputs.size();
    return static_cast<unsigned>(packets.size() - 1);
  }

  void run(std::uint64_t cycles) {
    for (std::uint64_t end = bench.cycle + cycles; bench.cycle < end;) step();
  }
  /// Runs until all flits have left and all credits are back, or for `most` cycles.
  void drain(std::uint64_t most) {
    for (const std::uint64_t end = bench.cycle + most; bench.cycle < end && !drained();) step();
  }
  bool drained() const {
    const auto empty = [](const auto& credits) { return credits.empty(); };
    return bench.departures.size() == copies_sent && bench.freed.size() == flits_sent &&
           std::all_of(credits_.begin(), credits_.end(), empty);
  }
  /// Copies of a packet's flits that have left.
  std::size_t copies_of(unsigned packet) const {
    return static_cast<std::size_t>(
        std::count_if(bench.departures.begin(), bench.departures.end(),
                      [&](const Departure& departure) { return departure.packet == packet; }));
  }

  MulticastBench<kWords> bench;
  std::vector<Sent> packets;
  std::size_t flits_sent = 0;
  std::size_t copies_sent = 0;
  /// True if an input's source takes part in a cycle.
  std::function<bool(unsigned)> source_willing = [](unsigned) { return true; };
  /// True if an output's sink takes part in a cycle.
  std::function<bool(unsigned)> sink_willing = [](unsigned) { return true; };

 private:
  void step() {
    for (unsigned input = 0; input < last_.size(); ++input) {
      if (source_willing(input)) play_source(input);
    }
    for (unsigned output = 0; output < credits_.size(); ++output) {
      if (credits_[output].empty() || !sink_willing(output)) continue;
      bench.credit(output, credits_[output].front());
      credits_[output].pop_front();
    }
    const std::size_t departed = bench.departures.size();
    const std::size_t freed = bench.freed.size();
    bench.tick();
    for (std::size_t d = departed; d < bench.departures.size(); ++d) {
      credits_[bench.departures[d].output].push_back(bench.departures[d].vc);
    }
    for (std::size_t f = freed; f < bench.freed.size(); ++f) {
      ++space_[bench.freed[f].input * vcs_ + bench.freed[f].vc];
    }
  }

  // Sends one flit; the VCs take turns.
  void play_source(unsigned input) {
    for (unsigned step = 1; step <= vcs_; ++step) {
      const unsigned vc = (last_[input] + step) % vcs_;
      std::deque<Flit>& queue = queues_[input * vcs_ + vc];
      if (queue.empty() || space_[input * vcs_ + vc] == 0) continue;
      bench.arrive(input, vc, queue.front());
      queue.pop_front();
      --space_[input * vcs_ + vc];
      last_[input] = vc;
      return;
    }
  }

  unsigned vcs_;
  std::vector<std::deque<Flit>> queues_;       // Source queue per input VC.
  std::vector<unsigned> space_;                // Free slots per input VC.
  std::vector<unsigned> last_;                 // Per input: the VC that sent last.
  std::vector<std::deque<unsigned>> credits_;  // Per output: VCs whose credits have not returned.
};

/// Random packets to random sets of outputs, with random stalls on both sides.
///
/// Branching packets come from one VC of at most as many inputs as there are VCs, so that they
/// cannot wait for each other's output VCs in a cycle; other packets have one branch. Single
/// asynchronous flits cannot form such a cycle, so all of them may branch.
struct MulticastRun {
  RouterParams params{};
  unsigned inputs = 3;
  unsigned outputs = 3;
  unsigned seed = 1;
  unsigned packets_per_vc = 10;
  unsigned longest = 5;
  unsigned willing_percent = 60;
  unsigned slow_period = 1;  ///< Cycles per flit of output 0.
  bool all_branch = false;
  bool lazy = false;

  template <int kWords>
  MulticastNeighbours<kWords> play() const {
    MulticastNeighbours<kWords> network(params, inputs, outputs);
    network.bench.lazy = lazy;
    network.bench.core.connect_output(0, {slow_period});
    std::mt19937 random(seed);
    for (unsigned input = 0; input < inputs; ++input) {
      for (unsigned vc = 0; vc < params.virtual_channels; ++vc) {
        for (unsigned packet = 0; packet < packets_per_vc; ++packet) {
          const unsigned most = may_branch(input, vc) ? outputs : 1;
          network.send(input, vc, random_outputs(random, most),
                       1 + static_cast<unsigned>(random()) % longest);
        }
      }
    }
    const auto willing = [&](unsigned) { return random() % 100 < willing_percent; };
    network.source_willing = network.sink_willing = willing;
    network.run(300);
    network.source_willing = network.sink_willing = [](unsigned) { return true; };
    // The limit suffices even if copies leave one at a time.
    network.drain(50 * network.copies_sent * slow_period);
    return network;
  }

 private:
  bool may_branch(unsigned input, unsigned vc) const {
    return all_branch || (input < params.virtual_channels && vc == input);
  }
  std::vector<unsigned> random_outputs(std::mt19937& random, unsigned most) const {
    std::vector<unsigned> all(outputs);
    for (unsigned output = 0; output < outputs; ++output) all[output] = output;
    for (unsigned rest = outputs; rest > 1; --rest) {
      std::swap(all[rest - 1], all[random() % rest]);
    }
    all.resize(1 + random() % most);
    return all;
  }
};

}  // namespace flitcast
