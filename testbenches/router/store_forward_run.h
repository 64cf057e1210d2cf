// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <vector>

#include "router/store_forward_bench.h"

namespace flitcast {

/// A flit that reached the core.
struct Arrival {
  std::uint64_t cycle = 0;
  unsigned input = 0;
  unsigned vc = 0;
  Flit flit;
};

/// Random packets through one core between neighbours that stall at random: sources that send only
/// with credit, and sinks that free their slots late and in any order.
struct StoreForwardRun {
  RouterParams params{};
  unsigned inputs = 3;
  unsigned outputs = 3;
  unsigned node_inputs = 1;   ///< The last inputs, which come from nodes.
  unsigned node_outputs = 1;  ///< The last outputs, which lead to nodes.
  unsigned latency = 1;       ///< Latency of the channels to routers.
  unsigned seed = 1;
  unsigned packets_per_vc = 8;
  unsigned longest = 5;
  unsigned ranks = 3;
  /// Probability of each output besides the first to be a branch of a packet.
  unsigned branch_percent = 30;
  unsigned willing_percent = 50;
  bool lazy = false;

  bool from_node(unsigned input) const { return input + node_inputs >= inputs; }
  bool to_node(unsigned output) const { return output + node_outputs >= outputs; }
  /// Cycles per flit of an output's channel.
  unsigned period(unsigned output) const { return to_node(output) ? 1 : params.flit_time; }
};

/// All inputs and outputs of the core.
struct StoreForwardLog {
  std::map<unsigned, PacketPlan> plans;
  std::vector<Arrival> arrivals;
  std::vector<Freed> credits;  ///< Credits that reached the core, by output.
  std::vector<CopyDeparture> departures;
  std::vector<Freed> freed;
  std::uint32_t max_queue = 0;
  std::uint32_t max_held = 0;
  std::uint64_t ticks = 0;
  std::uint64_t cycles = 0;
  /// True if at the end no packet and no flit is left and every credit has returned.
  bool empty = false;
};

template <int kWords>
class StoreForwardPlay {
 public:
  explicit StoreForwardPlay(const StoreForwardRun& run)
      : run_(run),
        bench_(run.params, run.inputs, run.outputs),
        random_(run.seed),
        sources_(run.inputs),
        sinks_(run.outputs) {
    bench_.lazy = run.lazy;
    for (unsigned input = 0; input < run.inputs; ++input) set_up_source(input);
    for (unsigned output = 0; output < run.outputs; ++output) {
      bench_.core.connect_output(output, {run.period(output), run.latency, run.to_node(output)});
    }
  }

  StoreForwardLog play() {
    const unsigned packets = static_cast<unsigned>(bench_.plans.size());
    while (log_.freed.size() < packets && bench_.cycle < 2000 + 400 * packets) step();
    // Runs on for credits in flight and unexpected flits.
    for (int cycle = 0; cycle < 100; ++cycle) step();
    log_.plans = bench_.plans;
    log_.departures = bench_.departures;
    log_.max_queue = bench_.core.max_queue;
    log_.max_held = bench_.core.max_held;
    log_.ticks = bench_.ticks;
    log_.cycles = bench_.cycle;
    log_.empty = at_rest();
    return log_;
  }

 private:
  struct Source {
    std::vector<std::deque<Flit>> queues;  // Source queue per VC.
    std::vector<unsigned> credits;
  };

  unsigned below(std::size_t bound) { return static_cast<unsigned>(random_() % bound); }
  bool willing() { return below(100) < run_.willing_percent; }

  void set_up_source(unsigned input) {
    if (run_.from_node(input)) bench_.core.connect_node_input(input);
    sources_[input].queues.resize(run_.params.virtual_channels);
    sources_[input].credits.assign(run_.params.virtual_channels, run_.params.buffer_depth);
    for (std::deque<Flit>& queue : sources_[input].queues) {
      for (unsigned packet = 0; packet < run_.packets_per_vc; ++packet) add_packet(queue);
    }
  }

