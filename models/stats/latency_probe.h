// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/figures.h"
#include "base/histogram.h"
#include "base/probe.h"
#include "stats/batch_means.h"

namespace flitcast {

/// How long do packets take? Monitors the packets that are created in the window [begin, end),
/// whenever they arrive; packets of the warm-up and of the drain are ignored.
///
/// One probe per partition, merged at the end. The caller, who knows how many packets were created
/// in the window, sees from count() how many are still outstanding.
class LatencyProbe : public Probe {
 public:
  LatencyProbe(Cycle begin, Cycle end) : begin_(begin), end_(end), batches_(begin, end) {}

  void delivered(const Delivery& delivery) override;
  void dropped(const Packet& packet) override;

  /// Adds what another probe of the same window has seen.
  void merge(const LatencyProbe& other);

  /// Makes the window twice as long. Before any packet is created behind its end.
  void widen();

  /// Packets seen.
  std::uint64_t count() const { return packet_latency_.count(); }
  /// Deliveries that will never be made, of packets that the network has given up.
  std::uint64_t lost() const { return lost_; }
  /// Cycles from creation to the arrival of the tail: source queueing counts.
  const Histogram& packet_latency() const { return packet_latency_; }
  /// Cycles from leaving the source queue to the arrival of the tail.
  const Histogram& network_latency() const { return network_latency_; }
  /// Of the mean packet latency.
  const BatchMeans& batches() const { return batches_; }
  /// Half of the 95 % confidence interval of the mean packet latency, as a share of it; absent
  /// while nobody knows.
  std::optional<double> relative_half_width() const;
  /// Routers crossed by all packets together, and on average (0 without packets).
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

/// Of a probe that has seen packets.
const FigureTable<LatencyProbe>& latency_figures();

}  // namespace flitcast
