// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "router/core_bench.h"
#include "router/store_forward_core.h"

namespace flitcast {

/// A flit of one copy of a packet that has been granted its output.
struct CopyDeparture {
  std::uint64_t cycle = 0;
  unsigned output = 0;
  unsigned vc = 0;
  unsigned packet = 0;
  unsigned remaining = 0;
  bool head = false;
  unsigned hops = 0;
  unsigned reach = 0;

  friend bool operator==(const CopyDeparture& a, const CopyDeparture& b) {
    return a.cycle == b.cycle && a.output == b.output && a.vc == b.vc && a.packet == b.packet &&
           a.remaining == b.remaining && a.head == b.head && a.hops == b.hops && a.reach == b.reach;
  }
};

/// What a test says about a packet besides its flits.
struct PacketPlan {
  std::vector<Branch> branches;
  std::uint32_t rank = 0;
  std::uint64_t id = 0;
};

/// One store-and-forward core without neighbours: a test says what arrives in a cycle, ends the
/// cycle by tick(), and reads what left. All outputs are connected. A packet without a plan takes
/// any VC of the output in its destination, has rank 0, and its number is its id.
template <int kWords = 1>
class StoreForwardBench {
  std::vector<std::byte> storage_;  // In front of the core, which works in it.

 public:
  StoreForwardBench(const RouterParams& params, unsigned inputs, unsigned outputs)
      : storage_(StoreForwardCore<kWords>::storage_bytes(params, inputs, outputs)),
        core(params, inputs, outputs, storage_.data()),
        landed_(inputs),
        any_vc_(vc_range(0, params.virtual_channels)) {
    for (unsigned output = 0; output < outputs; ++output) core.connect_output(output);
  }

  StoreForwardBench(StoreForwardBench&&) noexcept = default;  // A copy would share the storage.

  void arrive(unsigned input, unsigned vc, const Flit& flit) {
    landed_[input] = flit;
    arrivals_.set(core.vc_index(input, vc));
    due_ = true;
  }
  /// A whole packet in this and the following cycles, alone.
  void arrive_whole(unsigned input, unsigned vc, const std::vector<Flit>& packet) {
    for (const Flit& flit : packet) {
      arrive(input, vc, flit);
      tick();
    }
  }
  void credit(unsigned output, unsigned vc) {
    core.credit(BitMask<kWords>::of(core.vc_index(output, vc)));
    due_ = true;
  }
  void tick() {
    if (due_ || !lazy) {
      core.accept(arrivals_, *this);
      due_ = core.tick(*this, cycle);
      ++ticks;
    }
    arrivals_ = BitMask<kWords>{};
    ++cycle;
  }
  void ticks_until(std::uint64_t end) {
    while (cycle < end) tick();
  }

  // What the core asks of its surroundings.
  const Flit& landed(unsigned input) const { return landed_[input]; }
  void branches(unsigned, unsigned, const Flit& head, Branches& branches) const {
    const auto plan = plans.find(index(head.packet));
    if (plan == plans.end()) {
      branches.add({PortId{static_cast<std::uint16_t>(index(head.destination))}, any_vc_, 0});
    } else {
      for (const Branch& branch : plan->second.branches) branches.add(branch);
    }
  }
  std::uint32_t rank(unsigned, const Flit& head) const {
    const auto plan = plans.find(index(head.packet));
    return plan == plans.end() ? 0 : plan->second.rank;
  }
  std::uint64_t packet_id(const Flit& head) const {
    const auto plan = plans.find(index(head.packet));
    return plan == plans.end() ? index(head.packet) : plan->second.id;
  }
  void depart(unsigned output, unsigned vc, unsigned, const Flit& flit) {
    departures.push_back(
        {cycle, output, vc, index(flit.packet), flit.remaining, flit.head, flit.hops, flit.reach});
  }
  void return_credit(unsigned input, unsigned vc) { freed.push_back({cycle, input, vc}); }

  StoreForwardCore<kWords> core;
  std::map<unsigned, PacketPlan> plans;  ///< By packet number.
  bool lazy = false;  ///< Tick only when something has arrived or the last tick left work.
  std::uint64_t cycle = 0;
  std::uint64_t ticks = 0;
  std::vector<CopyDeparture> departures;
  std::vector<Freed> freed;

 private:
  std::vector<Flit> landed_;
  BitMask<kWords> arrivals_{};
  VcSet any_vc_;
  bool due_ = false;
};

}  // namespace flitcast
