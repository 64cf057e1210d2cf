// SPDX-License-Identifier: Apache-2.0
#include "network/pins/packet_ledger.h"

#include <algorithm>
#include <tuple>

#include "network/pins/injector.h"
#include "network/pins/process.h"
#include "router/invariant.h"

namespace flitcast::pins {

PacketLedger::PacketLedger(const sc_core::sc_module_name& name, PacketSource& source, Probe* probe)
    : sc_module(name), source_(source), probe_(probe) {
  SC_HAS_PROCESS(PacketLedger);
  SC_METHOD(on_falling_edge);
  sensitive << clk_i.neg();
  dont_initialize();
}

void PacketLedger::for_each_packet(const std::function<void(const Packet&)>& visit) const {
  packets_.for_each([&](PacketSlot, const Packet& packet, std::size_t) { visit(packet); });
}

void PacketLedger::attach(NodeId node, Injector& injector) {
  if (index(node) >= injectors_.size()) injectors_.resize(index(node) + 1, nullptr);
  injectors_[index(node)] = &injector;
}

PacketSlot PacketLedger::add(const Packet& packet) {
  ++totals_.packets_created;
  totals_.receivers += packet.receivers;
  totals_.flits_created += packet.length;
  return packets_.add(packet);
}

void PacketLedger::arrived(PacketSlot packet, Delivery delivery) {
  delivery.packet = packets_.packet(packet);
  packets_.arrived(packet);
  ++totals_.packets_delivered;
  if (probe_ != nullptr) probe_->delivered(delivery);
  if (source_.wants_deliveries()) deliveries_.push_back(delivery);
}

void PacketLedger::on_falling_edge() {
  std::sort(deliveries_.begin(), deliveries_.end(), [](const Delivery& a, const Delivery& b) {
    return std::tie(a.node, a.port) < std::tie(b.node, b.port);
  });
  do_reporting(*this, index(now_), [this] {
    for (const Delivery& delivery : deliveries_) tell_source(delivery);
  });
  deliveries_.clear();
  now_ = now_ + 1;
}

void PacketLedger::tell_source(const Delivery& delivery) {
  wake_ups_.clear();
  source_.delivered(delivery, wake_ups_);
  for (const WakeUp& wake_up : wake_ups_) {
    if (wake_up.cycle <= delivery.arrival) throw InvariantError("a source woke a node in the past");
    if (index(wake_up.node) >= injectors_.size() || injectors_[index(wake_up.node)] == nullptr) {
      throw InvariantError("a source woke a node that nobody sends for");
    }
    injectors_[index(wake_up.node)]->wake(wake_up.cycle);
  }
}

}  // namespace flitcast::pins
