// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "base/figures.h"
#include "base/probe.h"

namespace flitcast {

/// Latencies of the packets created in the window [begin, end), by the number of routers crossed.
///
/// There is one probe per partition; they are merged at the end.
class DistanceProbe : public Probe {
 public:
  struct Latencies {
    std::uint64_t packets = 0;
    std::uint64_t cycles = 0;  ///< The sum over all packets.
    std::uint64_t most = 0;
  };

  DistanceProbe(Cycle begin, Cycle end) : begin_(begin), end_(end) {}

  void delivered(const Delivery& delivery) override {
    const Packet& packet = delivery.packet;
    if (packet.created < begin_ || packet.created >= end_) return;
    const std::uint64_t latency = delivery.arrival - packet.created;
    add(delivery.hops, {1, latency, latency});
  }

  void merge(const DistanceProbe& other) {
    for (const auto& [hops, latencies] : other.by_hops_) add(hops, latencies);
  }

  /// Doubles the window. Call it before any packet is created after the end of the window.
  void widen() { end_ = end_ + (end_ - begin_); }

  /// The entries in rising order of distance.
  const std::map<std::uint64_t, Latencies>& by_hops() const { return by_hops_; }

 private:
  void add(std::uint64_t hops, const Latencies& more) {
    Latencies& sum = by_hops_[hops];
    sum.packets += more.packets;
    sum.cycles += more.cycles;
    sum.most = std::max(sum.most, more.most);
  }

  Cycle begin_;
  Cycle end_;
  std::map<std::uint64_t, Latencies> by_hops_;
};

/// The packets that crossed a given number of routers.
using Distance = std::pair<const std::uint64_t, DistanceProbe::Latencies>;

/// The figures of an entry of DistanceProbe::by_hops().
const FigureTable<Distance>& distance_figures();

}  // namespace flitcast
