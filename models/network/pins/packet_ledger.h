// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "base/packet.h"
#include "base/packet_source.h"
#include "base/probe.h"
#include "network/fabric/deliveries.h"
#include "network/fabric/packet_store.h"
#include "network/network.h"

namespace flitcast::pins {

class Injector;

/// What the injectors and ejectors of a network share: who feeds it, who watches it, and the
/// records of the packets that are in flight, which Flit::packet numbers.
///
/// Every delivery goes to the probe at the clock edge at which the tail arrives, and to the source
/// at the falling edge after it, in the order of nodes and their ports.
class PacketLedger : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};

  /// `source` and `probe`, which may be null, must outlive the ledger.
  PacketLedger(const sc_core::sc_module_name& name, PacketSource& source, Probe* probe = nullptr);

  /// Cycles that have passed.
  Cycle now() const { return now_; }
  /// What is counted in packets, and flits created.
  const Totals& totals() const { return totals_; }
  /// Deliveries that are still to come.
  std::uint64_t due() const { return packets_.due(); }
  void for_each_packet(const std::function<void(const Packet&)>& visit) const;

  // For injectors and ejectors.

  PacketSource& source() { return source_; }
  /// Whoever sends for a node is woken when the source says so.
  void attach(NodeId node, Injector& injector);
  PacketSlot add(const Packet& packet);
  bool holds(PacketSlot packet) const { return packets_.holds(packet); }
  /// Of a packet that it holds.
  Packet& packet(PacketSlot packet) { return packets_.packet(packet); }
  /// A copy of the packet has arrived; what the delivery says of the packet is filled in here.
  void arrived(PacketSlot packet, Delivery delivery);

 private:
  void on_falling_edge();
  void wake(NodeId node, Cycle cycle);

  PacketSource& source_;
  Probe* const probe_;
  PacketStore packets_{0};
  std::vector<Injector*> injectors_;  ///< By node.
  Deliveries deliveries_;             ///< Of this cycle.
  Totals totals_;
  Cycle now_{};
};

}  // namespace flitcast::pins
