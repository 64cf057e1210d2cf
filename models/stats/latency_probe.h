// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "base/figures.h"
#include "base/histogram.h"
#include "base/probe.h"
#include "stats/batch_means.h"

namespace flitcast {

/// Measures latencies of the packets that are created in the window [begin, end), whenever they
/// arrive; packets of the warm-up and of the drain are ignored.
///
/// There is one probe per partition; they are merged at the end. count() and the number of packets
/// created in the window give the number of packets outstanding.
class LatencyProbe : public Probe {
 public:
  LatencyProbe(Cycle begin, Cycle end) : begin_(begin), end_(end), batches_(begin, end) {}

  void delivered(const Delivery& delivery) override;
  void dropped(const Packet& packet) override;

  /// Adds the packets of another probe of the same window.
  void merge(const LatencyProbe& other);

  /// Doubles the window. Call it before any packet is created after the end of the window.
  void widen();

  /// The number of deliveries recorded.
  std::uint64_t count() const { return packet_latency_.count(); }
  /// The deliveries that will never happen, because the network dropped the packets.
  std::uint64_t lost() const { return lost_; }
  /// Cycles from the creation of a packet to the arrival of its tail, source queueing included.
  const Histogram& packet_latency() const { return packet_latency_; }
  /// Cycles from the packet's injection, when it leaves the source queue, to the arrival of its
  /// tail.
  const Histogram& network_latency() const { return network_latency_; }
  /// The batch means of the packet latency.
  const BatchMeans& batches() const { return batches_; }
  /// The half-width of the 95 % confidence interval of the mean packet latency, as a share of the
  /// mean; absent while it is unknown.
  std::optional<double> relative_half_width() const;
  /// The sum and the mean of the routers that packets crossed (0 without packets).
  std::uint64_t hops() const { return hops_; }
  double mean_hops() const;

 private:
  bool watches(const Packet& packet) const {
    return packet.created >= begin_ && packet.created < end_;
  }

  Cycle begin_;
  Cycle end_;
  Histogram packet_latency_;
  Histogram network_latency_;
  BatchMeans batches_;
  std::uint64_t hops_ = 0;
  std::uint64_t lost_ = 0;
};

/// The figures of a probe that has recorded packets.
const FigureTable<LatencyProbe>& latency_figures();

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
