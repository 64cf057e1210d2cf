// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "router/core_bench.h"
#include "router/store_forward_core.h"

namespace flitcast {

/// A flit of a copy whose output has been granted.
struct CopyDeparture {
  std::uint64_t cycle = 0;
  unsigned output = 0;
  unsigned vc = 0;
  unsigned packet = 0;
  unsigned remaining = 0;
  bool head = false;
  unsigned hops = 0;
  unsigned route_field = 0;

  friend bool operator==(const CopyDeparture& a, const CopyDeparture& b) {
    return a.cycle == b.cycle && a.output == b.output && a.vc == b.vc && a.packet == b.packet &&
           a.remaining == b.remaining && a.head == b.head && a.hops == b.hops &&
           a.route_field == b.route_field;
  }
};

/// Properties of a packet that its flits do not carry.
struct PacketPlan {
  std::vector<Branch> branches;
  std::uint32_t rank = 0;
  std::uint64_t id = 0;
};

/// A StoreForwardCore without neighbours. A packet without a plan takes any VC of the output in its
/// destination, has rank 0, and its number as its id.
template <int kWords = 1>
class StoreForwardBench
    : public BenchOf<StoreForwardCore<kWords>, StoreForwardBench<kWords>, CopyDeparture> {
  using Base = BenchOf<StoreForwardCore<kWords>, StoreForwardBench<kWords>, CopyDeparture>;

 public:
  StoreForwardBench(const RouterParams& params, unsigned inputs, unsigned outputs)
      : Base(params, inputs, outputs),
        landed_(inputs),
        any_vc_(vc_range(0, params.virtual_channels)) {}

  void arrive(unsigned input, unsigned vc, const Flit& flit) {
    landed_[input] = flit;
    arrivals_.set(Base::core.vc_index(input, vc));
    Base::due_ = true;
  }
  /// Feeds a whole packet, one flit per cycle from this cycle on.
  void arrive_whole(unsigned input, unsigned vc, const std::vector<Flit>& packet) {
    for (const Flit& flit : packet) {
      arrive(input, vc, flit);
      Base::tick();
    }
  }
  void take_arrivals() {
    Base::core.accept(arrivals_, *this);
    arrivals_ = BitMask<kWords>{};
  }

  const Flit& landed(unsigned input) const { return landed_[input]; }
  void branches(unsigned, unsigned, const Flit& head, Branches& branches) const {
    const auto plan = plans.find(index(head.packet));
    if (plan == plans.end()) {
      branches.add({PortId{static_cast<std::uint16_t>(index(head.destination))}, any_vc_, 0});
    } else {
      for (const Branch& branch : plan->second.branches) branches.add(branch);
    }
  }
  std::uint32_t rank(unsigned, const Flit& head, std::uint64_t) const {
    const auto plan = plans.find(index(head.packet));
    return plan == plans.end() ? 0 : plan->second.rank;
  }
  std::uint64_t packet_id(const Flit& head) const {
    const auto plan = plans.find(index(head.packet));
    return plan == plans.end() ? index(head.packet) : plan->second.id;
  }
  void depart(unsigned output, unsigned vc, const Flit& flit) {
    Base::departures.push_back({Base::cycle, output, vc, index(flit.packet), flit.remaining,
                                flit.head, flit.hops, flit.route_field});
  }

  std::map<unsigned, PacketPlan> plans;  ///< Indexed by packet number.

 private:
  std::vector<Flit> landed_;
  BitMask<kWords> arrivals_{};
  VcSet any_vc_;
};

}  // namespace flitcast
