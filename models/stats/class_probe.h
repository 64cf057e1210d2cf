// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/probe.h"
#include "stats/latency_probe.h"

namespace flitcast {

/// The packets of one message class: how many in the whole run, how many flits in the window
/// [begin, end), and how long they took.
///
/// One probe per class and partition, merged at the end; packets that have not arrived by then are
/// added.
class ClassProbe : public Probe {
 public:
  ClassProbe(Cycle begin, Cycle end) : begin_(begin), end_(end), latency_(begin, end) {}

  /// A packet of the class.
  void delivered(const Delivery& delivery) override;
  /// One that has not arrived at the end of the run.
  void add_outstanding(const Packet& packet) { count_creation(packet); }
  void merge(const ClassProbe& other);
  /// Makes the window twice as long. Before any packet is created, or arrives, behind its end.
  void widen();

  std::uint64_t packets_created() const { return packets_created_; }
  std::uint64_t packets_delivered() const { return packets_delivered_; }
  /// Of packets created in the window.
  std::uint64_t flits_offered() const { return flits_offered_; }
  /// Of packets whose tails arrived in the window.
  std::uint64_t flits_accepted() const { return flits_accepted_; }
  const LatencyProbe& latency() const { return latency_; }

 private:
  bool in_window(Cycle cycle) const { return cycle >= begin_ && cycle < end_; }
  void count_creation(const Packet& packet);

  Cycle begin_;
  Cycle end_;
  std::uint64_t packets_created_ = 0;
  std::uint64_t packets_delivered_ = 0;
  std::uint64_t flits_offered_ = 0;
  std::uint64_t flits_accepted_ = 0;
  LatencyProbe latency_;
};

}  // namespace flitcast
