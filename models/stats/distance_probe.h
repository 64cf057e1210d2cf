// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "base/figures.h"
#include "base/probe.h"

namespace flitcast {

/// Latencies of the packets created in the window [begin, end), by the routers that they crossed.
///
/// One probe per partition, merged at the end.
class DistanceProbe : public Probe {
 public:
  struct Latencies {
    std::uint64_t packets = 0;
    std::uint64_t cycles = 0;  ///< Together.
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

  /// Makes the window twice as long. Before any packet is created behind its end.
  void widen() { end_ = end_ + (end_ - begin_); }

  /// By rising distance.
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

/// Packets that crossed so many routers.
using Distance = std::pair<const std::uint64_t, DistanceProbe::Latencies>;

/// Of an entry of DistanceProbe::by_hops().
const FigureTable<Distance>& distance_figures();

}  // namespace flitcast
