// SPDX-License-Identifier: Apache-2.0
#include "stats/class_probe.h"

namespace flitcast {

void ClassProbe::delivered(const Delivery& delivery) {
  latency_.delivered(delivery);
  count_creation(delivery.packet);
  ++packets_delivered_;
  if (window_.has(delivery.arrival)) flits_accepted_ += delivery.packet.length;
}

void ClassProbe::count_creation(const Packet& packet) {
  ++packets_created_;
  if (window_.has(packet.created)) flits_offered_ += packet.length;
}

void ClassProbe::widen() {
  window_.widen();
  latency_.widen();
}

void ClassProbe::merge(const ClassProbe& other) {
  packets_created_ += other.packets_created_;
  packets_delivered_ += other.packets_delivered_;
  flits_offered_ += other.flits_offered_;
  flits_accepted_ += other.flits_accepted_;
  latency_.merge(other.latency_);
}

}  // namespace flitcast
