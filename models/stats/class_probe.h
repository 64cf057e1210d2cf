// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/probe.h"
#include "stats/latency_probe.h"

namespace flitcast {

/// Statistics of one message class: its packets in the whole run, and its flits and latencies in
/// the window.
///
/// Each class has one probe per partition. At the end of the run the probes of a class are merged,
/// and the packets that have not arrived are added.
class ClassProbe : public Probe {
 public:
  ClassProbe(const Window& window, const IdleLatency& idle)
      : window_(window), latency_(window, idle) {}

  /// Records a delivered packet of the class.
  void delivered(const Delivery& delivery) override {
    latency_.delivered(delivery);
    count_creation(delivery.packet);
    ++packets_delivered_;
    if (window_.has(delivery.arrival)) flits_accepted_ += delivery.packet.length;
  }
  /// Records a packet that has not arrived at the end of the run.
  void add_outstanding(const Packet& packet) { count_creation(packet); }
  void merge(const ClassProbe& other) {
    packets_created_ += other.packets_created_;
    packets_delivered_ += other.packets_delivered_;
    flits_offered_ += other.flits_offered_;
    flits_accepted_ += other.flits_accepted_;
    latency_.merge(other.latency_);
  }
  /// Doubles the window. Call it before any packet is created, or arrives, after the end of the
  /// window.
  void widen() {
    window_.widen();
    latency_.widen();
  }

  std::uint64_t packets_created() const { return packets_created_; }
  std::uint64_t packets_delivered() const { return packets_delivered_; }
  /// The flits of packets created in the window.
  std::uint64_t flits_offered() const { return flits_offered_; }
  /// The flits of packets whose tails arrived in the window.
  std::uint64_t flits_accepted() const { return flits_accepted_; }
  const LatencyProbe& latency() const { return latency_; }

 private:
  void count_creation(const Packet& packet) {
    ++packets_created_;
    if (window_.has(packet.created)) flits_offered_ += packet.length;
  }

  Window window_;
  std::uint64_t packets_created_ = 0;
  std::uint64_t packets_delivered_ = 0;
  std::uint64_t flits_offered_ = 0;
  std::uint64_t flits_accepted_ = 0;
  LatencyProbe latency_;
};

}  // namespace flitcast
