// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "router/core_bench.h"

namespace flitcast {

/// True if a neighbour takes part in a cycle.
using Willing = std::function<bool()>;

/// A core between neighbours. Every input VC has an unbounded source queue with credits; behind
/// every output VC is a buffer of the same depth, which frees its slots in order of arrival.
///
/// The delays default to those of the reference router: 1 cycle each of switch allocation,
/// traversal, link and credit wire.
template <int kWords = 1, template <int> class Core = WormholeCore>
class Neighbours {
 public:
  Neighbours(const RouterParams& params, unsigned inputs, unsigned outputs)
      : bench(params, inputs, outputs), sources_(inputs), sinks_(outputs) {
    for (Source& source : sources_) {
      source.queues.resize(params.virtual_channels);
      source.credits.assign(params.virtual_channels, params.buffer_depth);
    }
    for (Sink& sink : sinks_) sink.held.assign(params.virtual_channels, 0);
  }

  /// Appends a packet to the source queue of an input VC; returns its number.
  unsigned send(unsigned input, unsigned vc, unsigned output, unsigned length) {
    const std::vector<Flit> flits = make_packet(packets, output, length);
    std::deque<Flit>& queue = sources_[input].queues[vc];
    queue.insert(queue.end(), flits.begin(), flits.end());
    return packets++;
  }

  void run(std::uint64_t cycles) {
    for (std::uint64_t end = bench.cycle + cycles; bench.cycle < end;) step();
  }

  /// The number of flits that leave in the next `cycles` cycles.
  std::size_t count(std::uint64_t cycles) {
    const std::size_t before = bench.departures.size();
    run(cycles);
    return bench.departures.size() - before;
  }

  CoreBench<kWords, Core> bench;
  unsigned packets = 0;
  unsigned flits_sent = 0;
  /// Largest number of flits in a buffer behind an output VC so far.
  unsigned most_held = 0;
  bool whole_packets = false;      ///< True: sources change the VC only behind tails.
  std::uint64_t link_delay = 3;    ///< Cycles from a neighbour's grant to the arrival.
  std::uint64_t credit_delay = 2;  ///< Cycles from the core's grant to the use of the credit.
  Willing source_willing = [] { return true; };
  Willing sink_willing = [] { return true; };

 private:
  struct Sent {
    std::uint64_t due;
    unsigned vc;
    Flit flit;
  };
  struct Due {
    std::uint64_t due;
    unsigned vc;
  };
  struct Source {
    std::vector<std::deque<Flit>> queues;
    std::vector<unsigned> credits;
    std::deque<Sent> link;
    std::deque<Due> credit_wire;
    unsigned last = 0;
    bool inside_packet = false;
  };
  struct Sink {
    std::deque<Due> credit_wire;
    std::vector<unsigned> held;
  };

  void step() {
    for (unsigned input = 0; input < sources_.size(); ++input) play_source(input);
    for (unsigned output = 0; output < sinks_.size(); ++output) play_sink(output);
    const std::size_t departed = bench.departures.size();
    const std::size_t freed = bench.freed.size();
    const std::uint64_t now = bench.cycle;
    bench.tick();
    for (std::size_t d = departed; d < bench.departures.size(); ++d) {
      const Departure& departure = bench.departures[d];
      Sink& sink = sinks_[departure.output];
      sink.credit_wire.push_back({now + link_delay + credit_delay, departure.vc});
      most_held = std::max(most_held, ++sink.held[departure.vc]);
    }
    for (std::size_t f = freed; f < bench.freed.size(); ++f) {
      sources_[bench.freed[f].input].credit_wire.push_back({now + credit_delay, bench.freed[f].vc});
    }
  }

  void play_source(unsigned input) {
    Source& source = sources_[input];
    while (!source.credit_wire.empty() && source.credit_wire.front().due <= bench.cycle) {
      ++source.credits[source.credit_wire.front().vc];
      source.credit_wire.pop_front();
    }
    if (source_willing()) launch(source);
    if (!source.link.empty() && source.link.front().due <= bench.cycle) {
      bench.arrive(input, source.link.front().vc, source.link.front().flit);
      source.link.pop_front();
    }
  }

  // Sends one flit; the VCs take turns.
  void launch(Source& source) {
    const auto vcs = static_cast<unsigned>(source.queues.size());
    const bool stay = whole_packets && source.inside_packet;
    for (unsigned step = stay ? 0 : 1; step <= (stay ? 0 : vcs); ++step) {
      const unsigned vc = (source.last + step) % vcs;
      if (source.queues[vc].empty() || source.credits[vc] == 0) continue;
      source.link.push_back({bench.cycle + link_delay, vc, source.queues[vc].front()});
      source.inside_packet = !source.queues[vc].front().tail();
      source.queues[vc].pop_front();
      --source.credits[vc];
      ++flits_sent;
      source.last = vc;
      return;
    }
  }

  void play_sink(unsigned output) {
    Sink& sink = sinks_[output];
    const bool due = !sink.credit_wire.empty() && sink.credit_wire.front().due <= bench.cycle;
    if (!due || !sink_willing()) return;
    --sink.held[sink.credit_wire.front().vc];
    bench.credit(output, sink.credit_wire.front().vc);
    sink.credit_wire.pop_front();
  }

  std::vector<Source> sources_;
  std::vector<Sink> sinks_;
};

}  // namespace flitcast
