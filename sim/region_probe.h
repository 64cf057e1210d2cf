// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>

#include "base/probe.h"
#include "stats/checksum_probe.h"
#include "stats/latency_probe.h"
#include "stats/packet_log.h"

namespace flitcast {

/// All that an experiment wants to know of the packets that arrive in one region.
class RegionProbe : public Probe {
 public:
  /// @param begin, end  The measured window: packets created in it count for the latencies.
  /// @param log         Keep a row for every packet.
  RegionProbe(Cycle begin, Cycle end, bool log) : latency_(begin, end) {
    if (log) log_.emplace();
  }

  void delivered(const Delivery& delivery) override {
    latency_.delivered(delivery);
    checksum_.delivered(delivery);
    last_arrival_ = std::max(last_arrival_, delivery.arrival);
    if (log_) log_->delivered(delivery);
  }
  void dropped(const Packet& packet) override { latency_.dropped(packet); }

  void merge(const RegionProbe& other) {
    latency_.merge(other.latency_);
    checksum_.merge(other.checksum_);
    last_arrival_ = std::max(last_arrival_, other.last_arrival_);
    if (log_) log_->merge(*other.log_);
  }

  const LatencyProbe& latency() const { return latency_; }
  const ChecksumProbe& checksum() const { return checksum_; }
  Cycle last_arrival() const { return last_arrival_; }
  /// Null if not asked for.
  const PacketLog* log() const { return log_ ? &*log_ : nullptr; }

 private:
  LatencyProbe latency_;
  ChecksumProbe checksum_;
  Cycle last_arrival_{};
  std::optional<PacketLog> log_;
};

}  // namespace flitcast
