// SPDX-License-Identifier: Apache-2.0
#include "network/pins/packet_ledger.h"

#include "network/pins/node.h"
#include "network/pins/process.h"
#include "router/invariant.h"

namespace flitcast::pins {

PacketLedger::PacketLedger(const sc_core::sc_module_name& name, PacketSource& source, Probe* probe)
    : sc_module(name),
      source_(source),
      probe_(probe),
      deliveries_(source, [this](NodeId node, Cycle cycle) { wake(node, cycle); }) {
  SC_HAS_PROCESS(PacketLedger);
  SC_METHOD(on_falling_edge);
  sensitive << clk_i.neg();
  dont_initialize();
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
  if (source_.wants_deliveries()) deliveries_.add(delivery);
}

void PacketLedger::on_falling_edge() {
  do_reporting("pins/invariant", *this, index(now_), [this] { deliveries_.report(); });
  now_ = now_ + 1;
}

void PacketLedger::wake(NodeId node, Cycle cycle) {
  if (index(node) >= injectors_.size() || injectors_[index(node)] == nullptr) {
    throw InvariantError("a source woke a node that has no injector");
  }
  injectors_[index(node)]->wake(cycle);
}

}  // namespace flitcast::pins