  void add_packet(std::deque<Flit>& queue) {
    const auto number = static_cast<unsigned>(bench_.plans.size());
    for (Flit flit : make_packet(number, 0, 1 + below(run_.longest))) {
      flit.hops = static_cast<std::uint16_t>(number % 7);
      queue.push_back(flit);
    }
    PacketPlan plan{{}, below(run_.ranks), std::uint64_t{random_()} << 32 | number};
    const unsigned first = below(run_.outputs);
    for (unsigned step = 0; step < run_.outputs; ++step) {
      if (step > 0 && (!run_.params.multicast || below(100) >= run_.branch_percent)) continue;
      const auto output = static_cast<std::uint16_t>((first + step) % run_.outputs);
      const VcSet vcs = 1 + below(vc_range(0, run_.params.virtual_channels));
      plan.branches.push_back({PortId{output}, vcs, static_cast<std::uint16_t>(below(1000))});
    }
    bench_.plans[number] = plan;
  }

  void step() {
    const std::size_t departed = bench_.departures.size();
    const std::size_t freed = bench_.freed.size();
    for (unsigned output = 0; output < run_.outputs; ++output) play_sink(output);
    for (unsigned input = 0; input < run_.inputs; ++input) play_source(input);
    bench_.tick();
    for (std::size_t d = departed; d < bench_.departures.size(); ++d) {
      const CopyDeparture& flit = bench_.departures[d];
      if (flit.remaining == 0) sinks_[flit.output].push_back(flit.vc);
    }
    for (std::size_t f = freed; f < bench_.freed.size(); ++f) {
      ++sources_[bench_.freed[f].input].credits[bench_.freed[f].vc];
      log_.freed.push_back(bench_.freed[f]);
    }
  }

  // Sends at most one flit, of any VC that may send.
  void play_source(unsigned input) {
    if (!willing()) return;
    Source& source = sources_[input];
    const unsigned vcs = run_.params.virtual_channels;
    const unsigned first = below(vcs);
    for (unsigned step = 0; step < vcs; ++step) {
      const unsigned vc = (first + step) % vcs;
      std::deque<Flit>& queue = source.queues[vc];
      if (queue.empty() || (queue.front().head && source.credits[vc] == 0)) continue;
      if (queue.front().head) --source.credits[vc];
      bench_.arrive(input, vc, queue.front());
      log_.arrivals.push_back({bench_.cycle, input, vc, queue.front()});
      queue.pop_front();
      return;
    }
  }

  // Frees a random occupied slot.
  void play_sink(unsigned output) {
    std::vector<unsigned>& taken = sinks_[output];
    if (taken.empty() || !willing()) return;
    std::swap(taken[below(taken.size())], taken.back());
    bench_.credit(output, taken.back());
    log_.credits.push_back({bench_.cycle, output, taken.back()});
    taken.pop_back();
  }

  bool at_rest() const {
    const StoreForwardCore<kWords>& core = bench_.core;
    bool result = core.stored_flits == 0;
    for (unsigned vc = 0; vc < run_.params.virtual_channels; ++vc) {
      for (unsigned input = 0; input < run_.inputs; ++input) {
        result = result && core.inputs[core.vc_index(input, vc)].count == 0 &&
                 sources_[input].credits[vc] == run_.params.buffer_depth;
      }
      for (unsigned output = 0; output < run_.outputs; ++output) {
        result = result && core.outputs[core.vc_index(output, vc)].credits == core.depth;
      }
    }
    return result && core.copies + log_.arrivals.size() == bench_.departures.size();
  }

  const StoreForwardRun run_;
  StoreForwardBench<kWords> bench_;
  std::mt19937 random_;
  std::vector<Source> sources_;
  std::vector<std::vector<unsigned>> sinks_;  // Per output: the VCs of the occupied slots.
  StoreForwardLog log_;
};

template <int kWords = 1>
StoreForwardLog play(const StoreForwardRun& run) {
  return StoreForwardPlay<kWords>(run).play();
}

}  // namespace flitcast
