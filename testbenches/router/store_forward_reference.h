// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "router/store_forward_run.h"

namespace flitcast {

/// The rules of store_forward_core.h in their simplest form: every cycle examines every copy of
/// every packet so far. Given the inputs of a core, it computes the expected outputs.
class StoreForwardReference {
 public:
  StoreForwardReference(const StoreForwardRun& run, const StoreForwardLog& log)
      : run_(run), log_(log), outputs_(run.outputs), inputs_(run.inputs) {
    const unsigned vcs = run.params.virtual_channels;
    for (Output& output : outputs_) {
      output.credits.assign(vcs, run.params.buffer_depth);
      output.last_vc = vcs - 1;
    }
    for (Input& input : inputs_) {
      input.owed.assign(vcs, 0);
      input.last_vc = vcs - 1;
    }
    for (now_ = 0; now_ < log.cycles; ++now_) cycle();
  }

  std::vector<CopyDeparture> departures;
  std::vector<Freed> freed;
  std::uint32_t max_queue = 0;
  std::uint32_t max_held = 0;

 private:
  static constexpr std::uint64_t kLater = ~std::uint64_t{0};

  struct OneCopy {
    Branch branch;
    std::uint64_t joins = kLater;
    bool started = false;
    unsigned sent = 0;
  };
  struct OnePacket {
    unsigned input = 0;
    unsigned vc = 0;
    Flit head;
    unsigned length = 0;
    unsigned arrived = 0;
    std::vector<OneCopy> copies;
  };
  struct Output {
    std::vector<unsigned> credits;
    unsigned last_vc = 0;
    std::uint64_t free_at = 0;
    OnePacket* packet = nullptr;  // The packet that is leaving.
    OneCopy* copy = nullptr;
  };
  struct Input {
    std::vector<unsigned> owed;
    unsigned last_vc = 0;
  };

  void cycle() {
    for (; credit_ < log_.credits.size() && log_.credits[credit_].cycle == now_; ++credit_) {
      ++outputs_[log_.credits[credit_].input].credits[log_.credits[credit_].vc];
    }
    for (; arrival_ < log_.arrivals.size() && log_.arrivals[arrival_].cycle == now_; ++arrival_) {
      arrive(log_.arrivals[arrival_]);
    }
    measure();
    for (unsigned output = 0; output < run_.outputs; ++output) serve(output);
    for (unsigned input = 0; input < run_.inputs; ++input) return_credit(input);
  }

  void arrive(const Arrival& arrival) {
    const unsigned number = index(arrival.flit.packet);
    OnePacket& packet = packets_[number];
    const unsigned pipeline = run_.params.pipeline.route + run_.params.pipeline.vc_allocation;
    ++packet.arrived;
    if (arrival.flit.head) {
      packet.input = arrival.input;
      packet.vc = arrival.vc;
      packet.head = arrival.flit;
      packet.length = arrival.flit.remaining + 1U;
      for (const Branch& branch : log_.plans.at(number).branches) packet.copies.push_back({branch});
    }
    for (OneCopy& copy : packet.copies) {
      const bool early = run_.from_node(packet.input) || run_.to_node(index(copy.branch.output));
      if (early && arrival.flit.head) copy.joins = now_ + pipeline;
      if (!early && arrival.flit.tail()) copy.joins = now_ + run_.params.flit_time + pipeline;
    }
  }

  template <class Visit>
  void for_each_queued(unsigned output, Visit&& visit) {
    for (auto& [number, packet] : packets_) {
      for (OneCopy& copy : packet.copies) {
        if (index(copy.branch.output) != output || copy.started || copy.joins > now_) continue;
        visit(number, packet, copy);
      }
    }
  }

  void measure() {
    std::uint32_t held = 0;
    for (unsigned output = 0; output < run_.outputs; ++output) {
      if (run_.to_node(output)) continue;
      std::uint32_t queue = 0;
      for_each_queued(output, [&](unsigned, OnePacket&, OneCopy&) { ++queue; });
      max_queue = std::max(max_queue, queue);
      if (queue > 1) held += queue - 1;
    }
    max_held = std::max(max_held, held);
  }

  void start(unsigned output) {
    Output& out = outputs_[output];
    using Key = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;
    Key smallest{};
    for_each_queued(output, [&](unsigned number, OnePacket& packet, OneCopy& copy) {
      bool credited = false;
      for (unsigned vc = 0; vc < out.credits.size(); ++vc) {
        credited = credited || (out.credits[vc] > 0 && (copy.branch.vcs >> vc & 1) != 0);
      }
      const PacketPlan& plan = log_.plans.at(number);
      const Key key{plan.rank, copy.joins, plan.id};
      if (!credited || (out.copy != nullptr && smallest < key)) return;
      smallest = key;
      out.packet = &packet;
      out.copy = &copy;
    });
    if (out.copy == nullptr) return;
    do {
      out.last_vc = (out.last_vc + 1) % static_cast<unsigned>(out.credits.size());
    } while (out.credits[out.last_vc] == 0 || (out.copy->branch.vcs >> out.last_vc & 1) == 0);
    --out.credits[out.last_vc];
    out.copy->started = true;
  }

  void serve(unsigned output) {
    Output& out = outputs_[output];
    if (now_ < out.free_at) return;
    if (out.copy == nullptr) start(output);
    if (out.copy == nullptr || out.copy->sent == out.packet->arrived) return;
    const bool head = out.copy->sent++ == 0;
    const unsigned remaining = out.packet->length - out.copy->sent;
    departures.push_back({now_, output, out.last_vc, index(out.packet->head.packet), remaining,
                          head, out.packet->head.hops + 1U, out.copy->branch.route_field});
    out.free_at = now_ + run_.period(output);
    if (remaining > 0) return;
    const Pipeline& stages = run_.params.pipeline;
    const unsigned td = stages.route + stages.vc_allocation + stages.switch_allocation +
                        stages.traversal + run_.latency;
    if (!run_.to_node(output)) out.free_at += td;
    const std::vector<OneCopy>& copies = out.packet->copies;
    if (std::all_of(copies.begin(), copies.end(),
                    [&](const OneCopy& copy) { return copy.sent == out.packet->length; })) {
      ++inputs_[out.packet->input].owed[out.packet->vc];
    }
    out.copy = nullptr;
  }

  void return_credit(unsigned input) {
    Input& in = inputs_[input];
    const auto vcs = static_cast<unsigned>(in.owed.size());
    for (unsigned step = 1; step <= vcs; ++step) {
      const unsigned vc = (in.last_vc + step) % vcs;
      if (in.owed[vc] == 0) continue;
      --in.owed[vc];
      in.last_vc = vc;
      freed.push_back({now_, input, vc});
      return;
    }
  }

  const StoreForwardRun& run_;
  const StoreForwardLog& log_;
  std::vector<Output> outputs_;
  std::vector<Input> inputs_;
  std::map<unsigned, OnePacket> packets_;
  std::size_t arrival_ = 0;
  std::size_t credit_ = 0;
  std::uint64_t now_ = 0;
};

}  // namespace flitcast
