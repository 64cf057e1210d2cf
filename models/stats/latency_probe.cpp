// SPDX-License-Identifier: Apache-2.0
#include "stats/latency_probe.h"

namespace flitcast {

void LatencyProbe::delivered(const Delivery& delivery) {
  const Packet& packet = delivery.packet;
  if (!watches(packet)) return;
  const std::uint64_t latency = delivery.arrival - packet.created;
  packet_latency_.add(latency);
  network_latency_.add(delivery.arrival - packet.injected);
  batches_.add(packet.created, latency);
  hops_ += delivery.hops;
}

void LatencyProbe::dropped(const Packet& packet) {
  if (watches(packet)) lost_ += packet.receivers;
}

void LatencyProbe::merge(const LatencyProbe& other) {
  packet_latency_.merge(other.packet_latency_);
  network_latency_.merge(other.network_latency_);
  batches_.merge(other.batches_);
  hops_ += other.hops_;
  lost_ += other.lost_;
}

double LatencyProbe::mean_hops() const {
  return count() == 0 ? 0 : static_cast<double>(hops_) / static_cast<double>(count());
}

}  // namespace flitcast
