// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <systemc>
#include <vector>

#include "network/pins/channel.h"
#include "network/pins/packet_ledger.h"
#include "network/pins/process.h"
#include "router/packet_order.h"
#include "router/router_params.h"

namespace flitcast::pins {

/// The exit of packets from a network at a port of a node. It accepts every flit in the cycle in
/// which it arrives and returns the credit in the same cycle.
///
/// A flit out of its packet's order, of a packet that is not in flight, or of a packet for another
/// node, is reported as an SC_ERROR with VC and cycle.
/// Reset discards packets that have arrived in part.
class Ejector : public Clocked {
 public:
  struct Params {
    NodeId node{};
    std::uint16_t port = 0;  ///< Port of the node.
    unsigned virtual_channels = 1;
    BufferUnit unit = BufferUnit::kFlit;  ///< The unit of credits.
    /// True if routers copy packets; destinations need not be nodes then.
    bool multicast = false;
  };

  FlitInput in{"in"};

  /// `ledger` must outlive the ejector.
  Ejector(const sc_core::sc_module_name& name, const Params& params, PacketLedger& ledger);

  std::uint64_t flits_ejected() const { return flits_; }
  /// True if the head of a packet has arrived and its tail has not.
  bool receives(unsigned vc) const { return order_.inside(vc); }

 private:
  void on_clock() override;
  bool receive(unsigned vc, const Flit& flit);

  const Params params_;
  PacketLedger& ledger_;
  PacketOrder order_;
  std::vector<std::uint16_t> hops_;  ///< Hops of the packet that is arriving, per VC.
  std::uint64_t flits_ = 0;
  std::uint64_t cycle_ = 0;
};

}  // namespace flitcast::pins
