// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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

/// The shared data of all injectors and ejectors of a network: the packet source, the probe, and
/// the records of packets in flight, which Flit::packet refers to.
///
/// Every delivery is reported to the probe at the clock edge at which the tail arrives, and to the
/// source at the falling edge after it, in the order of nodes and their ports.
class PacketLedger : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};

  /// `source` and `probe` must outlive the ledger; `probe` may be null.
  PacketLedger(const sc_core::sc_module_name& name, PacketSource& source, Probe* probe = nullptr);

  /// The number of cycles so far.
  Cycle now() const { return now_; }
  /// The counters of packets, and of flits created.
  const Totals& totals() const { return totals_; }

  // The functions below are for injectors and ejectors.

  PacketSource& source() { return source_; }
  /// Registers the injector of a node, which is woken by the source.
  void attach(NodeId node, Injector& injector);
  PacketSlot add(const Packet& packet);
  PacketStore& packets() { return packets_; }
  /// Reports that a copy of the packet has arrived; Delivery::packet is filled in here.
  void arrived(PacketSlot packet, Delivery delivery);

  /// Makes the injector of a node poll the source in `cycle` or earlier; called between cycles.
  void wake(NodeId node, Cycle cycle);

 private:
  void on_falling_edge();

  PacketSource& source_;
  Probe* const probe_;
  PacketStore packets_{0};
  std::vector<Injector*> injectors_;  ///< Indexed by node.
  Deliveries deliveries_;             ///< Deliveries of this cycle.
  Totals totals_;
  Cycle now_{};
};

}  // namespace flitcast::pins
