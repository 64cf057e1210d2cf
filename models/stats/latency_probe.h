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
#include "stats/mean_interval.h"

namespace flitcast {

/// The latency of a packet in an idle network, up to a constant.
struct IdleLatency {
  std::uint64_t hop = 0;       ///< Cycles of a head from router to router.
  std::uint64_t hop_flit = 0;  ///< Cycles per flit and hop if routers store whole packets.
  std::uint64_t flit = 1;      ///< Cycles per flit of the packet.

  std::uint64_t of(const Delivery& delivery) const {
    return delivery.hops * (hop + hop_flit * delivery.packet.length) +
           flit * delivery.packet.length;
  }
};

/// Measures latencies of the packets that are created in the window, whenever they arrive; packets
/// of the warm-up and of the drain are ignored.
///
/// Each partition has one probe; all are merged at the end. The number of packets outstanding
/// follows from count() and the number of packets created in the window.
class LatencyProbe : public Probe {
 public:
  explicit LatencyProbe(const Window& window, const IdleLatency& idle = {})
      : window_(window), idle_(idle) {}

  void delivered(const Delivery& delivery) override;
  void dropped(const Packet& packet) override {
    if (window_.has(packet.created)) lost_ += packet.receivers;
  }

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
  /// Cycles from the injection of a packet, when its head leaves the source queue, to the arrival
  /// of its tail.
  const Histogram& network_latency() const { return network_latency_; }
  /// The packet latency by the cycle of the packet's creation.
  const LatencySpans& spans() const { return spans_; }
  /// The confidence interval of the mean packet latency.
  MeanInterval interval(const TrafficScale& traffic) const {
    return {window_, spans_, packet_latency_, wait_variance(), traffic};
  }
  /// The number of routers crossed, summed over all packets.
  std::uint64_t hops() const { return hops_; }
  /// The mean number of routers that a packet crossed; 0 without packets.
  double mean_hops() const {
    return count() == 0 ? 0 : static_cast<double>(hops_) / static_cast<double>(count());
  }

 private:
  __extension__ using Wide = __int128;  // Wide enough for the squares of 2^30 waits of 2^40 cycles.

  double wait_variance() const;

  Window window_;
  IdleLatency idle_;
  Histogram packet_latency_;
  Histogram network_latency_;
  LatencySpans spans_;
  Wide waits_ = 0;          // The waits (packet latency less IdleLatency) of all packets, summed.
  Wide squared_waits_ = 0;  // The squares of the waits, summed.
  std::uint64_t hops_ = 0;
  std::uint64_t lost_ = 0;
};

/// Latencies of recorded packets, and the confidence interval of their mean, which is absent unless
/// the packets are those of a window.
struct MeasuredLatency {
  const LatencyProbe& packets;
  const std::optional<MeanInterval>& interval;
};
const FigureTable<MeasuredLatency>& latency_figures();

/// Latencies of the packets created in the window, by the number of routers crossed.
///
/// Each partition has one probe; all are merged at the end.
class DistanceProbe : public Probe {
 public:
  struct Latencies {
    std::uint64_t packets = 0;
    std::uint64_t cycles = 0;  ///< The sum over all packets.
    std::uint64_t most = 0;    ///< The largest latency of a packet.
  };

  explicit DistanceProbe(const Window& window) : window_(window) {}

  void delivered(const Delivery& delivery) override {
    const Packet& packet = delivery.packet;
    if (!window_.has(packet.created)) return;
    const std::uint64_t latency = delivery.arrival - packet.created;
    add(delivery.hops, {1, latency, latency});
  }

  void merge(const DistanceProbe& other) {
    for (const auto& [hops, latencies] : other.by_hops_) add(hops, latencies);
  }

  /// Doubles the window. Call it before any packet is created after the end of the window.
  void widen() { window_.widen(); }

  /// The entries in rising order of distance.
  const std::map<std::uint64_t, Latencies>& by_hops() const { return by_hops_; }

 private:
  void add(std::uint64_t hops, const Latencies& more) {
    Latencies& sum = by_hops_[hops];
    sum.packets += more.packets;
    sum.cycles += more.cycles;
    sum.most = std::max(sum.most, more.most);
  }

  Window window_;
  std::map<std::uint64_t, Latencies> by_hops_;
};

/// An entry of DistanceProbe::by_hops(): a number of routers, and the latencies of the packets that
/// crossed this number of routers.
using Distance = std::pair<const std::uint64_t, DistanceProbe::Latencies>;

/// The figures of an entry of DistanceProbe::by_hops().
const FigureTable<Distance>& distance_figures();

}  // namespace flitcast
